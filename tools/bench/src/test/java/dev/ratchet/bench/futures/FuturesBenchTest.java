/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.futures;

import dev.ratchet.bench.BenchRun;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The benchmark itself works on processes of its own. Says nothing of speed. */
class FuturesBenchTest {

    @TempDir
    Path directory;

    @Test
    void callsSucceedOnAStoreAndAWorkerOfTheirOwn() throws Exception {
        BenchRun.succeeds(
                new FuturesBench(),
                directory,
                8,
                "--quick",
                "--millis=20",
                "--together=200",
                "--workers=1",
                "--on=NO_FSYNC",
                "--rows=CALLS,COMMIT,CLAIMS",
                "--no-peers");
    }
}
