/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.engine;

import dev.ratchet.store.transaction.CommitOutcome;
import dev.ratchet.store.transaction.Limits;
import dev.ratchet.store.transaction.RequestId;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What became of named commits: committed where, or refused for ever because somebody asked before they came. Kept for
 * {@link Limits#REQUEST_ID_RETENTION_MILLIS}, or a quarter longer, and at most {@value #ENTRIES_MAX} of them.
 *
 * <p>Kept by slices of time: forgetting drops a whole one, and a checkpoint takes the slices as they are, which nobody
 * changes any more, so that commits do not wait while a million entries are copied. For one thread at a time.
 */
final class RequestOutcomes {

    private static final int ENTRIES_MAX = 1_000_000;
    private static final int SLICES = 4;
    private static final long RETENTION_NANOS = Limits.REQUEST_ID_RETENTION_MILLIS * 1_000_000;
    /** Stands for a commit that will never happen. */
    private static final CommitOutcome REFUSED = new CommitOutcome(-1, -1);

    private final ArrayDeque<Slice> newestFirst = new ArrayDeque<>();
    private int entries;

    private static final class Slice {
        final Map<RequestId, CommitOutcome> outcomes = new HashMap<>();
        final long begunNanos;
        long lastNanos;
        boolean sealed;

        Slice(long nanoTime) {
            begunNanos = nanoTime;
        }

        boolean takesMore(long nanoTime) {
            return !sealed
                    && outcomes.size() < ENTRIES_MAX / SLICES
                    && nanoTime - begunNanos < RETENTION_NANOS / SLICES;
        }
    }

    private @Nullable CommitOutcome find(RequestId id) {
        for (Slice slice : newestFirst) {
            CommitOutcome outcome = slice.outcomes.get(id);
            if (outcome != null) {
                return outcome;
            }
        }
        return null;
    }

    /** Whether this commit has been decided already. */
    boolean isDecided(RequestId id) {
        return find(id) != null;
    }

    /** Where it was committed; null when it is unknown or refused. */
    @Nullable
    CommitOutcome outcome(RequestId id) {
        CommitOutcome outcome = find(id);
        return REFUSED.equals(outcome) ? null : outcome;
    }

    /** Notes a commit that was not decided before. */
    void committed(RequestId id, CommitOutcome outcome, long nanoTime) {
        Slice newest = newestFirst.peekFirst();
        if (newest == null || !newest.takesMore(nanoTime)) {
            newest = new Slice(nanoTime);
            newestFirst.addFirst(newest);
        }
        newest.outcomes.put(id, outcome);
        newest.lastNanos = nanoTime;
        entries++;
        expire(nanoTime);
    }

    /** From now on this commit, which was not decided before, can not happen. */
    void refuse(RequestId id, long nanoTime) {
        committed(id, REFUSED, nanoTime);
    }

    /** Collects, in any thread, those that are committed now and still remembered. */
    Supplier<Map<RequestId, CommitOutcome>> committed() {
        Slice newest = newestFirst.peekFirst();
        if (newest != null) {
            newest.sealed = true;
        }
        List<Map<RequestId, CommitOutcome>> sealed =
                newestFirst.stream().map(slice -> slice.outcomes).toList();
        return () -> {
            Map<RequestId, CommitOutcome> committed = new HashMap<>();
            sealed.forEach(committed::putAll);
            committed.values().removeIf(REFUSED::equals);
            return committed;
        };
    }

    private void expire(long nanoTime) {
        Slice oldest = newestFirst.getLast();
        while (nanoTime - oldest.lastNanos > RETENTION_NANOS || entries > ENTRIES_MAX) {
            entries -= oldest.outcomes.size();
            newestFirst.removeLast();
            oldest = newestFirst.getLast();
        }
    }
}
