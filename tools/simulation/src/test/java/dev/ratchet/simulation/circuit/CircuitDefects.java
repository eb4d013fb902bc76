/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.circuit;

import dev.ratchet.dataflow.exchange.ExchangeTransport;
import dev.ratchet.simulation.cluster.SimulatedWorker;

/** What is broken on purpose between a worker's circuit and what it works with, to see that it is noticed. */
interface CircuitDefects {

    CircuitDefects NONE = new CircuitDefects() {};

    /** What the circuit is made of. */
    default SimulatedWorker.Parts of(SimulatedWorker.Parts parts) {
        return parts;
    }

    /** What carries its frames. */
    default ExchangeTransport of(ExchangeTransport exchange) {
        return exchange;
    }
}
