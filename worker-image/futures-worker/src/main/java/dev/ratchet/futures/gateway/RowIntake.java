/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.gateway;

import dev.ratchet.protocol.client.v1.AddRowsRequest;
import dev.ratchet.protocol.client.v1.ProducerDescription;
import java.util.concurrent.CompletableFuture;

/** Takes rows for the tables of the circuit. Safe for use by several threads; nothing blocks. */
public interface RowIntake {

    /**
     * Completes when the rows are durable; fails with IllegalArgumentException where they are refused, and with a
     * status that says when to try again where there is no room.
     */
    CompletableFuture<ProducerDescription> add(AddRowsRequest request);

    /** What is durable of a producer. */
    CompletableFuture<ProducerDescription> received(String producer);
}
