/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.futures;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The benchmark itself works on processes of its own. Says nothing of speed. */
class FuturesBenchTest {

    @TempDir
    Path directory;

    @Test
    void callsSucceedOnAStoreAndAWorkerOfTheirOwn() throws Exception {
        Path json = directory.resolve("futures.json");
        int exit = new CommandLine(new FuturesBench())
                .execute(
                        "--quick",
                        "--millis=20",
                        "--together=200",
                        "--workers=1",
                        "--on=NO_FSYNC",
                        "--rows=CALLS,COMMIT",
                        "--no-peers",
                        "--json=" + json,
                        "--dir=" + directory);
        assertThat(exit).isZero();
        JsonNode lines = JsonMapper.builder().build().readTree(json.toFile()).path("measurements");
        assertThat(lines).hasSize(5);
        for (JsonNode line : lines) {
            assertThat(line.path("failed").asLong()).as(line.toString()).isZero();
        }
    }
}
