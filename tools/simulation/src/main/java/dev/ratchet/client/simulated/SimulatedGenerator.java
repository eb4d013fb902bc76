/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client.simulated;

import dev.ratchet.client.Emitter;
import dev.ratchet.client.SerializableGenerator;
import dev.ratchet.simulation.world.VirtualThreads;

/**
 * Emits the numbers from that of its task on, and takes the task's time for each. One that fails once does so in the
 * middle, and begins from the beginning; any other goes on where it was.
 *
 * @param task what it is otherwise
 * @param items how many
 */
public record SimulatedGenerator(SimulatedTask task, int items) implements SerializableGenerator<Integer> {

    @Override
    public void generate(Emitter<Integer> out) throws Exception {
        try (SimulatedExecutions.Execution execution =
                SimulatedExecutions.here().begin(task)) {
            boolean resumes = task.kind() != SimulatedTask.Kind.FAILS_ONCE;
            for (long item = resumes ? out.resume() : 0; item < items; item++) {
                VirtualThreads.sleep(task.millis());
                if (item == items / 2) {
                    execution.failIfItShould();
                }
                out.emit(task.number() + (int) item);
            }
        }
    }
}
