/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.circuits.sample.Samples;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Sets of hashes against sets of the cells that they are made of. */
class HashRangesTest {

    private static final int CELLS = 32;

    static LongStream seeds() {
        return Samples.seeds(50);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void theyAreTheSetsOfTheirCells(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        BitSet left = cells(random);
        BitSet right = cells(random);
        HashRanges a = of(left);
        HashRanges b = of(right);
        check(a, left, random);
        check(a.complement(), not(left), random);
        assertThat(a.intersect(b)).isEqualTo(of(and(left, right)));
        assertThat(a.minus(b)).isEqualTo(of(and(left, not(right))));
        int from = random.nextInt(CELLS);
        int to = from + 1 + random.nextInt(CELLS - from);
        BitSet range = new BitSet();
        range.set(from, to);
        assertThat(a.intersect(HashRange.ofShards(from, to, CELLS))).isEqualTo(of(and(left, range)));
    }

    private static void check(HashRanges ranges, BitSet cells, SplittableRandom random) {
        assertThat(ranges).isEqualTo(of(cells));
        assertThat(ranges.isEmpty()).isEqualTo(cells.isEmpty());
        for (int cell = 0; cell < CELLS; cell++) {
            HashRange all = HashRange.ofShards(cell, cell + 1, CELLS);
            long within = all.first() + random.nextLong(all.last() - all.first());
            for (long hash : List.of(all.first(), within, all.last())) {
                assertThat(ranges.contains(hash))
                        .as("hash %x in %s", hash, ranges)
                        .isEqualTo(cells.get(cell));
            }
        }
    }

    /** None, all, few or many, with those at both ends now and then. */
    private static BitSet cells(SplittableRandom random) {
        BitSet cells = new BitSet();
        int chance = random.nextInt(11);
        for (int cell = 0; cell < CELLS; cell++) {
            cells.set(cell, random.nextInt(10) < chance);
        }
        return cells;
    }

    private static BitSet not(BitSet cells) {
        BitSet others = (BitSet) cells.clone();
        others.flip(0, CELLS);
        return others;
    }

    private static BitSet and(BitSet left, BitSet right) {
        BitSet both = (BitSet) left.clone();
        both.and(right);
        return both;
    }

    private static HashRanges of(BitSet cells) {
        List<HashRange> ranges = new ArrayList<>();
        for (int from = cells.nextSetBit(0); from >= 0; from = cells.nextSetBit(cells.nextClearBit(from))) {
            ranges.add(HashRange.ofShards(from, cells.nextClearBit(from), CELLS));
        }
        return new HashRanges(ranges);
    }

    @Test
    void rangesThatDoNotAscendOrTouchAreRefused() {
        HashRange low = new HashRange(0, 9);
        HashRange high = new HashRange(-5L, -1L);
        for (List<HashRange> wrong : List.of(
                List.of(high, low),
                List.of(low, low),
                List.of(low, new HashRange(10, 12)),
                List.of(low, new HashRange(5, 12)),
                List.of(HashRange.ALL, low))) {
            assertThatThrownBy(() -> new HashRanges(wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("ascend");
        }
        assertThat(new HashRanges(List.of(low, high)).complement()).isEqualTo(HashRanges.of(new HashRange(10, -6L)));
    }
}
