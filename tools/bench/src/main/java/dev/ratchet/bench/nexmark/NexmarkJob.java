/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.nexmark;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * One query over some changes, and when the engine began to read them: what it needs before that, to compile and to
 * start, is not counted. Safe for use by several threads.
 */
public final class NexmarkJob {

    private final NexmarkQuery query;
    private final byte[] changes;
    private final int threads;
    private final boolean retractions;
    private boolean begun;
    private long beganNanos;
    private long beganCpuNanos;

    NexmarkJob(NexmarkQuery query, byte[] changes, int threads, boolean retractions) {
        this.query = query;
        this.changes = changes;
        this.threads = threads;
        this.retractions = retractions;
    }

    public NexmarkQuery query() {
        return query;
    }

    /** What {@link NexmarkChangeReader} goes through. */
    public byte[] changes() {
        return changes;
    }

    public int threads() {
        return threads;
    }

    /** Whether some changes take rows back. */
    public boolean retractions() {
        return retractions;
    }

    /** The engine reads its first change; only the first call counts. */
    public synchronized void begins() {
        if (!begun) {
            begun = true;
            beganNanos = System.nanoTime();
            beganCpuNanos = cpuNanos();
        }
    }

    synchronized double seconds() {
        return (System.nanoTime() - beganNanos) / 1e9;
    }

    synchronized double cpuSeconds() {
        return (cpuNanos() - beganCpuNanos) / 1e9;
    }

    private static long cpuNanos() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }
}
