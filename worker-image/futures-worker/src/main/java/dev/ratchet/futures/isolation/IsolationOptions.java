/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.isolation;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * How a worker runs isolated tasks.
 *
 * @param javaOptions of their processes; what they leave open is for the JVM to choose
 * @param graceMillis how long a process may take to end after TERM, before KILL
 * @param suspendedMax processes that wait for other futures while further tasks get processes of their own; with more
 *     than that, tasks run in those that wait
 * @param sharedMemory a folder of this worker in a file system in memory, through which large values are shared; none:
 *     they are copied through files
 */
public record IsolationOptions(
        List<String> javaOptions, long graceMillis, int suspendedMax, Optional<Path> sharedMemory) {

    /** A heap of 256 MiB, five seconds, 16 processes, nothing shared. */
    public static final IsolationOptions DEFAULT =
            new IsolationOptions(List.of("-Xmx256m", "-XX:+UseSerialGC"), 5_000, 16, Optional.empty());

    /** Longest grace: a process that was told to end must be gone before its worker is taken for stuck. */
    public static final long GRACE_MILLIS_MAX = 25_000;

    public IsolationOptions {
        javaOptions = List.copyOf(javaOptions);
        if (graceMillis < 0 || graceMillis > GRACE_MILLIS_MAX || suspendedMax < 0) {
            throw new IllegalArgumentException("A process has 0 to " + GRACE_MILLIS_MAX
                    + " ms to end, and at least 0 may be suspended, not graceMillis=" + graceMillis + " suspendedMax="
                    + suspendedMax);
        }
    }

    /** These, with large values shared through {@code folder}. */
    public IsolationOptions sharing(Optional<Path> folder) {
        return new IsolationOptions(javaOptions, graceMillis, suspendedMax, folder);
    }
}
