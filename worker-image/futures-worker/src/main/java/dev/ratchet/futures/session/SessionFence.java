/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.session;

import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.async.AsyncUtil;
import com.google.protobuf.ByteString;
import dev.ratchet.futures.model.Failures;
import dev.ratchet.futures.model.SessionIds;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.LoadedFuture;
import dev.ratchet.protocol.futures.v1.Failure;
import dev.ratchet.protocol.futures.v1.FailureKind;
import dev.ratchet.protocol.futures.v1.SessionBinding;
import dev.ratchet.protocol.sessions.v1.SessionRecord;
import dev.ratchet.protocol.sessions.v1.SessionState;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Tells which futures may be claimed, and which outcomes recorded, by their sessions: read with conflict in the
 * transaction that does so. Costs nothing where no future is of a session.
 */
public final class SessionFence {

    private final SessionKeys keys;

    public SessionFence(FutureKeys keys) {
        this.keys = new SessionKeys(keys);
    }

    /** The sessions of some futures, by id; absent where one is unknown. */
    public CompletableFuture<Map<ByteString, Optional<SessionRecord>>> sessions(
            ReadTransaction transaction, Collection<SessionBinding> bindings) {
        Map<ByteString, CompletableFuture<Optional<SessionRecord>>> reads = new LinkedHashMap<>();
        for (SessionBinding binding : bindings) {
            reads.computeIfAbsent(binding.getId(), id -> keys.record(transaction, SessionIds.of(id)));
        }
        return AsyncUtil.whenAll(reads.values()).thenApply(unused -> {
            Map<ByteString, Optional<SessionRecord>> found = new LinkedHashMap<>();
            reads.forEach((id, read) -> found.put(id, read.join()));
            return found;
        });
    }

    /** As {@link #sessions(ReadTransaction, Collection)}. */
    public CompletableFuture<Map<ByteString, Optional<SessionRecord>>> sessionsOf(
            ReadTransaction transaction, Collection<LoadedFuture> futures) {
        return sessions(
                transaction,
                futures.stream()
                        .filter(SessionFence::isOfSession)
                        .map(future -> future.record().getSchedulingSpec().getSession())
                        .toList());
    }

    /** Whether a future belongs to a session. */
    public static boolean isOfSession(LoadedFuture future) {
        return future.record().getSchedulingSpec().hasSession();
    }

    /** The session of a future that this incarnation of a seat may run; nothing where it must not. */
    public static Optional<SessionRecord> inForce(
            LoadedFuture future, Map<ByteString, Optional<SessionRecord>> sessions, String seat, long incarnation) {
        return sessions.getOrDefault(
                        future.record().getSchedulingSpec().getSession().getId(), Optional.empty())
                .filter(session ->
                        mayRun(session) && session.getSeat().equals(seat) && session.getIncarnation() == incarnation);
    }

    /** Whether a future is to wait where it is, because its session may go on, or is being looked at before it does. */
    public static boolean isSuspended(LoadedFuture future, Map<ByteString, Optional<SessionRecord>> sessions) {
        return sessions.getOrDefault(
                        future.record().getSchedulingSpec().getSession().getId(), Optional.empty())
                .filter(session -> session.getState() == SessionState.SESSION_STATE_SUSPENDED
                        || (session.getChecking() && mayRun(session)))
                .isPresent();
    }

    /** Whether the outcome of a claimed future may be recorded: its session is still bound as when it was claimed. */
    public static boolean mayRecord(LoadedFuture future, Map<ByteString, Optional<SessionRecord>> sessions) {
        SessionBinding binding = future.record().getSchedulingSpec().getSession();
        return sessions.getOrDefault(binding.getId(), Optional.empty())
                .filter(session -> mayRun(session) && session.getToken() == binding.getToken())
                .isPresent();
    }

    private static boolean mayRun(SessionRecord session) {
        return session.getState() == SessionState.SESSION_STATE_OPEN
                || (session.getState() == SessionState.SESSION_STATE_CLOSING && !session.getCancel());
    }

    /** Why a future of this session has no value. */
    public static Failure failure(Optional<SessionRecord> session, ByteString id) {
        String name = "The session " + SessionIds.of(id);
        if (session.isEmpty()) {
            return of(
                    "UNKNOWN",
                    name + " is not known in this cluster: it ended long ago, its reference is of another cluster,"
                            + " or that is not the right one.",
                    "");
        }
        SessionRecord record = session.get();
        String type = record.getState() == SessionState.SESSION_STATE_FAILED
                ? record.getReason().name()
                : record.getSuccessor().isEmpty() ? "CLOSED" : "HANDED_OVER";
        return of(type, told(record, name), record.getSeat());
    }

    /** Why a session takes no futures, as a sentence. */
    static String told(SessionRecord record, String name) {
        if (record.getState() == SessionState.SESSION_STATE_FAILED) {
            return name + " has failed: " + record.getMessage();
        }
        return record.getSuccessor().isEmpty()
                ? name + " is " + stateName(record) + " and takes no futures."
                : name + " was handed over to the session " + SessionIds.of(record.getSuccessor())
                        + " and takes no futures.";
    }

    private static String stateName(SessionRecord record) {
        return record.getState().name().replace("SESSION_STATE_", "").toLowerCase(Locale.ROOT);
    }

    private static Failure of(String type, String message, String seat) {
        return Failures.of(FailureKind.FAILURE_KIND_SESSION, SessionIds.FAILURE_TYPE + type, message, seat);
    }
}
