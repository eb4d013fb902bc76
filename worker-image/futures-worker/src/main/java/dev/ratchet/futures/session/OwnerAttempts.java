/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.session;

import com.apple.foundationdb.ReadTransaction;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.State;
import dev.ratchet.protocol.sessions.v1.SessionRecord;
import dev.ratchet.protocol.sessions.v1.SessionState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * Tells which open sessions belong to attempts at tasks that are over: their outcome is recorded, or their claim was
 * given back, cancelled or taken over. The claim in the record of the task says so, whatever has ended it. Immutable.
 */
final class OwnerAttempts {

    /**
     * A short task may run before it is recorded; one that opens a session and goes on is recorded long before this.
     */
    private static final long UNRECORDED_MILLIS = 10_000;

    /** Attempts that one transaction looks at. */
    private static final int PAGE = 1_000;

    private final FutureStore store;

    OwnerAttempts(FutureStore store) {
        this.store = store;
    }

    /** Whether a session ends with an attempt that may end before it. */
    static boolean isOwned(SessionRecord session) {
        return session.hasOwnerClaim() && session.getState() == SessionState.SESSION_STATE_OPEN;
    }

    /** Those of these sessions whose attempts are over. */
    CompletableFuture<List<UUID>> over(Map<UUID, SessionRecord> sessions) {
        return over(List.copyOf(sessions.entrySet()), 0, new ArrayList<>());
    }

    private CompletableFuture<List<UUID>> over(
            List<Map.Entry<UUID, SessionRecord>> sessions, int from, List<UUID> before) {
        int to = Math.min(sessions.size(), from + PAGE);
        return over(sessions.subList(from, to)).thenCompose(found -> {
            before.addAll(found);
            return to == sessions.size() ? CompletableFuture.completedFuture(before) : over(sessions, to, before);
        });
    }

    private CompletableFuture<List<UUID>> over(List<Map.Entry<UUID, SessionRecord>> some) {
        return store.read(transaction -> SessionGrants.together(some.stream()
                        .map(one -> isOver(transaction, one.getValue())
                                .thenApply(over -> over ? Optional.of(one.getKey()) : Optional.<UUID>empty()))
                        .toList())
                .thenApply(found -> found.stream().flatMap(Optional::stream).toList()));
    }

    private CompletableFuture<Boolean> isOver(ReadTransaction transaction, SessionRecord session) {
        return store.keys()
                .record(transaction, Ids.of(session.getOwnerFuture()))
                .thenApply(found -> found.map(task -> isOver(task, session)).orElseGet(() -> isOld(session)));
    }

    private static boolean isOver(FutureRecord task, SessionRecord session) {
        return task.getState() != State.STATE_CLAIMED || !task.getClaim().equals(session.getOwnerClaim());
    }

    private boolean isOld(SessionRecord session) {
        return session.getOpenedWallMillis() + UNRECORDED_MILLIS
                < store.environment().wallClockMillis();
    }
}
