/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.story;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.ratchet.simulation.check.Rule;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whole clusters of membership and futures under faults made from a seed: every rule after every event, and every
 * accepted future with its right outcome in the end. More seeds: {@code -Dratchet.seeds=10000}; others:
 * {@code -Dratchet.firstSeed=10001}.
 */
class StoryTest {

    private static final int TELLINGS_TO_SHRINK = 200;
    private static final int SEEDS_FOR_EVERY_RULE = 15;
    /** No seed of the stories that are told at the same time. */
    private static final long FAR_SEED = 1_000_000_000;

    static LongStream seeds() {
        long first = Long.getLong("ratchet.firstSeed", 1);
        return LongStream.range(first, first + Integer.getInteger("ratchet.seeds", 150));
    }

    @Execution(ExecutionMode.CONCURRENT)
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void whateverHappensEveryRuleHoldsAndEveryAcceptedFutureEnds(long seed) {
        Story story = Story.of(seed);
        if (story.tell().failure().isPresent()) {
            fail(story.explain(TELLINGS_TO_SHRINK));
        }
    }

    @Test
    void everyRuleIsLookedAt() {
        Map<Rule, Long> looks = new EnumMap<>(Rule.class);
        for (long seed = FAR_SEED; seed < FAR_SEED + SEEDS_FOR_EVERY_RULE; seed++) {
            Story.of(seed).tell().looks().forEach((rule, times) -> looks.merge(rule, times, Long::sum));
        }
        assertThat(looks).containsOnlyKeys(Rule.values());
    }

    @Test
    void aStoryToldTwiceIsTheSameStory() {
        Story.Ending once = Story.of(FAR_SEED + 100).tell();
        Story.Ending again = Story.of(FAR_SEED + 100).tell();
        assertThat(once.failure()).isEmpty();
        assertThat(again.failure()).isEmpty();
        assertThat(again.notes()).isEqualTo(once.notes());
        assertThat(again.digest()).isEqualTo(once.digest());
        assertThat(Story.of(FAR_SEED + 200).tell().digest()).isNotEqualTo(once.digest());
    }
}
