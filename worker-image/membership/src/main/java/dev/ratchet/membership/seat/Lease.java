/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.seat;

import dev.ratchet.environment.Environment;
import dev.ratchet.membership.LeaseSettings;

/**
 * Until when the seat may be used without a further renewal. Counted from before the successful heartbeat was sent, so
 * it is over here before anybody else may think so. A monotonic clock that stood still while the machine was suspended
 * shows as a wall clock that ran ahead: then nothing new is begun until a heartbeat has proved the seat, and where the
 * wall clock says that the lease is over it lasts half as long by the monotonic one. A wall clock that jumps ends
 * nothing while heartbeats succeed. Safe for use by several threads.
 */
final class Lease {

    private static final long SUSPENSION_MILLIS = 1_000;
    private static final Renewal NEVER = new Renewal(0, 0);

    private final LeaseSettings settings;
    private final Environment environment;
    private volatile Renewal last = NEVER;
    private volatile long marginNanos;

    /** Both clocks at the start of the last successful heartbeat. */
    record Renewal(long nanos, long wallMillis) {}

    Lease(LeaseSettings settings, Environment environment) {
        this.settings = settings;
        this.environment = environment;
    }

    /** The clocks now; take it before sending. */
    Renewal begin() {
        return new Renewal(environment.nanoTime(), environment.wallClockMillis());
    }

    /** The heartbeat that began then has succeeded. */
    void renewed(Renewal begun) {
        assert last.equals(NEVER) || begun.nanos() - last.nanos() >= 0 : "a lease is renewed by an older heartbeat";
        marginNanos = environment.nanoTime() - validUntilNanos() < 0 ? validUntilNanos() - environment.nanoTime() : 0;
        last = begun;
    }

    /** What was left when it was last renewed; 0 before the second renewal. */
    long marginNanos() {
        return marginNanos;
    }

    long validUntilNanos() {
        return last.nanos() + settings.workerTtlMillis() * 1_000_000;
    }

    /**
     * By the wall clock only where half of the time, in which two heartbeats begin, has brought no proof of the seat.
     */
    boolean isOver() {
        Renewal renewal = last;
        long monotonicMillis = (environment.nanoTime() - renewal.nanos()) / 1_000_000;
        long wallMillis = environment.wallClockMillis() - renewal.wallMillis();
        long ttlMillis = settings.workerTtlMillis();
        return monotonicMillis >= ttlMillis || (wallMillis >= ttlMillis && monotonicMillis >= ttlMillis / 2);
    }

    /** True if the machine seems to have been suspended since the last renewal. */
    boolean isDoubtful() {
        Renewal renewal = last;
        long monotonicMillis = (environment.nanoTime() - renewal.nanos()) / 1_000_000;
        return environment.wallClockMillis() - renewal.wallMillis() - monotonicMillis > SUSPENSION_MILLIS;
    }
}
