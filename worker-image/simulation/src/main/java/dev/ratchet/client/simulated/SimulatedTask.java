/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client.simulated;

import dev.ratchet.client.SerializableFunction;
import dev.ratchet.simulation.cluster.Executions;
import dev.ratchet.simulation.world.VirtualThreads;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a user's code does in a simulation: takes its time, tells {@link Executions} when it begins and ends, and
 * returns what only depends on its number and its arguments.
 *
 * @param world whose {@link Executions} to tell
 * @param number of the future, unique in its world
 * @param millis how long it runs
 * @param kind what becomes of it
 */
public record SimulatedTask(long world, int number, long millis, Kind kind)
        implements SerializableFunction<Object, Object> {

    /** Ways to end. */
    public enum Kind {
        /** Returns a small value. */
        SMALL,
        /** Returns a value that is kept in an object store. */
        LARGE,
        /** Throws at its first execution, and returns a small value at every other. */
        FAILS_ONCE,
        /** Always throws. */
        FAILS
    }

    private static final int LARGE_CHARS = 12_000;

    @Override
    public Object apply(@Nullable Object argument) throws InterruptedException {
        Executions executions = Executions.of(world);
        try (Executions.Execution execution = executions.begin(this, VirtualThreads.current())) {
            VirtualThreads.sleep(millis);
            boolean fails = kind == Kind.FAILS || (kind == Kind.FAILS_ONCE && execution.attempt() == 1);
            if (fails) {
                throw new IllegalStateException("The task " + number + " fails as it should");
            }
            return value(argument instanceof List<?> values ? values.size() : 0);
        }
    }

    /** What it returns for so many arguments. */
    public String value(int arguments) {
        String small = "value of " + number + " from " + arguments;
        return kind == Kind.LARGE ? small + "!".repeat(LARGE_CHARS) : small;
    }
}
