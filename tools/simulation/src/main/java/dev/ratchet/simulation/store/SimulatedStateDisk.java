/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.store;

import dev.ratchet.circuits.state.StateFiles;
import dev.ratchet.dataflow.StateDisk;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * The disk of a seat, for the states of circuits: outlives its processes, and its machine but for what was not synced.
 */
public final class SimulatedStateDisk implements StateDisk {

    private final Map<String, FrailFiles> directories = new TreeMap<>();
    private int slowMillis;

    /** The sync of a file takes less than so long from now on; 0 for no time. */
    public void slow(int millis) {
        slowMillis = millis;
    }

    /** What is there after the power of its machine went off now. */
    public SimulatedStateDisk afterCrash(SplittableRandom random) {
        SimulatedStateDisk left = new SimulatedStateDisk();
        directories.forEach(
                (name, files) -> left.directories.put(name, files.afterCrash(random, () -> left.slowMillis)));
        return left;
    }

    @Override
    public void keepOnly(String directory) {
        directories.keySet().retainAll(Set.of(directory));
    }

    @Override
    public StateFiles open(String directory) {
        return directories.computeIfAbsent(directory, name -> FrailFiles.empty(() -> slowMillis));
    }
}
