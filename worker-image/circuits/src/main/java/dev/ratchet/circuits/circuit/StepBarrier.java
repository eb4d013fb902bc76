/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.circuit;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Where the threads of a circuit wait for each other: a few spins, then parked. What a thread wrote before is seen by
 * all behind it. A failure lets all go with an error, and the barrier can not be used again.
 */
final class StepBarrier {

    private static final int SPINS = 200;

    /** Thrown to the threads that did not fail themselves. */
    static final class BrokenException extends RuntimeException {
        private static final long serialVersionUID = 1;

        BrokenException() {
            super("another worker thread failed; its error says why", null, false, false);
        }
    }

    private final int parties;
    private final AtomicInteger arrived = new AtomicInteger();
    private final AtomicReferenceArray<@Nullable Thread> waiting;
    private volatile int phase;
    private volatile boolean broken;

    StepBarrier(int parties) {
        this.parties = parties;
        this.waiting = new AtomicReferenceArray<>(parties);
    }

    /** Waits until all parties are here. */
    void await(int party) {
        if (parties == 1) {
            return;
        }
        int before = phase;
        if (arrived.incrementAndGet() == parties) {
            arrived.set(0);
            phase = before + 1;
            wakeAll();
        } else {
            for (int spin = 0; phase == before && !broken && spin < SPINS; spin++) {
                Thread.onSpinWait();
            }
            waiting.set(party, Thread.currentThread());
            while (phase == before && !broken) {
                LockSupport.park(this);
            }
            waiting.set(party, null);
        }
        if (broken) {
            throw new BrokenException();
        }
    }

    /** Lets everybody go, now and later. */
    void fail() {
        broken = true;
        wakeAll();
    }

    private void wakeAll() {
        for (int party = 0; party < parties; party++) {
            Thread thread = waiting.get(party);
            if (thread != null) {
                LockSupport.unpark(thread);
            }
        }
    }
}
