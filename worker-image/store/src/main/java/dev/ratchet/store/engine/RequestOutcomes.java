/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.engine;

import dev.ratchet.store.transaction.CommitOutcome;
import dev.ratchet.store.transaction.Limits;
import dev.ratchet.store.transaction.RequestId;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What became of named commits: committed where, or refused for ever because somebody asked before they came. Kept for
 * {@link Limits#REQUEST_ID_RETENTION_MILLIS}, and at most {@value #ENTRIES_MAX} of them. For one thread at a time.
 */
final class RequestOutcomes {

    private static final int ENTRIES_MAX = 1_000_000;

    private final LinkedHashMap<RequestId, Entry> entries = new LinkedHashMap<>();

    /** {@code outcome}: null when refused. */
    private record Entry(@Nullable CommitOutcome outcome, long nanoTime) {}

    /** Whether this commit has been decided already. */
    boolean isDecided(RequestId id) {
        return entries.containsKey(id);
    }

    /** Where it was committed; null when it is unknown or refused. */
    @Nullable
    CommitOutcome outcome(RequestId id) {
        Entry entry = entries.get(id);
        return entry == null ? null : entry.outcome;
    }

    /** Notes a commit. */
    void committed(RequestId id, CommitOutcome outcome, long nanoTime) {
        entries.put(id, new Entry(outcome, nanoTime));
        expire(nanoTime);
    }

    /** From now on this commit can not happen. */
    void refuse(RequestId id, long nanoTime) {
        entries.put(id, new Entry(null, nanoTime));
        expire(nanoTime);
    }

    /** Those that were committed and are still remembered. */
    Map<RequestId, CommitOutcome> committed() {
        Map<RequestId, CommitOutcome> committed = new HashMap<>();
        entries.forEach((id, entry) -> {
            if (entry.outcome != null) {
                committed.put(id, entry.outcome);
            }
        });
        return committed;
    }

    private void expire(long nanoTime) {
        long oldest = nanoTime - Limits.REQUEST_ID_RETENTION_MILLIS * 1_000_000;
        Iterator<Entry> eldest = entries.values().iterator();
        while (eldest.hasNext() && (eldest.next().nanoTime < oldest || entries.size() > ENTRIES_MAX)) {
            eldest.remove();
        }
    }
}
