/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.gateway;

import dev.ratchet.client.FutureId;
import dev.ratchet.futures.work.OutcomeListener;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Which of this worker's clients waits for which future, in memory: a client whose worker is lost asks again elsewhere.
 * Each waiter is told once. Safe for use by several threads.
 */
public final class Waiters implements OutcomeListener {

    private final Map<FutureId, Set<OutcomeListener>> waiters = new HashMap<>();

    /** Tells {@code waiter} when the future is done. */
    public synchronized void add(FutureId id, OutcomeListener waiter) {
        waiters.computeIfAbsent(id, unused -> new LinkedHashSet<>()).add(waiter);
    }

    /** Forgets a waiter altogether. */
    public synchronized void remove(OutcomeListener waiter) {
        waiters.values().removeIf(waiting -> waiting.remove(waiter) && waiting.isEmpty());
    }

    /** How many futures somebody waits for. */
    public synchronized int size() {
        return waiters.size();
    }

    @Override
    public void done(FutureId id, FutureRecord record) {
        Set<OutcomeListener> waiting;
        synchronized (this) {
            waiting = waiters.remove(id);
        }
        if (waiting != null) {
            waiting.forEach(waiter -> waiter.done(id, record));
        }
    }
}
