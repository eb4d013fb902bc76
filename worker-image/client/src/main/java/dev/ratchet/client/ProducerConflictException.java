/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

/**
 * Somebody else has sent rows under the name of a producer, so that a request was taken for a repetition and nothing of
 * it was added. Give each program that runs at the same time a name of its own; after a crash, make the producer anew
 * and ask it what was received.
 */
public class ProducerConflictException extends RatchetException {
    private static final long serialVersionUID = 1L;

    /** @param message what happened, with which values, and what to do */
    public ProducerConflictException(String message) {
        super(message);
    }

    /**
     * @param message what happened, with which values, and what to do
     * @param cause what it comes from
     */
    public ProducerConflictException(String message, Throwable cause) {
        super(message, cause);
    }
}
