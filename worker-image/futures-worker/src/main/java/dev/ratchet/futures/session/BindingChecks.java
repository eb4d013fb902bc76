/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.session;

import dev.ratchet.environment.Environment;
import dev.ratchet.environment.GuardedCallbacks;
import dev.ratchet.protocol.sessions.v1.SessionRecord;
import dev.ratchet.protocol.sessions.v1.SessionState;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the checks of sessions run that were bound again, once for each binding. Safe for use by several threads; nothing
 * is called under its lock, so it may be called under the lock of others.
 */
final class BindingChecks {

    private static final Logger LOG = LoggerFactory.getLogger(BindingChecks.class);

    private static final long RETRY_MILLIS = 200;

    /** Tries to run the check of a session, each after twice as long as the one before: for 25 s. */
    private static final int TRIES_MAX = 7;

    /** Whose code the checks are. */
    interface Sessions {

        /** Says that code of a session begins to run; false if it must not. */
        boolean begin(UUID id);

        /** Says that code that has begun has ended. */
        void finished(UUID id);

        /** Has a session fail, for this reason. */
        void veto(UUID id, String message);
    }

    private final Environment environment;
    private final StateCheckRunner runner;
    private final Sessions sessions;
    /** The binding whose check has begun, by session; and those that have passed. */
    private final Map<UUID, Long> checking = new HashMap<>();

    private final Map<UUID, Long> passed = new HashMap<>();

    BindingChecks(Environment environment, StateCheckRunner runner, Sessions sessions) {
        this.environment = environment;
        this.runner = runner;
        this.sessions = sessions;
    }

    /** The sessions whose check has said that they may go on, with the token of the binding that it looked at. */
    synchronized Map<UUID, Long> passed() {
        return Map.copyOf(passed);
    }

    /** Forgets all but these. */
    synchronized void retain(Map<UUID, SessionRecord> held) {
        checking.keySet().retainAll(held.keySet());
        passed.keySet().removeIf(id -> {
            SessionRecord session = held.get(id);
            return session == null || !session.getChecking();
        });
    }

    /** Has the check of a session run, if it has one and this binding of it none yet. */
    void check(UUID id, SessionRecord session) {
        // One that still waits for the seat is not bound to this incarnation yet.
        if (session.getChecking()
                && session.getState() != SessionState.SESSION_STATE_FAILED
                && session.getState() != SessionState.SESSION_STATE_SUSPENDED
                && isNew(id, session)) {
            run(id, session, 1);
        }
    }

    private synchronized boolean isNew(UUID id, SessionRecord session) {
        Long before = checking.put(id, session.getToken());
        return before == null || before != session.getToken();
    }

    /** Where none of its code may begin just now the next round begins it. */
    private void run(UUID id, SessionRecord session, int tries) {
        if (!sessions.begin(id)) {
            synchronized (this) {
                checking.remove(id, session.getToken());
            }
            return;
        }
        GuardedCallbacks.begin(() -> runner.run(id, session)).whenComplete((veto, failure) -> {
            if (failure != null && tries < TRIES_MAX) {
                LOG.warn("the check of a session can not be run, trying again session={}", id, failure);
                var unused = environment.schedule(RETRY_MILLIS << tries, () -> again(id, session, tries + 1));
            } else if (failure != null) {
                sessions.veto(
                        id,
                        "the check of what is left after the restart could not be run in " + tries + " tries: "
                                + failure);
            } else if (veto.isPresent()) {
                sessions.veto(id, veto.get());
            } else {
                synchronized (this) {
                    passed.put(id, session.getToken());
                }
            }
            sessions.finished(id);
        });
    }

    /** Unless the session is over or bound anew. */
    private void again(UUID id, SessionRecord session, int tries) {
        boolean current;
        synchronized (this) {
            current = checking.getOrDefault(id, 0L) == session.getToken();
        }
        if (current) {
            run(id, session, tries);
        }
    }
}
