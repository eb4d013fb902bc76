/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client.simulated;

import dev.ratchet.client.SerializableCallable;
import dev.ratchet.client.SerializableFunction;
import dev.ratchet.simulation.world.VirtualThreads;
import java.util.ArrayList;
import java.util.List;

/**
 * A call of an actor whose state are the numbers of the calls that have changed it: adds its own, before anything can
 * go wrong, and returns them all.
 *
 * @param task what it is otherwise
 * @param use what it does with the numbers
 * @param concurrentMax as {@link dev.ratchet.client.Actor#withConcurrentCallsMax} takes it
 */
public record SimulatedCall(SimulatedTask task, Use use, int concurrentMax)
        implements SerializableFunction<List<Integer>, List<Integer>> {

    /** What to do with the state. */
    public enum Use {
        CHANGE,
        /** A call that leaves the state as it was. */
        LOOK,
        /** A read, which has no place in the line of calls. */
        READ
    }

    /** Makes the state of the actor. */
    public static SerializableCallable<List<Integer>> emptyState() {
        return ArrayList::new;
    }

    public boolean changes() {
        return use == Use.CHANGE;
    }

    @Override
    public List<Integer> apply(List<Integer> state) throws Exception {
        try (SimulatedExecutions.Execution execution =
                SimulatedExecutions.here().beginCall(this)) {
            if (changes()) {
                state.add(task.number());
            }
            VirtualThreads.sleep(task.millis());
            execution.failIfItShould();
            return List.copyOf(state);
        }
    }
}
