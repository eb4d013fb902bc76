/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.seat;

import dev.ratchet.environment.Environment;
import org.jspecify.annotations.Nullable;

/**
 * The newest version at which this process has read that it may work, as long as the store still knows what was written
 * since: a transaction at that version which conflicts with the same keys is as good as one that reads them again. Safe
 * for use by several threads.
 */
final class LastRead {

    /** The store knows five seconds of conflicts; the rest is for the commit's way there. */
    private static final long AGE_NANOS_MAX = 3_000_000_000L;

    private record Read(long version, long beganNanos) {}

    private final Environment environment;
    private volatile @Nullable Read latest;

    LastRead(Environment environment) {
        this.environment = environment;
    }

    /** Remembers a read that began at {@code beganNanos} on the environment's clock. */
    synchronized void at(long version, long beganNanos) {
        Read known = latest;
        if (known == null || known.version() < version) {
            latest = new Read(version, beganNanos);
        }
    }

    /** The version; -1 where it is too old. */
    long version() {
        Read known = latest;
        return known == null || environment.nanoTime() - known.beganNanos() > AGE_NANOS_MAX ? -1 : known.version();
    }
}
