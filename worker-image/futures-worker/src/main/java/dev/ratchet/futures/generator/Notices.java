/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.generator;

import dev.ratchet.client.FutureId;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** Whom in this process to tell that there may be something new about a future. Safe for use by several threads. */
final class Notices {

    private final Map<FutureId, Set<Runnable>> listeners = new HashMap<>();

    synchronized void add(FutureId id, Runnable listener) {
        listeners.computeIfAbsent(id, unused -> new LinkedHashSet<>()).add(listener);
    }

    synchronized void remove(FutureId id, Runnable listener) {
        listeners.computeIfPresent(id, (unused, all) -> all.remove(listener) && all.isEmpty() ? null : all);
    }

    /** Tells all who listen now. */
    void tell(FutureId id) {
        Set<Runnable> told;
        synchronized (this) {
            told = new LinkedHashSet<>(listeners.getOrDefault(id, Set.of()));
        }
        told.forEach(Runnable::run);
    }
}
