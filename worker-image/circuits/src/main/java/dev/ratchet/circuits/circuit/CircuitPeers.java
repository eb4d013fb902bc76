/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.circuit;

import dev.ratchet.circuits.type.FormatNumbers;
import java.nio.ByteBuffer;

/**
 * The processes that run one circuit together, each with the same number of worker threads. All of them take the same
 * steps with the same added rows, so that they meet at the same points in the same order; at each they exchange one
 * frame per pair, possibly empty. One thread at a time.
 */
public interface CircuitPeers {

    /** A circuit that runs in one process. */
    CircuitPeers ALONE = new CircuitPeers() {
        @Override
        public int self() {
            return 0;
        }

        @Override
        public int count() {
            return 1;
        }

        @Override
        public ByteBuffer[] exchange(ByteBuffer[] frames) {
            return frames;
        }
    };

    /** The number of this process, from 0. */
    int self();

    /** How many processes there are. */
    int count();

    /** The level of recorded formats in which this process writes what it sends now; any thread may ask. */
    default int formatLevel() {
        return FormatNumbers.ANY_LEVEL;
    }

    /**
     * Sends {@code frames[p]} to each process {@code p} and returns what each has sent at the same meeting; the element
     * of this process is handed on as it is. Blocks until all have arrived. The bytes of a frame must not be changed
     * afterwards: it may have to be sent again.
     *
     * @throws PeersLostException when the run is over, because a process is gone or the circuit is stopped; the circuit
     *     has ended
     */
    ByteBuffer[] exchange(ByteBuffer[] frames);
}
