/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.circuit;

import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * The threads of a circuit: the caller's and as many more as are wanted, parked between steps. One piece of work at a
 * time is run by all of them.
 */
final class Team implements AutoCloseable {

    /** What each thread does, told by its number. */
    @FunctionalInterface
    interface Work {
        void run(int party);
    }

    private final StepBarrier gate;
    private final StepBarrier inner;
    private volatile @Nullable Work work;
    private volatile @Nullable Throwable failure;

    Team(int size, ThreadFactory threads) {
        gate = new StepBarrier(size);
        inner = new StepBarrier(size);
        for (int party = 1; party < size; party++) {
            int number = party;
            threads.newThread(() -> serve(number)).start();
        }
    }

    /** Where the threads meet within a piece of work. */
    StepBarrier barrier() {
        return inner;
    }

    /** Runs the work on all threads and returns when all are done; throws what the first of them threw. */
    void run(Work wanted) {
        work = wanted;
        gate.await(0);
        guarded(wanted, 0);
        gate.await(0);
        Throwable thrown = failure;
        if (thrown instanceof Error error) {
            throw error;
        }
        if (thrown != null) {
            throw (RuntimeException) thrown;
        }
    }

    @Override
    public void close() {
        work = null;
        gate.await(0);
    }

    private void serve(int party) {
        while (true) {
            gate.await(party);
            Work wanted = work;
            if (wanted == null) {
                return;
            }
            guarded(wanted, party);
            gate.await(party);
        }
    }

    private void guarded(Work wanted, int party) {
        try {
            wanted.run(party);
        } catch (StepBarrier.BrokenException e) {
            // The worker thread that broke the barrier has said why.
        } catch (RuntimeException | Error e) {
            synchronized (this) {
                failure = failure == null ? e : failure;
            }
            inner.fail();
        }
    }
}
