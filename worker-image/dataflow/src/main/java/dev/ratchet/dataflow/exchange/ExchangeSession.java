/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.exchange;

import dev.ratchet.circuits.circuit.CircuitPeers;
import java.util.Optional;

/** The connections of one process to the others for one run. Exchanges come from one thread; any thread may close. */
public interface ExchangeSession extends CircuitPeers, AutoCloseable {

    /**
     * Is called once, on any thread, as soon as the session can not go on, because another process is gone or the
     * session was closed; at once where that is so already. Must not block.
     */
    void onLost(Runnable listener);

    /** The other process that was found to be gone, if that is why the session can not go on. */
    Optional<ExchangePeer> gone();

    /**
     * Ends the run for this process: an exchange that waits, here or with a peer, ends with
     * {@link dev.ratchet.circuits.circuit.PeersLostException}. Does not block; may be called again.
     */
    @Override
    void close();
}
