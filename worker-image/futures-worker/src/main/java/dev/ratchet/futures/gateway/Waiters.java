/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.gateway;

import dev.ratchet.client.FutureId;
import dev.ratchet.environment.GuardedCallbacks;
import dev.ratchet.futures.model.BlockIds;
import dev.ratchet.futures.settle.OutcomeListener;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which of this worker's clients waits for which future, in memory: a client whose worker is lost asks again elsewhere.
 * Each waiter is told once of a future by itself, and of those in blocks until it has all. Safe for use by several
 * threads.
 */
public final class Waiters implements OutcomeListener {

    private final Map<FutureId, Set<OutcomeListener>> waiters = new HashMap<>();

    /** Tells {@code waiter} when the future is done; of one in a block, of all that happens to that. */
    public synchronized void add(FutureId id, OutcomeListener waiter) {
        waiters.computeIfAbsent(BlockIds.sentAs(id), unused -> new LinkedHashSet<>())
                .add(waiter);
    }

    /** Says that a waiter needs to know nothing more of a future or a block. */
    synchronized void remove(FutureId sentAs, OutcomeListener waiter) {
        waiters.computeIfPresent(sentAs, (id, waiting) -> waiting.remove(waiter) && waiting.isEmpty() ? null : waiting);
    }

    /** Forgets a waiter altogether. */
    public synchronized void remove(OutcomeListener waiter) {
        waiters.values().removeIf(waiting -> waiting.remove(waiter) && waiting.isEmpty());
    }

    /** How many futures and blocks somebody waits for. */
    public synchronized int size() {
        return waiters.size();
    }

    @Override
    public void done(FutureId id, FutureRecord record) {
        List<OutcomeListener> waiting;
        synchronized (this) {
            FutureId sentAs = BlockIds.sentAs(id);
            Set<OutcomeListener> found = BlockIds.isBlock(sentAs) ? waiters.get(sentAs) : waiters.remove(id);
            waiting = found == null ? List.of() : List.copyOf(found);
        }
        GuardedCallbacks.each("telling a client of an outcome", waiting, waiter -> waiter.done(id, record));
    }
}
