/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.circuit;

import java.util.concurrent.ThreadFactory;
import java.util.function.LongSupplier;

/**
 * How a plan is run.
 *
 * @param lanes copies of the circuit that share the work, one thread each; 1 to {@value Sharding#LANES_MAX}. Results do
 *     not depend on it.
 * @param state where operators keep what they remember
 * @param started whether the circuit has run a step before, in the life that {@code state} comes from
 * @param smallStepRows up to this many input rows a step runs in the caller's thread alone, as waiting for others would
 *     take longer
 * @param threads makes the threads beside the caller's
 * @param nanos what the time of operators is measured with
 */
public record CircuitOptions(
        int lanes, OperatorState state, boolean started, int smallStepRows, ThreadFactory threads, LongSupplier nanos) {

    public static final int SMALL_STEP_ROWS_DEFAULT = 256;

    public CircuitOptions {
        if (lanes < 1 || lanes > Sharding.LANES_MAX) {
            throw new IllegalArgumentException(
                    "A circuit of " + lanes + " threads; choose from 1 to " + Sharding.LANES_MAX);
        }
    }

    /** A new circuit with its state in memory. */
    public static CircuitOptions inMemory(int lanes) {
        ThreadFactory threads = Thread.ofPlatform().name("circuit-", 1).daemon().factory();
        return new CircuitOptions(
                lanes, OperatorState.IN_MEMORY, false, SMALL_STEP_ROWS_DEFAULT, threads, System::nanoTime);
    }

    public CircuitOptions withState(OperatorState kept, boolean wasStarted) {
        return new CircuitOptions(lanes, kept, wasStarted, smallStepRows, threads, nanos);
    }

    public CircuitOptions withSmallStepRows(int rows) {
        return new CircuitOptions(lanes, state, started, rows, threads, nanos);
    }
}
