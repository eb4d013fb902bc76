/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow;

import dev.ratchet.circuits.circuit.OnError;
import java.util.List;
import java.util.Map;

/**
 * What the cluster's configuration says of its circuit.
 *
 * @param name id of the state
 * @param program what it is made from
 * @param suspended take no steps
 * @param threads worker threads per process
 * @param checkpointIntervalMillis the longest time between two checkpoints while steps are taken
 * @param retainedVersions how many versions of the state are kept on each disk, and the input behind the oldest; at
 *     least two are
 * @param onError what becomes of rows that can not be computed
 * @param retainedSteps by view: how many steps of changes are kept for subscribers; others keep the default
 * @param decision recorded decision of a person to go on after a stop or a loss; empty for none. What it means is said
 *     where the circuit has stopped.
 * @param inputs those that bring rows by themselves; their names differ
 * @param outputs those that write files; their names differ
 */
public record DataflowSettings(
        String name,
        ProgramSource program,
        boolean suspended,
        int threads,
        long checkpointIntervalMillis,
        int retainedVersions,
        OnError onError,
        Map<String, Integer> retainedSteps,
        String decision,
        List<InputSource> inputs,
        List<FilesSink> outputs) {

    public DataflowSettings {
        retainedSteps = Map.copyOf(retainedSteps);
        inputs = List.copyOf(inputs);
        outputs = List.copyOf(outputs);
    }

    /** Of a circuit in SQL whose rows all come from producers and go to readers. */
    public DataflowSettings(
            String name,
            String program,
            boolean suspended,
            int threads,
            long checkpointIntervalMillis,
            int retainedVersions,
            OnError onError,
            Map<String, Integer> retainedSteps,
            String decision) {
        this(
                name,
                new ProgramSource.Sql(program),
                suspended,
                threads,
                checkpointIntervalMillis,
                retainedVersions,
                onError,
                retainedSteps,
                decision,
                List.of(),
                List.of());
    }
}
