/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.circuit;

import dev.ratchet.circuits.batch.ShardMap;
import dev.ratchet.circuits.state.OpenState;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How a plan is run.
 *
 * @param workerThreads copies of the circuit in this process that share the work, one thread each; 1 to
 *     {@value Sharding#WORKER_THREADS_MAX} in all processes together. Results do not depend on it.
 * @param state where operators keep what they remember
 * @param attributes what {@link Circuit#attributes} gave when the state was committed; empty for a new circuit
 * @param smallStepRows up to this many input rows a step runs in the caller's thread alone, as waiting for others would
 *     take longer
 * @param threads makes the threads beside the caller's
 * @param nanos what the time of operators is measured with
 * @param onError what becomes of rows that can not be computed
 * @param peers the processes that run the circuit together; closed by who made it
 * @param keepsViews whether the rows of views are kept beside their changes, as part of the state
 * @param shards which worker thread of all processes owns which shards, the same in each; null for equal shares.
 *     Results do not depend on it; of several processes each opens the state of the shards that it owns
 */
public record CircuitOptions(
        int workerThreads,
        OperatorState state,
        Map<String, String> attributes,
        int smallStepRows,
        ThreadFactory threads,
        LongSupplier nanos,
        OnError onError,
        CircuitPeers peers,
        boolean keepsViews,
        @Nullable ShardMap shards) {

    public static final int SMALL_STEP_ROWS_DEFAULT = 256;

    /** Where no map of the shards is given. */
    private static final int SHARDS_DEFAULT = 1024;

    public CircuitOptions {
        attributes = Map.copyOf(attributes);
        if (workerThreads < 1 || (long) workerThreads * peers.count() > Sharding.WORKER_THREADS_MAX) {
            throw new IllegalArgumentException("A circuit of " + workerThreads + " threads"
                    + (peers.count() == 1 ? "" : " in each of " + peers.count() + " processes")
                    + "; choose from 1 to " + Sharding.WORKER_THREADS_MAX / peers.count());
        }
        if (shards != null && shards.threads() != workerThreads * peers.count()) {
            throw new IllegalArgumentException("A map of shards for " + shards.threads() + " threads in a circuit of "
                    + workerThreads + " threads in each of " + peers.count()
                    + " processes; give the processes first, and a map for all their threads");
        }
    }

    /** A new circuit with its state in memory. */
    public static CircuitOptions inMemory(int workerThreads) {
        ThreadFactory threads = Thread.ofPlatform().name("circuit-", 1).daemon().factory();
        return new CircuitOptions(
                workerThreads,
                OperatorState.IN_MEMORY,
                Map.of(),
                SMALL_STEP_ROWS_DEFAULT,
                threads,
                System::nanoTime,
                OnError.COLLECT,
                CircuitPeers.ALONE,
                false,
                null);
    }

    /** The same with the state in a version that is open, to go on from where it was committed. */
    public CircuitOptions withState(OpenState open) {
        return new CircuitOptions(
                workerThreads,
                open::trace,
                open.record().attributes(),
                smallStepRows,
                threads,
                nanos,
                onError,
                peers,
                keepsViews,
                shards);
    }

    public CircuitOptions withSmallStepRows(int rows) {
        return new CircuitOptions(
                workerThreads, state, attributes, rows, threads, nanos, onError, peers, keepsViews, shards);
    }

    /** The same with other threads beside the caller's. */
    public CircuitOptions withThreads(ThreadFactory factory) {
        return new CircuitOptions(
                workerThreads, state, attributes, smallStepRows, factory, nanos, onError, peers, keepsViews, shards);
    }

    /** The same with another clock, which each thread asks before and after each operator. */
    public CircuitOptions withNanos(LongSupplier clock) {
        return new CircuitOptions(
                workerThreads, state, attributes, smallStepRows, threads, clock, onError, peers, keepsViews, shards);
    }

    public CircuitOptions withOnError(OnError wanted) {
        return new CircuitOptions(
                workerThreads, state, attributes, smallStepRows, threads, nanos, wanted, peers, keepsViews, shards);
    }

    /** The same as one of several processes. */
    public CircuitOptions withPeers(CircuitPeers others) {
        return new CircuitOptions(
                workerThreads, state, attributes, smallStepRows, threads, nanos, onError, others, keepsViews, shards);
    }

    /** The same with the rows of all views, for {@link Circuit#rows}. */
    public CircuitOptions withViews() {
        return new CircuitOptions(
                workerThreads, state, attributes, smallStepRows, threads, nanos, onError, peers, true, shards);
    }

    /** The same with another map of the shards than equal shares, for the processes and threads that it has. */
    public CircuitOptions withShards(ShardMap map) {
        return new CircuitOptions(
                workerThreads, state, attributes, smallStepRows, threads, nanos, onError, peers, keepsViews, map);
    }

    Sharding sharding() {
        ShardMap map = shards == null ? ShardMap.equal(SHARDS_DEFAULT, workerThreads * peers.count()) : shards;
        return new Sharding(map, workerThreads, peers);
    }
}
