/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The benchmark itself works: every workload succeeds in process and over loopback. Says nothing of speed. */
class StoreBenchTest {

    @TempDir
    Path directory;

    @Test
    void everyWorkloadSucceedsInProcessAndOverLoopback() throws Exception {
        Path json = directory.resolve("store.json");
        int exit = new CommandLine(new StoreBench())
                .execute(
                        "--on=MEMORY,LOOPBACK_NO_FSYNC",
                        "--clients=2",
                        "--millis=20",
                        "--warm-up=20",
                        "--quick",
                        "--workload=READ,UPDATE,SET,UPDATE_TEN,HOT_ADD,RANGE",
                        "--rows=2000",
                        "--json=" + json,
                        "--dir=" + directory);
        assertThat(exit).isZero();
        JsonNode lines = JsonMapper.builder().build().readTree(json.toFile()).path("measurements");
        assertThat(lines).hasSize(13);
        for (JsonNode line : lines) {
            assertThat(line.path("failed").asLong()).as(line.toString()).isZero();
        }
    }
}
