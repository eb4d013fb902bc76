/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.exchange;

import java.util.List;

/** Joins the processes of a run. Safe for use by several threads. */
public interface ExchangeTransport {

    /** {@code host:port} where other processes reach this one. */
    String address();

    /**
     * Joins a run. Returns at once: the first exchange waits until all the others have joined the same run, and fails
     * where one of them can not be reached. Of two runs the one of the higher number is in force.
     *
     * @param run its number, higher than those of all runs before
     * @param self the place of this process in {@code peers}
     * @param peers all processes in the order of their numbers, this one included
     */
    ExchangeSession join(long run, int self, List<ExchangePeer> peers);
}
