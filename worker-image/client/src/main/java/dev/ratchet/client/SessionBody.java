/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

/** What is done with a session. Runs in the program that asks; its tasks run on the worker of the session. */
@FunctionalInterface
public interface SessionBody<T> {

    /**
     * Uses the session.
     *
     * @throws Exception whatever goes wrong; the session is closed all the same
     */
    T run(Session session) throws Exception;
}
