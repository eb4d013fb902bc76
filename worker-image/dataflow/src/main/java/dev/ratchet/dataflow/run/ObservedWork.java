/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.run;

import dev.ratchet.dataflow.CircuitWork;
import dev.ratchet.dataflow.follow.Signal;
import dev.ratchet.environment.Environment;

/**
 * What a run has done, for whoever watches. Counting what operators remember takes longer than a small step, so it is
 * done once a second at most, between steps; after the last of them within a second. The thread of the run looks, any
 * may read.
 */
final class ObservedWork {

    private static final long PERIOD_MILLIS = 1_000;
    private static final long PERIOD_NANOS = 1_000_000 * PERIOD_MILLIS;

    private final Environment environment;
    private final Signal signal;
    private volatile CircuitWork work = CircuitWork.NONE;
    private long step;
    private long nanos;
    private boolean isWakeup;

    /** @param signal wakes the thread of the run */
    ObservedWork(Environment environment, Signal signal) {
        this.environment = environment;
        this.signal = signal;
    }

    CircuitWork latest() {
        return work;
    }

    void begin(OpenRun open) {
        observe(open);
    }

    void end() {
        work = CircuitWork.NONE;
    }

    /** Looks where that is due; otherwise has the thread woken when it is, before it waits. */
    void look(OpenRun open, boolean isIdle) {
        if (step == open.step()) {
            return;
        }
        if (environment.nanoTime() - nanos >= PERIOD_NANOS) {
            observe(open);
        } else if (isIdle && !isWakeup) {
            isWakeup = true;
            environment.schedule(PERIOD_MILLIS, signal::raise);
        }
    }

    private void observe(OpenRun open) {
        work = open.work();
        step = open.step();
        nanos = environment.nanoTime();
        isWakeup = false;
    }
}
