/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client.simulated;

import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.client.dataset.Dataset;
import dev.ratchet.simulation.world.VirtualThreads;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The numbers from 1 on, grouped by their remainders: once by the cluster, once by whoever wants to know. */
public final class SimulatedDataset {

    private static final int PARTITIONS = 2;
    private static final int GROUPS = 3;

    private SimulatedDataset() {}

    /** Waits for the cluster to do it; each number takes so long. */
    public static Map<Integer, List<Integer>> grouped(Ratchet ratchet, SubmitOptions options, int count, long millis)
            throws InterruptedException {
        Map<Integer, List<Integer>> groups = new HashMap<>();
        Dataset.of(ratchet, options, numbers(count), PARTITIONS)
                .map(number -> {
                    VirtualThreads.sleep(millis);
                    return number;
                })
                .groupBy(number -> number % GROUPS)
                .collect()
                .forEach(group -> groups.put(group.key(), sorted(group.elements())));
        return groups;
    }

    /** What must come of it. */
    public static Map<Integer, List<Integer>> expected(int count) {
        Map<Integer, List<Integer>> groups = new HashMap<>();
        numbers(count).forEach(number -> groups.computeIfAbsent(number % GROUPS, group -> new ArrayList<>())
                .add(number));
        return groups;
    }

    private static List<Integer> sorted(List<Integer> numbers) {
        return numbers.stream().sorted().toList();
    }

    private static List<Integer> numbers(int count) {
        return IntStream.rangeClosed(1, count).boxed().toList();
    }
}
