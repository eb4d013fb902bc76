/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.engine;

import dev.ratchet.environment.Turn;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/**
 * Tells many what they wait for. Some tasks take from what is left, each several in one {@link Turn}: far fewer
 * hand-overs than one for each, and a callback that blocks delays nobody.
 */
final class Tellers {

    private static final int TOLD_BY_ONE = 8;
    private static final int TELLERS_MAX = 16;

    private Tellers() {}

    /** Calls {@code tell} with 0 to {@code count}, exclusive, on the executor. */
    static void tell(int count, IntConsumer tell, Executor executor) {
        if (count == 0) {
            return;
        }
        AtomicInteger next = new AtomicInteger();
        Runnable some = () -> Turn.run(() -> {
            for (int i = next.getAndIncrement(); i < count; i = next.getAndIncrement()) {
                tell.accept(i);
            }
        });
        for (int i = 0; i < Math.clamp(count / TOLD_BY_ONE, 1, TELLERS_MAX); i++) {
            executor.execute(some);
        }
    }
}
