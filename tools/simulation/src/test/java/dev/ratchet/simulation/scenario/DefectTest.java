/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.simulated.SimulatedExecutions;
import dev.ratchet.protocol.coordinator.v1.SetDrainingRequest;
import dev.ratchet.simulation.check.ClusterRules;
import dev.ratchet.simulation.check.Rule;
import dev.ratchet.simulation.check.RuleViolation;
import dev.ratchet.simulation.cluster.Defects;
import dev.ratchet.simulation.cluster.SimulatedCluster;
import dev.ratchet.simulation.cluster.SimulatedWorker;
import dev.ratchet.simulation.scenario.FaultEvent.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Whether the rules would notice: each defect planted in every worker breaks those rules that it should. */
class DefectTest {

    private static final int SEEDS = 40;
    private static final int STORIES_TO_SHRINK = 4;
    private static final int TELLINGS = 100;
    private static final Defects NO_FENCE = new Defects(true, false, Map.of());

    /** A long task, and each seat in turn without the store for longer than a lease while others find it silent. */
    private static final List<FaultEvent> LONG_TASKS_AND_CUTS = List.of(
            new FaultEvent(1_000, Kind.SUBMIT_SMALL, 0, -1, 28_000),
            new FaultEvent(1_000, Kind.SUBMIT_SMALL, 1, -1, 28_000),
            new FaultEvent(2_000, Kind.CUT_STORE, 0, 0, 27_900),
            new FaultEvent(2_000, Kind.CUT_STORE, 1, 0, 27_900));

    /** Clocks of two seats run at a fifth of the rate: far beyond the drift that the lease allows for. */
    private static final Map<String, Integer> SLOW = Map.of("orders-w-0", -800, "orders-w-1", -800);

    /** The rules that the first scenarios break, until one of {@code wanted} is among them. */
    private static Set<Rule> broken(LongFunction<Scenario> scenarios, Rule... wanted) {
        Set<Rule> broken = EnumSet.noneOf(Rule.class);
        for (long seed = 1; seed <= SEEDS && Collections.disjoint(broken, List.of(wanted)); seed++) {
            scenarios.apply(seed).tell().failure().ifPresent(failure -> {
                if (failure instanceof RuleViolation violation) {
                    broken.add(violation.rule());
                }
            });
        }
        return broken;
    }

    @Test
    void withoutTheFenceWorkIsDoneInTheNameOfOthers() {
        Rule[] wanted = {Rule.P3, Rule.P15, Rule.P19};
        assertThat(broken(seed -> Scenario.of(seed, NO_FENCE), wanted)).containsAnyOf(wanted);
    }

    @Test
    void withoutTheTermAFormerCoordinatorGoesOnDeciding() {
        assertThat(formerCoordinatorDecides(new Defects(false, true, Map.of()))).contains(Rule.P16);
        assertThat(formerCoordinatorDecides(Defects.NONE)).isEmpty();
    }

    /** What a coordinator breaks that wakes after it was replaced, and finishes what it had begun. */
    private static Set<Rule> formerCoordinatorDecides(Defects defects) {
        SimulatedCluster cluster = new SimulatedCluster(1).with(defects);
        new ClusterRules(cluster, new SimulatedExecutions(cluster.world));
        List.of("orders-w-0", "orders-w-1", "orders-w-2").forEach(cluster::start);
        cluster.world.until("one leads", 5_000, () -> cluster.coordinator().isPresent());
        cluster.world.run(3_000);
        SimulatedWorker former = cluster.coordinator().orElseThrow();
        cluster.cutProbes();
        former.process().pause();
        cluster.world.run(SimulatedCluster.LEASE.observerTtlMillis() + 5_000);
        var unused = former.coordinator()
                .setDraining(
                        SetDrainingRequest.newBuilder().addSeats("orders-w-0").build());
        former.process().resume();
        try {
            cluster.world.run(5_000);
            return Set.of();
        } catch (RuleViolation violation) {
            return Set.of(violation.rule());
        }
    }

    @Test
    void withTheInequalityOfTheLeaseBrokenOneTaskRunsTwiceAtOnce() {
        Defects slow = new Defects(false, false, SLOW);
        assertThat(broken(seed -> new Scenario(seed, LONG_TASKS_AND_CUTS, slow), Rule.G1))
                .contains(Rule.G1);
    }

    @Test
    void withTheInequalityKeptTheSameCutsDoNoHarm() {
        for (long seed = 1; seed <= SEEDS / 4; seed++) {
            Scenario scenario = new Scenario(seed, LONG_TASKS_AND_CUTS, Defects.NONE);
            assertThat(scenario.tell().failure()).as("seed %d", seed).isEmpty();
        }
    }

    @Test
    void aScenarioThatFailsIsMadeAsShortAsItCanBe() {
        List<FaultEvent> crowded = new ArrayList<>(LONG_TASKS_AND_CUTS);
        for (int task = 2; task < 12; task++) {
            crowded.add(new FaultEvent(1_000 + 100 * task, Kind.SUBMIT_SMALL, task, -1, 100));
        }
        List<Scenario> failing = LongStream.rangeClosed(1, SEEDS)
                .mapToObj(seed -> new Scenario(seed, crowded, new Defects(false, false, SLOW)))
                .filter(scenario -> scenario.tell().failure().isPresent())
                .limit(STORIES_TO_SHRINK)
                .toList();
        List<Scenario> shortest =
                failing.stream().map(scenario -> scenario.shrunk(TELLINGS)).toList();
        for (int i = 0; i < failing.size(); i++) {
            assertThat(reason(shortest.get(i)))
                    .as("it still fails for the same reason")
                    .isEqualTo(reason(failing.get(i)));
        }
        // What is left out changes when all else happens: some scenarios do not fail without it.
        assertThat(shortest).anySatisfy(scenario -> assertThat(scenario.faultEvents())
                .hasSizeLessThanOrEqualTo(LONG_TASKS_AND_CUTS.size()));
        Scenario first = shortest.getFirst();
        assertThat(first.explain(0)).contains("Seed " + first.seed() + " fails", "What was seen:");
    }

    private static Object reason(Scenario scenario) {
        Throwable failure = scenario.tell().failure().orElseThrow();
        return failure instanceof RuleViolation violation ? violation.rule() : failure.getClass();
    }
}
