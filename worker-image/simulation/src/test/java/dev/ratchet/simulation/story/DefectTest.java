/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.story;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.simulation.check.Rule;
import dev.ratchet.simulation.check.Violation;
import dev.ratchet.simulation.cluster.Defects;
import dev.ratchet.simulation.story.Happening.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

/** Whether the rules would notice: each defect planted in every worker breaks those rules that it should. */
class DefectTest {

    private static final int SEEDS = 40;
    private static final Defects NO_FENCE = new Defects(true, false, Map.of());

    /** A long task, and each seat in turn without the store for longer than a lease while others find it silent. */
    private static final List<Happening> LONG_TASKS_AND_CUTS = List.of(
            new Happening(1_000, Kind.SUBMIT_SMALL, 0, -1, 28_000),
            new Happening(1_000, Kind.SUBMIT_SMALL, 1, -1, 28_000),
            new Happening(2_000, Kind.CUT_STORE, 0, 0, 27_900),
            new Happening(2_000, Kind.CUT_STORE, 1, 0, 27_900));

    /** The rules that the first stories break, until one of {@code wanted} is among them. */
    private static Set<Rule> broken(LongFunction<Story> stories, Rule... wanted) {
        Set<Rule> broken = EnumSet.noneOf(Rule.class);
        for (long seed = 1; seed <= SEEDS && Collections.disjoint(broken, List.of(wanted)); seed++) {
            stories.apply(seed).tell().failure().ifPresent(failure -> {
                if (failure instanceof Violation violation) {
                    broken.add(violation.rule());
                }
            });
        }
        return broken;
    }

    @Test
    void withoutTheFenceWorkIsDoneInTheNameOfOthers() {
        Rule[] wanted = {Rule.P3, Rule.P15, Rule.P19};
        assertThat(broken(seed -> Story.of(seed, NO_FENCE), wanted)).containsAnyOf(wanted);
    }

    @Test
    void withoutTheTermAFormerCoordinatorGoesOnCommanding() {
        Rule[] wanted = {Rule.P11, Rule.P16};
        Defects noTerm = new Defects(false, true, Map.of());
        assertThat(broken(seed -> Story.of(seed, noTerm), wanted)).containsAnyOf(wanted);
    }

    @Test
    void withTheInequalityOfTheLeaseBrokenOneTaskRunsTwiceAtOnce() {
        Defects slow = new Defects(false, false, Map.of("orders-w-0", -800, "orders-w-1", -800));
        assertThat(broken(seed -> new Story(seed, LONG_TASKS_AND_CUTS, slow), Rule.G1))
                .contains(Rule.G1);
    }

    @Test
    void withTheInequalityKeptTheSameCutsDoNoHarm() {
        for (long seed = 1; seed <= SEEDS / 4; seed++) {
            Story story = new Story(seed, LONG_TASKS_AND_CUTS, Defects.NONE);
            assertThat(story.tell().failure()).as("seed %d", seed).isEmpty();
        }
    }

    @Test
    void aStoryThatFailsIsMadeAsShortAsItCanBe() {
        Story failing = Story.of(1, NO_FENCE);
        for (long seed = 2; failing.tell().failure().isEmpty(); seed++) {
            failing = Story.of(seed, NO_FENCE);
        }
        Story shortest = failing.shrunk(300);
        assertThat(shortest.happenings()).hasSizeLessThan(failing.happenings().size());
        assertThat(shortest.tell().failure()).isPresent();
        for (int i = 0; i < shortest.happenings().size(); i++) {
            List<Happening> fewer = new ArrayList<>(shortest.happenings());
            fewer.remove(i);
            assertThat(new Story(shortest.seed(), fewer, NO_FENCE).tell().failure())
                    .as("without %s", shortest.happenings().get(i))
                    .isEmpty();
        }
        assertThat(failing.explain(300)).contains("Seed " + failing.seed() + " fails", "What was seen:");
    }
}
