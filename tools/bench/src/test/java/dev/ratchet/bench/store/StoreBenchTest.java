/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.store;

import dev.ratchet.bench.BenchRun;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The benchmark itself works: every workload succeeds in process and over loopback. Says nothing of speed. */
class StoreBenchTest {

    @TempDir
    Path directory;

    @Test
    void everyWorkloadSucceedsInProcessAndOverLoopback() throws Exception {
        BenchRun.succeeds(
                new StoreBench(),
                directory,
                13,
                "--on=MEMORY,LOOPBACK_NO_FSYNC",
                "--clients=2",
                "--millis=20",
                "--warm-up=20",
                "--quick",
                "--workload=READ,UPDATE,SET,UPDATE_TEN,HOT_ADD,RANGE",
                "--rows=2000");
    }
}
