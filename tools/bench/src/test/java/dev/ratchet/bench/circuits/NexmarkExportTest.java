/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.circuits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.circuits.run.CircuitRun;
import dev.ratchet.circuits.run.RunOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class NexmarkExportTest {

    @Test
    void programsAndChangesAreWhatTheCommandLineReads(@TempDir Path directory) throws Exception {
        int code = new CommandLine(new NexmarkExport())
                .execute("q4", directory.toString(), "--changes", "2000", "--step", "500", "--retractions", "10");
        assertThat(code).isZero();
        assertThat(Files.readAllLines(directory.resolve("changes.jsonl")))
                .hasSizeBetween(1_900, 2_000)
                .last()
                .asString()
                .startsWith("{\"step\":4,\"table\":\"");
        Path results = directory.resolve("results.jsonl");
        RunOptions options = new RunOptions(
                directory.resolve("program.sql"),
                directory.resolve("changes.jsonl"),
                results,
                1,
                null,
                Map.of(),
                List.of());
        new CircuitRun(options, (step, rowsIn, rowsOut) -> {}).run();
        assertThat(Files.readAllLines(results))
                .hasSizeGreaterThan(1)
                .last()
                .asString()
                .contains("\"view\":\"q4\"");
    }
}
