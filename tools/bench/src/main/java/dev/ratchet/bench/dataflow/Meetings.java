/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.dataflow;

import java.util.List;

/** One process among several that all send each other so many bytes, and wait for those of all others. */
interface Meetings extends AutoCloseable {

    /** {@code host:port} where the others reach this one. */
    String address();

    /**
     * Connects all with all.
     *
     * @param addresses of all, this one's among them, in the order of their numbers
     */
    void join(int self, List<String> addresses) throws Exception;

    /** Sends the bytes to each of the others and returns once as many have come from each. */
    void meet(byte[] frame) throws Exception;
}
