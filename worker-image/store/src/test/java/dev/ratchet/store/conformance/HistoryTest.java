/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.store.conformance.History.Step;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The judge of histories is judged. */
class HistoryTest {

    private static Step step(long start, long end, Map<Integer, Long> reads, Map<Integer, Long> writes) {
        return new Step(start, end, reads, writes);
    }

    @Test
    void transactionsThatOverlapMayHappenInEitherOrder() {
        Step write = step(1, 4, Map.of(), Map.of(0, 5L));
        assertThat(History.isStrictlySerializable(List.of(write, step(2, 3, Map.of(0, 0L), Map.of()))))
                .isTrue();
        assertThat(History.isStrictlySerializable(List.of(write, step(2, 3, Map.of(0, 5L), Map.of()))))
                .isTrue();
    }

    @Test
    void aReadAfterAnAnswerMustSeeWhatWasAnswered() {
        Step write = step(1, 2, Map.of(), Map.of(0, 5L));
        assertThat(History.isStrictlySerializable(List.of(write, step(3, 4, Map.of(0, 0L), Map.of()))))
                .as("a stale read")
                .isFalse();
    }

    @Test
    void aLostUpdateAndASkewOfWritesAreRefused() {
        Step first = step(1, 10, Map.of(0, 0L), Map.of(0, 1L));
        Step second = step(2, 9, Map.of(0, 0L), Map.of(0, 2L));
        assertThat(History.isStrictlySerializable(List.of(first, second))).isFalse();
        Step left = step(1, 10, Map.of(0, 0L, 1, 0L), Map.of(0, 1L));
        Step right = step(2, 9, Map.of(0, 0L, 1, 0L), Map.of(1, 1L));
        assertThat(History.isStrictlySerializable(List.of(left, right))).isFalse();
    }

    @Test
    void whatNobodyKnowsTheOutcomeOfMayHaveHappenedOrNot() {
        Step lost = step(1, History.UNKNOWN, Map.of(), Map.of(0, 5L));
        assertThat(History.isStrictlySerializable(List.of(lost, step(3, 4, Map.of(0, 0L), Map.of()))))
                .isTrue();
        assertThat(History.isStrictlySerializable(
                        List.of(lost, step(3, 4, Map.of(0, 0L), Map.of()), step(5, 6, Map.of(0, 5L), Map.of()))))
                .isTrue();
        assertThat(History.isStrictlySerializable(
                        List.of(lost, step(3, 4, Map.of(0, 5L), Map.of()), step(5, 6, Map.of(0, 0L), Map.of()))))
                .isFalse();
    }
}
