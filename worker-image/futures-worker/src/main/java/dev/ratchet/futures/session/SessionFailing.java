/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.session;

import dev.ratchet.client.FutureId;
import dev.ratchet.futures.model.SessionIds;
import dev.ratchet.protocol.sessions.v1.SessionFailureReason;
import dev.ratchet.protocol.sessions.v1.SessionRecord;
import dev.ratchet.protocol.sessions.v1.SessionState;

/**
 * Why a session fails, as a reason that programs tell apart and as words for people: the one place where both are
 * chosen.
 */
record SessionFailing(SessionFailureReason reason, String message) {

    /** What the session becomes. */
    SessionRecord of(SessionRecord session, long nowMillis) {
        return session.toBuilder()
                .setState(SessionState.SESSION_STATE_FAILED)
                .setReason(reason)
                .setMessage(message)
                .setEndedWallMillis(nowMillis)
                .build();
    }

    /** The program that it ends with is gone. */
    static SessionFailing ownerLost() {
        return new SessionFailing(
                SessionFailureReason.SESSION_FAILURE_REASON_OWNER_LOST,
                "the program that opened it has disconnected, or was not heard of for the time of its lease, and the"
                        + " session is not detached.");
    }

    /** The attempt at a task that it ends with is over. */
    static SessionFailing attemptOver(FutureId task) {
        return new SessionFailing(
                SessionFailureReason.SESSION_FAILURE_REASON_OWNER_LOST,
                "the attempt at the task " + task + " that opened it is over, and the session is not detached.");
    }

    /** Whether a session that closes goes on with that: its owner has closed it and need not wait for it. */
    boolean spares(SessionRecord closing) {
        return reason == SessionFailureReason.SESSION_FAILURE_REASON_OWNER_LOST && !closing.getCancel();
    }

    /** Its worker leaves. */
    static SessionFailing drained(String seat) {
        return new SessionFailing(
                SessionFailureReason.SESSION_FAILURE_REASON_DRAINED,
                "its worker " + seat + " was drained, and it was not closed in time.");
    }

    /** It was open for too long. */
    static SessionFailing expired(SessionRecord session) {
        return new SessionFailing(
                SessionFailureReason.SESSION_FAILURE_REASON_EXPIRED,
                "it was open for " + session.getExecutionTimeoutMillis() + " ms, its execution timeout.");
    }

    /** Its own code does not find what it needs. */
    static SessionFailing stateLost(String message) {
        return new SessionFailing(SessionFailureReason.SESSION_FAILURE_REASON_STATE_LOST, message);
    }

    static SessionFailing storeRestored() {
        return new SessionFailing(
                SessionFailureReason.SESSION_FAILURE_REASON_STORE_RESTORED,
                "the store was restored from a backup since it was opened.");
    }

    /** Its worker is lost, and it waits for it no longer. */
    static SessionFailing notRebound(SessionRecord session, long nowMillis) {
        if (isExpired(session, nowMillis)) {
            return expired(session);
        }
        String lost = "its worker " + session.getSeat() + " (incarnation " + session.getIncarnation() + ") was lost";
        return new SessionFailing(
                SessionFailureReason.SESSION_FAILURE_REASON_WORKER_LOST,
                session.getState() == SessionState.SESSION_STATE_SUSPENDED
                        ? lost + ", and its seat was not taken again within " + session.getReestablishMillis() + " ms."
                        : lost + ".");
    }

    /** Its seat is taken again, on a host that has other slots. */
    static SessionFailing elsewhere(SessionRecord session, String host) {
        return new SessionFailing(
                SessionFailureReason.SESSION_FAILURE_REASON_WORKER_LOST,
                "its worker " + session.getSeat() + " (incarnation " + session.getIncarnation()
                        + ") was lost, and came back on the host " + host + ", which does not have the slots of the"
                        + " former host.");
    }

    /** Its seat is taken again, by a worker that is not as the session requires. */
    static SessionFailing otherTraits(SessionRecord session, WorkerTraits traits) {
        return new SessionFailing(
                SessionFailureReason.SESSION_FAILURE_REASON_WORKER_LOST,
                "its worker " + session.getSeat() + " (incarnation " + session.getIncarnation()
                        + ") was lost, and came back with the release " + traits.version() + " and the labels "
                        + traits.labels() + "; the session requires the slots "
                        + SessionDemands.told(session.getDemand()) + ".");
    }

    /** What it was to take over has failed. */
    static SessionFailing withFormer(SessionRecord waiting, SessionFailing former) {
        return new SessionFailing(
                former.reason(),
                "the session " + SessionIds.of(waiting.getPredecessor())
                        + ", whose slots it was to take over, ended first: " + former.message());
    }

    /** Whether an open session has reached its execution timeout. */
    static boolean isExpired(SessionRecord session, long nowMillis) {
        return expiryMillis(session) <= nowMillis;
    }

    /** When an open session reaches its execution timeout; never: {@link Long#MAX_VALUE}. */
    static long expiryMillis(SessionRecord session) {
        return session.getExecutionTimeoutMillis() == 0
                ? Long.MAX_VALUE
                : session.getOpenedWallMillis() + session.getExecutionTimeoutMillis();
    }
}
