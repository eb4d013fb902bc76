/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.client;

import java.util.UUID;

/** The lease of a client is over, and with it whatever was kept for this client only. It may begin another one. */
public final class ClientLeaseOverException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public ClientLeaseOverException(UUID client) {
        super("The lease of the client " + client + " is over: it was away for too long. Begin a new one.");
    }
}
