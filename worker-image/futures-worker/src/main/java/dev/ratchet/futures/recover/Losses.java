/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.recover;

import dev.ratchet.environment.Environment;
import dev.ratchet.membership.Liveness;
import dev.ratchet.membership.Member;
import dev.ratchet.membership.WorkerState;

/** How probably a worker is lost within the next hour, by the deaths that this one has seen. Thread-safe. */
final class Losses {

    /** Where no death was seen: one in 1,000 hours. */
    private static final double UNSEEN = 0.001;

    private static final double NANOS_PER_HOUR = 3_600e9;

    private final Environment environment;
    private final Liveness liveness;
    private double recent;
    private long countedNanos;

    Losses(Environment environment, Liveness liveness) {
        this.environment = environment;
        this.liveness = liveness;
        this.countedNanos = environment.nanoTime();
    }

    synchronized void died() {
        recent = recent() + 1;
        countedNanos = environment.nanoTime();
    }

    /** Deaths count less the longer ago they are, so that the sum is what an hour like the present ones brings. */
    private double recent() {
        return recent * Math.exp((countedNanos - environment.nanoTime()) / NANOS_PER_HOUR);
    }

    /** Between 0 and 1. */
    synchronized double probability() {
        long workers = liveness.latest().stream()
                .filter(Member::isPresent)
                .filter(member -> member.state() == WorkerState.HEALTHY)
                .count();
        return Math.min(1, UNSEEN + recent() / Math.max(1, workers));
    }
}
