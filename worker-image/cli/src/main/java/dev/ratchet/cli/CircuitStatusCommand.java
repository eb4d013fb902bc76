/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.cli.circuit.CircuitClient;
import dev.ratchet.cli.circuit.PictureFile;
import dev.ratchet.cli.view.Column;
import dev.ratchet.cli.view.Format;
import dev.ratchet.cli.view.OutputMixin;
import dev.ratchet.cli.view.Section;
import dev.ratchet.cli.view.View;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ratchet circuit status}: what the circuit does, how far it is behind its input, and why it stands. */
@Command(
        name = "status",
        description = "Shows state, step and lag of a cluster's circuit, and why it does not go on.",
        mixinStandardHelpOptions = true)
final class CircuitStatusCommand extends ServedCircuitCommand {

    @Mixin
    private OutputMixin output;

    @Option(
            names = "--picture",
            paramLabel = "FILE",
            description = "also draws the circuit with what the worker that answers has done of it since its run began:"
                    + " .svg, .dot or .json")
    private @Nullable Path picture;

    @Override
    void check() {
        if (picture != null) {
            PictureFile.check(commandLine(), picture);
        }
    }

    @Override
    void ask(CircuitClient circuit, PrintWriter out) throws InterruptedException {
        output.show(() -> {
            if (picture != null) {
                PictureFile.fetch(circuit, picture);
            }
            return view(circuit.document("/v1/status"));
        });
    }

    private static View view(JsonNode status) {
        ObjectNode item = JsonNodeFactory.instance.objectNode();
        for (String name : List.of(
                "state", "message", "step", "version", "versionStep", "pendingBytes", "errorRows", "programDigest")) {
            item.set(name, status.path(name));
        }
        Section tables =
                counts("tables", "table", status.path("receivedRows"), "LAG-ROWS", "lagRows", status.path("lagRows"));
        Section views =
                counts("views", "view", status.path("viewRows"), "LAG-STEPS", "lagSteps", status.path("lagSteps"));
        item.putArray(tables.plural()).addAll(tables.items());
        item.putArray(views.plural()).addAll(views.items());
        View text = new View().heading(heading(status)).section(tables).section(views);
        String message = status.path("message").asText();
        if (!message.isEmpty()) {
            text.ending(message);
        }
        // Nothing tells one circuit of a cluster from another, as it has one.
        Section whole = new Section(
                "circuits",
                "circuit",
                "",
                List.of(
                        Column.of("STATE", "state"),
                        Column.of("STEP", "step"),
                        Column.of("VERSION", "version"),
                        Column.of("PENDING", "pendingBytes"),
                        Column.of("ERRORS", "errorRows"),
                        Column.of("MESSAGE", "message")),
                List.of(item));
        return View.ofOne(whole, out -> text.print(Format.text, out));
    }

    private static String heading(JsonNode status) {
        return "circuit "
                + status.path("state").asText().toLowerCase(Locale.ROOT).replace('_', ' ') + ": step "
                + status.path("step").asLong() + ", version "
                + status.path("version").asLong() + " of step "
                + status.path("versionStep").asLong() + "; "
                + status.path("pendingBytes").asLong() + " bytes of input wait, "
                + status.path("errorRows").asLong() + " rows are errors";
    }

    /** Also of those that wait without any row having gone through. */
    private static Section counts(
            String plural, String singular, JsonNode rows, String title, String lag, JsonNode lags) {
        Set<String> names = new TreeSet<>();
        rows.fieldNames().forEachRemaining(names::add);
        lags.fieldNames().forEachRemaining(names::add);
        List<ObjectNode> items = new ArrayList<>();
        names.forEach(name -> items.add(JsonNodeFactory.instance
                .objectNode()
                .put("name", name)
                .put("rows", rows.path(name).asLong())
                .put(lag, lags.path(name).asLong())));
        return new Section(
                plural,
                singular,
                "name",
                List.of(
                        Column.of(singular.toUpperCase(Locale.ROOT), "name"),
                        Column.of("ROWS", "rows"),
                        Column.of(title, lag)),
                items);
    }
}
