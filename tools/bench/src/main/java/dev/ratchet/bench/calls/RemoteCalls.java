/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.calls;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A system that runs calls in other processes than that of the caller. Safe for use by several threads. */
public interface RemoteCalls extends AutoCloseable {

    /** What it is, with the settings that matter, as it stands in reports. */
    String title();

    /** Calls code that returns its argument; completes when the result is here. */
    CompletableFuture<Integer> call(int number);

    /** The same by one caller who waits for the result. */
    default int callAndWait(int number) throws Exception {
        return call(number).join();
    }

    /**
     * Calls the same code with each number from 0 on; completes when all results are here, or fails if one is wrong.
     */
    default CompletableFuture<?> callAll(int count) {
        List<CompletableFuture<Integer>> all = new ArrayList<>(count);
        for (int number = 0; number < count; number++) {
            all.add(call(number));
        }
        return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).thenRun(() -> {
            for (int number = 0; number < count; number++) {
                if (all.get(number).join() != number) {
                    throw new IllegalStateException("The call of " + number + " has returned "
                            + all.get(number).join());
                }
            }
        });
    }

    /** So many calls each of which takes the result of the one before; completes with the last. */
    default CompletableFuture<Integer> chain(int length) {
        CompletableFuture<Integer> last = call(0);
        for (int i = 1; i < length; i++) {
            last = last.thenCompose(before -> call(before + 1));
        }
        return last;
    }

    /** How many calls may be under way at most. */
    default int underWayMax() {
        return Integer.MAX_VALUE;
    }

    /** Processor time of all processes but this one so far. */
    long otherCpuNanos();

    @Override
    void close() throws Exception;
}
