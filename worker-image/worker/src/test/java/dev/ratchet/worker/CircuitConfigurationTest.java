/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.circuits.builder.OutputKeys;
import dev.ratchet.circuits.circuit.OnError;
import dev.ratchet.dataflow.DataflowSettings;
import dev.ratchet.dataflow.FilesSink;
import dev.ratchet.dataflow.InputSource;
import dev.ratchet.dataflow.ProgramSource;
import dev.ratchet.dataflow.RowFormat;
import dev.ratchet.store.ClusterConfiguration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CircuitConfigurationTest {

    private static final String CIRCUIT = """
            {"name":"totals","program":"CREATE TABLE t (k INT);","suspended":true,"threads":2,
             "checkpointIntervalMillis":10000,"retainedVersions":3,"onError":"Stop","retainedSteps":{"v":1000},
             "outputKeys":{"v":["k","l"]},
             "decision":"retry-1","later":1,
             "inputs":[{"name":"ticks","type":"Clock","intervalMillis":500,"later":1},
                       {"name":"events","type":"Nexmark","eventsPerSecond":40,"seed":0,"events":6},
                       {"name":"t","type":"Files","folder":"/in","periodMillis":700}],
             "outputs":[{"name":"o","type":"Files","view":"v","folder":"/out","format":"Csv","later":1}]}
            """;

    @TempDir
    Path directory;

    @Test
    void theMemberOfTheConfigurationIsReadWhole() throws IOException {
        assertThat(read(CIRCUIT))
                .contains(new DataflowSettings(
                        "totals",
                        new ProgramSource.Sql(
                                "CREATE TABLE t (k INT);", new OutputKeys(Map.of("v", List.of("k", "l")))),
                        true,
                        2,
                        10_000,
                        3,
                        OnError.STOP,
                        Map.of("v", 1_000),
                        "retry-1",
                        List.of(
                                new InputSource.Clock("ticks", 500),
                                new InputSource.Nexmark("events", 40, 0, 6),
                                new InputSource.Files("t", "/in", 700)),
                        List.of(new FilesSink("o", "v", "/out", RowFormat.CSV))));
    }

    @Test
    void aClassIsNamedByItsJar() throws IOException {
        String digest = "0123456789abcdef".repeat(4);
        assertThat(read(ofClass("sha256:" + digest, "com.acme.Totals")).map(DataflowSettings::program))
                .contains(new ProgramSource.OfClass(
                        digest, "com.acme.Totals", new OutputKeys(Map.of("v", List.of("k", "l")))));
        assertThatThrownBy(() -> read(ofClass("sha256:0", "com.acme.Totals")))
                .hasMessageContaining("circuit.class.artifact is 'sha256:0' and must be sha256: and 64 digits");
        assertThatThrownBy(() -> read(ofClass("sha256:" + digest, "")))
                .hasMessageContaining("\"circuit.class.className\" must be a text that is not empty");
    }

    private static String ofClass(String artifact, String className) {
        return CIRCUIT.replace(
                "\"program\":\"CREATE TABLE t (k INT);\"",
                "\"class\":{\"artifact\":\"" + artifact + "\",\"className\":\"" + className + "\"}");
    }

    @Test
    void withoutTheMemberThereIsNoCircuit() throws IOException {
        Files.writeString(directory.resolve(ClusterConfiguration.FILE), "{}");
        assertThat(CircuitConfiguration.read(directory)).isEmpty();
        assertThat(read("null")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"threads\":2 | \"threads\":0 | circuit.threads must be a whole number from 1 to 4096, it is 0",
                "\"threads\":2 | \"threads\":\"2\" | circuit.threads must be a whole number from 1 to 4096",
                "\"retainedVersions\":3 | \"x\":3 | circuit.retainedVersions must be a whole number",
                "{\"v\":1000} | {\"v\":-1} | circuit.retainedSteps.v must be a whole number",
                "[\"k\",\"l\"] | [\"k\",7] | circuit.outputKeys.v must be a list of names of columns, it has 7",
                "\"Stop\" | \"Go\" | circuit.onError is 'Go', known are Collect and Stop",
                "\"Clock\" | \"Sundial\" | circuit.inputs[ticks].type is 'Sundial', known are Clock, Nexmark and Files",
                "40 | 0 | circuit.inputs[events].eventsPerSecond must be a whole number from 1 to",
                "\"seed\":0 | \"seed\":-1 | circuit.inputs[events].seed must be a whole number from 0 to",
                "\"/in\" | 7 | \"circuit.inputs[t].folder\" must be a text that is not empty, it is 7",
                "\"Csv\" | \"Xml\" | circuit.outputs[o].format is 'Xml', known are Ndjson and Csv",
                "Files\",\"view | Tape\",\"view | circuit.outputs[o].type is 'Tape', known is Files",
                "\"/out\" | \"\" | \"circuit.outputs[o].folder\" must be a text that is not empty",
                "500 | 0 | circuit.inputs[ticks].intervalMillis must be a whole number from 1 to",
                "\"totals\" | \"\" | \"circuit.name\" must be a text that is not empty",
            })
    void whatCanNotBeUsedIsNamedWithItsValue(String good, String bad, String message) {
        assertThatThrownBy(() -> read(CIRCUIT.replace(good, bad)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(ClusterConfiguration.FILE)
                .hasMessageContaining(message);
    }

    private Optional<DataflowSettings> read(String circuit) throws IOException {
        Files.writeString(directory.resolve(ClusterConfiguration.FILE), "{\"circuit\":" + circuit + "}");
        return CircuitConfiguration.read(directory);
    }
}
