/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.story;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whole clusters of membership and futures under faults made from a seed: every rule after every event, and every
 * accepted future with its right outcome in the end. More seeds: {@code -Dratchet.seeds=10000}; others:
 * {@code -Dratchet.firstSeed=10001}.
 */
class StoryTest {

    private static final int TELLINGS_TO_SHRINK = 200;

    static LongStream seeds() {
        long first = Long.getLong("ratchet.firstSeed", 1);
        return LongStream.range(first, first + Integer.getInteger("ratchet.seeds", 100));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void whateverHappensEveryRuleHoldsAndEveryAcceptedFutureEnds(long seed) {
        Story story = Story.of(seed);
        if (story.tell().failure().isPresent()) {
            fail(story.explain(TELLINGS_TO_SHRINK));
        }
    }

    @Test
    void aStoryToldTwiceIsTheSameStory() {
        Story.Ending once = Story.of(7).tell();
        Story.Ending again = Story.of(7).tell();
        assertThat(again.notes()).isEqualTo(once.notes());
        assertThat(again.digest()).isEqualTo(once.digest());
        assertThat(Story.of(8).tell().digest()).isNotEqualTo(once.digest());
    }
}
