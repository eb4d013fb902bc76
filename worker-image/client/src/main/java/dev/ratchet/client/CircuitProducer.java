/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

import java.util.Collection;
import java.util.concurrent.CompletableFuture;

/**
 * Adds rows to tables of a circuit under a name. Each request has a sequence, which grows; the cluster knows the last
 * one of each name, so a request that is sent again adds nothing twice, whichever worker takes it. One program sends
 * for a name at a time: a second one is told by {@link ProducerConflictException}.
 *
 * <p>Requests are sent one after the other, in the order of the calls. Workers that are busy or gone are tried again
 * for as long as the connection's timeout says; where the circuit is too far behind, when it says so. After a request
 * of which it is not known whether it is there, none is sent any more: make another producer, ask it what was
 * {@link #received}, and go on behind that. Safe for use by several threads.
 *
 * <p>A row that does not fit its table becomes a row of the view {@code errors}, with producer and sequence; the others
 * of the request are added. Limits: 3 MiB of rows in a request, as text, and 1 MiB in a row. A call waits while 16 MiB
 * of requests before it are not durable.
 */
public interface CircuitProducer {

    String name();

    /**
     * What the circuit has of this name, from whomever: sequence -1 for nothing.
     *
     * @throws InvalidInputException if the cluster has no circuit
     * @throws ConnectionException if no worker answers within the timeout
     */
    InputReceipt received();

    /**
     * Sends rows with the sequence that follows the last one. Completes when they are durable; fails with
     *
     * <ul>
     *   <li>{@link InvalidInputException} where the request is refused as a whole, and nothing of it is added: no such
     *       table, a row that is too large, no circuit,
     *   <li>{@link ProducerConflictException} where somebody else has sent under this name, and nothing is added,
     *   <li>{@link ConnectionException} where it is not known whether they are there, or the client may not add rows.
     * </ul>
     *
     * @throws InvalidInputException at once, if the request is empty or too large, or a value is none of a column
     */
    CompletableFuture<InputReceipt> send(InputRows rows);

    /**
     * As {@link #send(InputRows)}, with a sequence of the program's own, such as the place in what it reads from:
     * sequences may have gaps. One that is not above the last of this name is a repetition, which adds nothing, as
     * {@link InputReceipt#isRepeated} says.
     */
    CompletableFuture<InputReceipt> send(long sequence, InputRows rows);

    /** As {@link #send(InputRows)}, rows that are added to one table. */
    default CompletableFuture<InputReceipt> send(String table, Collection<?> rows) {
        return send(new InputRows().insertAll(table, rows));
    }
}
