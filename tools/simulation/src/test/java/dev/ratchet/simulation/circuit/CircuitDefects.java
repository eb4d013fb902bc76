/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.circuit;

import dev.ratchet.dataflow.StateDisk;
import dev.ratchet.dataflow.exchange.ExchangeTransport;
import dev.ratchet.dataflow.record.DataflowStore;
import dev.ratchet.store.transaction.Mutation;
import dev.ratchet.store.transaction.StoreConnection;
import java.util.List;

/** What is broken on purpose between a worker's circuit and what it works with, to see that it is noticed. */
interface CircuitDefects {

    CircuitDefects NONE = new CircuitDefects() {};

    /** The program that runs instead of one. */
    default String program(String text) {
        return text;
    }

    /**
     * What commits for a worker.
     *
     * @param crash turns the power of its machine off
     */
    default StoreConnection of(StoreConnection connection, DataflowStore store, Runnable crash) {
        return ChangedCommits.writing(connection, mutations -> written(mutations, store));
    }

    /** What a commit of a circuit writes instead of what it should. */
    default List<Mutation> written(List<Mutation> mutations, DataflowStore store) {
        return mutations;
    }

    /** What carries the frames of a circuit. */
    default ExchangeTransport of(ExchangeTransport exchange) {
        return exchange;
    }

    /** What keeps the state of a circuit. */
    default StateDisk of(StateDisk disk) {
        return disk;
    }
}
