/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.start;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** What Linux counts of the children of this process that have ended, to 10 ms. The JDK does not tell. */
final class EndedChildren {

    private static final Path STATISTICS = Path.of("/proc/self/stat");
    /** In the text behind the name of the process, which may hold blanks: proc_pid_stat(5), cutime and cstime. */
    private static final int USER_TICKS = 13;

    private static final long TICK_MILLIS = 10;

    private EndedChildren() {}

    static Duration processorTime() throws IOException {
        String line = Files.readString(STATISTICS);
        String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
        long ticks = Long.parseLong(fields[USER_TICKS]) + Long.parseLong(fields[USER_TICKS + 1]);
        return Duration.ofMillis(ticks * TICK_MILLIS);
    }
}
