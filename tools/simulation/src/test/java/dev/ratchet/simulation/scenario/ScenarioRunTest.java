/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.simulation.check.Rule;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Scenarios are worth their time: they come near every rule, and a seed is a scenario. */
class ScenarioRunTest {

    private static final int SEEDS_FOR_EVERY_RULE = 15;
    /** No seed of the scenarios that are told otherwise. */
    private static final long FAR_SEED = 1_000_000_000;

    @Test
    void everyRuleIsLookedAt() {
        Map<Rule, Long> looks = new EnumMap<>(Rule.class);
        for (long seed = FAR_SEED; seed < FAR_SEED + SEEDS_FOR_EVERY_RULE; seed++) {
            Scenario.of(seed).tell().looks().forEach((rule, times) -> looks.merge(rule, times, Long::sum));
        }
        assertThat(looks).containsOnlyKeys(Rule.values());
    }

    @Test
    void aScenarioRunTwiceIsTheSameRun() {
        Scenario.Ending once = Scenario.of(FAR_SEED + 100).tell();
        Scenario.Ending again = Scenario.of(FAR_SEED + 100).tell();
        assertThat(once.failure()).isEmpty();
        assertThat(again.failure()).isEmpty();
        assertThat(again.notes()).isEqualTo(once.notes());
        assertThat(again.digest()).isEqualTo(once.digest());
        assertThat(Scenario.of(FAR_SEED + 200).tell().digest()).isNotEqualTo(once.digest());
    }
}
