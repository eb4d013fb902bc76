/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.circuit;

/** The other processes of a circuit can not be met any more; open the circuit again from its last durable version. */
public final class PeersLostException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** @param message who is gone, and why that is believed */
    public PeersLostException(String message) {
        super(message);
    }

    public PeersLostException(String message, Throwable cause) {
        super(message, cause);
    }
}
