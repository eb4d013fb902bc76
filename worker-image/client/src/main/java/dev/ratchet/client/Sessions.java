/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Sessions: a session has slots of named resources on one worker, which nobody else has meanwhile, and its futures run
 * on that worker and nowhere else. For what lives in one process or on one machine: files that one task leaves for the
 * next, a model in the memory of a GPU, a service. May be used by several threads.
 */
public interface Sessions {

    /**
     * Waits for the slots that a session needs, behind those that have asked before with the same priority and that are
     * served by the same workers. Unless it is {@linkplain SessionOptions#withDetachment() detached}, the session ends
     * with the program that opens it; one that a task opens ends with this attempt at the task.
     *
     * @return the open session, to be closed by the caller
     * @throws SessionCreationTimeoutException if the slots were not free in time
     * @throws InvalidInputException if no worker has such slots, or the calling task runs in a session that is open
     */
    Session open(SessionOptions options) throws InterruptedException;

    /**
     * A session that somebody else has opened. Nothing is asked of the cluster until it is used.
     *
     * @param reference says whether it may be closed, too
     */
    Session attach(SessionRef reference);

    /**
     * Takes a session over: opens another one that has the very slots of the former, which nobody else can take in
     * between. The former takes no futures from now on; who submits some to it is told by
     * {@link SessionHandedOverException}. The other one is open once none of the former's code runs any more.
     *
     * @param former permits to {@linkplain SessionRef.Access#OWN own} the session, which is open
     * @param mode whether the futures of the former are waited for or cancelled
     * @param options of the new session, without slots
     * @return the open session, to be closed by the caller
     * @throws SessionCreationTimeoutException if the former's code did not end in time; its slots are free after that
     * @throws SessionFailedException if the worker was lost meanwhile
     * @throws InvalidInputException if the former is not open, or may not be handed over by this reference
     */
    Session handOver(SessionRef former, Session.CloseMode mode, SessionOptions options) throws InterruptedException;

    /**
     * Runs a function in a session that is opened for it, and closed after it. Where the session fails, it is run again
     * from its beginning in another session.
     *
     * @param attempts how many sessions to try, at least 1
     * @return what the function returns
     * @throws SessionFailedException if the last session has failed, too
     * @throws Exception what the function throws otherwise
     */
    default <T> T run(SessionOptions options, int attempts, SessionBody<T> body) throws Exception {
        if (attempts < 1) {
            throw new InvalidInputException("A function is run in at least 1 session, not in " + attempts + ".");
        }
        for (int attempt = 1; ; attempt++) {
            try (Session session = open(options)) {
                return body.run(session);
            } catch (SessionFailedException failed) {
                if (attempt == attempts) {
                    throw failed;
                }
            }
        }
    }

    /** What is known of a session; absent if nothing is. What is over is known for ten minutes. */
    Optional<SessionInfo> describe(UUID id);

    /** The sessions of the cluster that are not over, in no order that means anything. */
    Stream<SessionInfo> list();
}
