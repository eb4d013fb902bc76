/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine;

/** Runs a benchmark as its user does and looks at the file that it writes: none of its calls may have failed. */
public final class BenchRun {

    private BenchRun() {}

    /** Asserts that a benchmark exits with 0 and writes so many lines, none with a failure. */
    public static void succeeds(Object benchmark, Path directory, int lines, String... arguments) throws IOException {
        Path json = directory.resolve("measured.json");
        List<String> all = Stream.concat(Stream.of(arguments), Stream.of("--json=" + json, "--dir=" + directory))
                .toList();
        assertThat(new CommandLine(benchmark).execute(all.toArray(String[]::new)))
                .isZero();
        JsonNode measured = JsonMapper.builder().build().readTree(json.toFile()).path("measurements");
        assertThat(measured).hasSize(lines);
        for (JsonNode line : measured) {
            assertThat(line.path("failed").asLong()).as(line.toString()).isZero();
        }
    }
}
