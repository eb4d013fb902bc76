/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.model;

import dev.ratchet.client.FutureId;
import dev.ratchet.protocol.futures.v1.ResultRun;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;

/** Futures that somebody waits for; those of a block take a bit each. Used by one thread at a time. */
public final class FutureSet {

    /** Most futures that one stream awaits. */
    public static final int AWAITED_MAX = 1_000_000;

    private final Set<FutureId> single = new HashSet<>();
    private final Map<FutureId, BitSet> blocks = new HashMap<>();
    private int size;

    /** Adds a future. */
    public void add(FutureId id) {
        if (BlockIds.isInBlock(id)) {
            add(BlockIds.blockOf(id), BlockIds.number(id), BlockIds.number(id));
        } else if (single.add(id)) {
            size++;
        }
    }

    /** Adds futures of a block by their numbers. */
    public void add(FutureId block, int first, int last) {
        BitSet numbers = blocks.computeIfAbsent(block, unused -> new BitSet());
        size -= numbers.cardinality();
        numbers.set(first, last + 1);
        size += numbers.cardinality();
    }

    public int size() {
        return size;
    }

    public void clear() {
        single.clear();
        blocks.clear();
        size = 0;
    }

    /** Takes a future out; whether it was there. */
    public boolean take(FutureId id) {
        if (!BlockIds.isInBlock(id)) {
            return single.remove(id) && size-- > 0;
        }
        return !take(BlockIds.blockOf(id), List.of(run(BlockIds.number(id), 1, ResultRun.getDefaultInstance())))
                .isEmpty();
    }

    /** Takes out those that the runs are about; the parts of the runs that were there. */
    public List<ResultRun> take(FutureId block, List<ResultRun> runs) {
        List<ResultRun> asked = new ArrayList<>();
        BitSet numbers = blocks.get(block);
        if (numbers == null) {
            return asked;
        }
        for (ResultRun run : runs) {
            int end = run.getFirst() + run.getFutures();
            int from = numbers.nextSetBit(run.getFirst());
            while (from >= 0 && from < end) {
                int to = Math.min(end, numbers.nextClearBit(from));
                numbers.clear(from, to);
                size -= to - from;
                asked.add(run(from, to - from, run));
                from = numbers.nextSetBit(to);
            }
        }
        if (numbers.isEmpty()) {
            blocks.remove(block);
        }
        return asked;
    }

    private static ResultRun run(int first, int futures, ResultRun of) {
        return of.getFirst() == first && of.getFutures() == futures
                ? of
                : ResultRun.newBuilder()
                        .setFirst(first)
                        .setFutures(futures)
                        .setValue(of.getValue())
                        .build();
    }

    /** Whether any future of the block is there. */
    public boolean hasAny(FutureId block) {
        return blocks.containsKey(block);
    }

    /** Those of a block that fit. */
    public List<FutureId> of(FutureId block, IntPredicate fits) {
        BitSet numbers = blocks.getOrDefault(block, new BitSet());
        return numbers.stream()
                .filter(fits)
                .mapToObj(number -> BlockIds.future(block, number))
                .toList();
    }

    /** Blocks all futures of which are there, with their number. */
    public Map<FutureId, Integer> wholeBlocks() {
        Map<FutureId, Integer> whole = new LinkedHashMap<>();
        blocks.forEach((block, numbers) -> {
            if (numbers.nextSetBit(0) == 1 && numbers.nextClearBit(1) == numbers.length()) {
                whole.put(block, numbers.cardinality());
            }
        });
        return whole;
    }

    /** All futures but those of some blocks. */
    public List<FutureId> without(Set<FutureId> someBlocks) {
        List<FutureId> ids = new ArrayList<>(single);
        blocks.keySet().stream()
                .filter(block -> !someBlocks.contains(block))
                .forEach(block -> ids.addAll(of(block, number -> true)));
        return ids;
    }
}
