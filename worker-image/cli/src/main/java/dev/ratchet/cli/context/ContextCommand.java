/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli.context;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.cli.view.Column;
import dev.ratchet.cli.view.OutputMixin;
import dev.ratchet.cli.view.Section;
import dev.ratchet.cli.view.View;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.futures.client.ConnectionDocument;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ratchet context}: keeps connections by name, as kubectl does. */
@Command(
        name = "context",
        description = "Gives connections names, and says which one is meant where none is named.",
        mixinStandardHelpOptions = true)
public final class ContextCommand {

    private static final String STANDARD_INPUT = "-";

    @Spec
    private CommandSpec spec;

    private final Contexts contexts;

    public ContextCommand() {
        this(Contexts.ofUser());
    }

    public ContextCommand(Contexts contexts) {
        this.contexts = contexts;
    }

    @Command(
            description = "Keeps a connection under a name, in place of the one that has it; the first one is current.",
            mixinStandardHelpOptions = true)
    int add(
            @Parameters(paramLabel = "NAME", description = "how it will be called") String name,
            @Option(
                            names = "--connection",
                            required = true,
                            paramLabel = "FILE",
                            description = "the key 'connection' of a client's Secret; - for standard input")
                    Path connection)
            throws IOException {
        ConnectionDocument document = ConnectionDocument.parse(text(connection));
        boolean isNew = contexts.add(name, document.json());
        say("context " + name + (isNew ? " added" : " replaced") + ": cluster " + document.namespace() + "/"
                + document.cluster()
                + (isCurrent(name)
                        ? ", the current one"
                        : "; ratchet context use " + name + " makes it the current one"));
        return 0;
    }

    @Command(description = "Makes a context the current one.", mixinStandardHelpOptions = true)
    int use(@Parameters(paramLabel = "NAME", description = "a context") String name) {
        contexts.use(name);
        say("context " + name + " is the current one");
        return 0;
    }

    @Command(description = "Shows the name of the current context.", mixinStandardHelpOptions = true)
    int current() {
        say(contexts.current()
                .orElseThrow(() -> new InvalidInputException(
                        "No context is the current one. Choose one with: ratchet context use NAME")));
        return 0;
    }

    @Command(description = "Forgets a context.", mixinStandardHelpOptions = true)
    int remove(@Parameters(paramLabel = "NAME", description = "a context") String name) {
        contexts.remove(name);
        say("context " + name + " removed");
        return 0;
    }

    @Command(description = "Shows the contexts, the current one with a star.", mixinStandardHelpOptions = true)
    int list(@Mixin OutputMixin output) throws InterruptedException {
        output.show(this::all);
        return 0;
    }

    private View all() {
        List<ObjectNode> items = new ArrayList<>();
        for (String name : contexts.names()) {
            ConnectionDocument document = ConnectionDocument.parse(contexts.document(name));
            items.add(JsonNodeFactory.instance
                    .objectNode()
                    .put("name", name)
                    .put("current", isCurrent(name))
                    .put("namespace", document.namespace())
                    .put("cluster", document.cluster()));
        }
        View view = new View()
                .section(new Section(
                        "contexts",
                        "context",
                        "name",
                        List.of(
                                new Column(
                                        "CURRENT", item -> item.path("current").asBoolean() ? "*" : ""),
                                Column.of("NAME", "name"),
                                Column.of("NAMESPACE", "namespace"),
                                Column.of("CLUSTER", "cluster")),
                        items));
        return items.isEmpty() ? view.note("There are no contexts in " + contexts.file() + ".") : view;
    }

    private boolean isCurrent(String name) {
        return contexts.current().equals(Optional.of(name));
    }

    private static String text(Path connection) throws IOException {
        if (connection.toString().equals(STANDARD_INPUT)) {
            return new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
        }
        try {
            return Files.readString(connection);
        } catch (IOException unreadable) {
            throw new InvalidInputException(
                    "The connection file " + connection + " can not be read: " + unreadable, unreadable);
        }
    }

    private void say(String line) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(line);
        out.flush();
    }
}
