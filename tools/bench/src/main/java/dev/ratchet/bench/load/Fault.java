/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.load;

import java.util.Set;
import java.util.random.RandomGenerator;

/** What happens to a cluster. The times of pauses go beyond the lease of a worker and what its observers wait for. */
enum Fault {
    /** {@code kill -9} of a worker. */
    KILL_WORKER(30, 0),
    /** {@code kill -9} of the worker that is coordinator. */
    KILL_COORDINATOR(10, 0),
    /** {@code kill -9} of a client. */
    KILL_CLIENT(8, 0),
    /** {@code kill -9} of the store. */
    KILL_STORE(10, 0),
    /** A worker is told to drain and end. */
    DRAIN_WORKER(6, 0),
    /** {@code kill -STOP} of a worker. */
    PAUSE_WORKER(14, 28_000),
    /** {@code kill -STOP} of the store. */
    PAUSE_STORE(6, 14_000),
    /** {@code kill -STOP} of a client. */
    PAUSE_CLIENT(4, 25_000),
    /** All connections to the store break. */
    CUT(8, 0),
    /** Nothing comes through between the store and the workers. */
    HOLD(4, 14_000),
    /** A client is taken off the list of those that are admitted, while it runs. */
    REMOVE_CLIENT(4, 12_000),
    /** Somebody with a certificate asks a worker as fast as it can. */
    FLOOD(4, 5_000);

    private final int weight;
    /** How long it lasts at most. */
    final long millisMax;

    Fault(int weight, long millisMax) {
        this.weight = weight;
        this.millisMax = millisMax;
    }

    /** One of these, the heavier the likelier. */
    static Fault any(Set<Fault> faults, RandomGenerator random) {
        return WeightedChoice.of(faults.toArray(Fault[]::new), fault -> fault.weight, random);
    }
}
