/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ratchet.cli.context.ContextCommand;
import dev.ratchet.cli.context.Contexts;
import dev.ratchet.client.InvalidInputException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Connections by name: kept in one file, chosen by option or as the current one. */
class ContextCommandsTest {

    @TempDir
    Path directory;

    private Contexts contexts;
    private String out = "";
    private String err = "";

    @BeforeEach
    void begin() {
        contexts = new Contexts(directory.resolve("made/for/it/config"));
    }

    @Test
    void theFirstContextIsTheCurrentOneUntilAnotherIsChosen() throws Exception {
        assertThat(run("context", "add", "orders", "--connection", connection("orders")))
                .isZero();
        assertThat(out).isEqualTo("context orders added: cluster team-a/orders, the current one");
        assertThat(run("context", "add", "trades", "--connection", connection("trades")))
                .isZero();
        assertThat(out).contains("ratchet context use trades makes it the current one");

        assertThat(run("context", "current")).isZero();
        assertThat(out).isEqualTo("orders");
        assertThat(run("context", "use", "trades")).isZero();
        assertThat(run("context", "list")).isZero();
        assertThat(out.lines().map(line -> line.replaceAll(" +", " ")))
                .containsExactly("CURRENT NAME NAMESPACE CLUSTER", " orders team-a orders", "* trades team-a trades");
        assertThat(run("context", "list", "-o", "json")).isZero();
        assertThat(new ObjectMapper().readTree(out).path("contexts").findValuesAsText("name"))
                .containsExactly("orders", "trades");
    }

    @Test
    void theDocumentIsKeptAndTheFileIsTheOwnersAlone() throws Exception {
        String file = connection("orders");
        run("context", "add", "orders", "--connection", file);

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(contexts.file())))
                .isEqualTo("rw-------");
        ObjectMapper json = new ObjectMapper();
        assertThat(json.readTree(contexts.document("orders")))
                .isEqualTo(json.readTree(Files.readString(Path.of(file))));
        try (Stream<Path> files = Files.list(contexts.file().getParent())) {
            assertThat(files).as("nothing is left beside it").hasSize(1);
        }
    }

    @Test
    void aConnectionThatHasChangedReplacesTheFormerOne() throws Exception {
        run("context", "add", "here", "--connection", connection("orders"));
        run("context", "add", "here", "--connection", connection("trades"));

        assertThat(out).startsWith("context here replaced: cluster team-a/trades");
        assertThat(contexts.document("here")).contains("\"cluster\":\"trades\"");
    }

    @Test
    void whatIsRemovedIsNotTheCurrentOneAnyMore() throws Exception {
        run("context", "add", "orders", "--connection", connection("orders"));
        assertThat(run("context", "remove", "orders")).isZero();

        assertThat(run("context", "current")).isEqualTo(2);
        assertThat(err).contains("ratchet context use NAME");
        assertThat(run("status")).isEqualTo(2);
        assertThat(err)
                .contains("No cluster is named", "--connection FILE", "RATCHET_CONNECTION", "ratchet context add");
    }

    @Test
    void aNameThatIsNotThereIsRefusedWithThoseThatAre() throws Exception {
        run("context", "add", "orders", "--connection", connection("orders"));

        assertThat(run("context", "use", "order")).isEqualTo(2);
        assertThat(err).contains("There is no context 'order'", "there is orders");
        assertThat(run("status", "--context", "order")).isEqualTo(2);
        assertThat(err).contains("There is no context 'order'");
        assertThat(run("status", "--context", "orders", "--connection", "file")).isEqualTo(2);
        assertThat(err).contains("Give either --connection or --context");
    }

    @Test
    void whatCanNotBeKeptChangesNothing() throws Exception {
        assertThat(run("context", "add", "a b", "--connection", connection("orders")))
                .isEqualTo(2);
        assertThat(err).contains("'a b' does not");
        Path text = Files.writeString(directory.resolve("no.json"), "apiVersion: v1");
        assertThat(run("context", "add", "orders", "--connection", text.toString()))
                .isEqualTo(2);
        assertThat(err).contains("is not JSON");
        assertThat(contexts.file()).doesNotExist();
    }

    @Test
    void aFileThatIsBrokenIsNotWrittenOver() throws Exception {
        Path broken = Files.writeString(directory.resolve("config"), "contexts: [");

        assertThatThrownBy(() -> new Contexts(broken).names())
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("can not be read");
        assertThat(Files.readString(broken)).isEqualTo("contexts: [");
    }

    private String connection(String cluster) throws Exception {
        return Files.writeString(directory.resolve(cluster + ".json"), """
                {"cluster":"%s","namespace":"team-a","authority":"a","endpoints":["10.0.0.1:7400"],
                 "certificate":"c","key":"k","authorities":"x"}
                """.formatted(cluster))
                .toString();
    }

    private int run(String... arguments) {
        StringWriter said = new StringWriter();
        StringWriter errors = new StringWriter();
        int code = RatchetCommand.commandLine(new Parts())
                .setOut(new PrintWriter(said))
                .setErr(new PrintWriter(errors))
                .execute(arguments);
        out = String.join("\n", said.toString().lines().toList());
        err = errors.toString().strip();
        assertThat(List.of(out.isEmpty(), err.isEmpty())).as("one of the two").contains(true);
        return code;
    }

    private final class Parts implements CommandLine.IFactory {
        @Override
        public <K> K create(Class<K> type) throws Exception {
            return type == ContextCommand.class
                    ? type.cast(new ContextCommand(contexts))
                    : RatchetCommand.partsWith(() -> new ContextConnection(contexts))
                            .create(type);
        }
    }
}
