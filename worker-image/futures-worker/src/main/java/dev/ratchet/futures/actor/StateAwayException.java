/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.actor;

/** A state was not read because it was in the memory of this worker, and is not there any more. */
public final class StateAwayException extends Exception {

    private static final long serialVersionUID = 1L;

    StateAwayException(ActorSnapshot recorded) {
        super("The state has left the memory of this worker: " + recorded.pieces() + ". Its pieces can be read.");
    }
}
