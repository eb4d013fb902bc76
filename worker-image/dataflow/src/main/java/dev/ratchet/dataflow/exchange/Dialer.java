/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.exchange;

import java.io.IOException;

/** Connects to another process. */
@FunctionalInterface
public interface Dialer {

    /**
     * A connection to a process that has proved to hold the seat; blocks for some seconds at most.
     *
     * @throws java.net.ConnectException if nobody listens there
     * @throws IOException if that is not possible for another reason
     */
    ByteStream dial(ExchangePeer peer) throws IOException;
}
