/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.conformance;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Decides whether transactions that overlapped can have happened one after the other, each between its call and its
 * answer: strict serializability, by the search of Wing and Gong. For histories of at most 63 transactions.
 */
final class History {

    /** The end of a transaction of which nobody knows whether it happened: it may have, any time later, or not. */
    static final long UNKNOWN = Long.MAX_VALUE;

    /**
     * A transaction over numbered registers that begin at 0.
     *
     * @param start when it was called
     * @param end when it was answered, or {@link #UNKNOWN}
     * @param reads register to value seen
     * @param writes register to value written
     */
    record Step(long start, long end, Map<Integer, Long> reads, Map<Integer, Long> writes) {}

    private final List<Step> steps;
    private final Set<List<Long>> visited = new HashSet<>();
    private final long mustHappen;

    private History(List<Step> steps) {
        this.steps = steps;
        long must = 0;
        for (int i = 0; i < steps.size(); i++) {
            must |= steps.get(i).end == UNKNOWN ? 0 : 1L << i;
        }
        mustHappen = must;
    }

    static boolean isStrictlySerializable(List<Step> steps) {
        if (steps.size() > 63) {
            throw new IllegalArgumentException(
                    steps.size() + " transactions are too many to decide on; 63 are the limit");
        }
        return new History(steps).search(0, new TreeMap<>());
    }

    private boolean search(long done, Map<Integer, Long> registers) {
        if ((done & mustHappen) == mustHappen) {
            return true;
        }
        if (!visited.add(List.of(done, (long) registers.hashCode(), fingerprint(registers)))) {
            return false;
        }
        long firstEnd = Long.MAX_VALUE;
        for (int i = 0; i < steps.size(); i++) {
            if ((done & 1L << i) == 0) {
                firstEnd = Math.min(firstEnd, steps.get(i).end);
            }
        }
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            if ((done & 1L << i) == 0 && step.start <= firstEnd && agrees(step, registers)) {
                Map<Integer, Long> after = new TreeMap<>(registers);
                after.putAll(step.writes);
                if (search(done | 1L << i, after)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static long fingerprint(Map<Integer, Long> registers) {
        long[] parts = registers.entrySet().stream()
                .mapToLong(entry -> entry.getKey() * 1_000_003L + entry.getValue())
                .toArray();
        long sum = 17;
        for (long part : parts) {
            sum = sum * 0x9e3779b97f4a7c15L + part;
        }
        return sum + Arrays.hashCode(parts);
    }

    private static boolean agrees(Step step, Map<Integer, Long> registers) {
        return step.reads.entrySet().stream()
                .allMatch(read -> registers.getOrDefault(read.getKey(), 0L).equals(read.getValue()));
    }
}
