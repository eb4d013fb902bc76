/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.operator.observe.PodFacts;
import dev.ratchet.operator.world.World;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Operators that die, or that act on what they saw long ago, roll an edit through all the same. */
class UpgradeFaultsTest {
    private static final int ROUNDS_MAX = 300;
    private static final int WORKERS = 2;
    private static final String IMAGE = "ratchet/worker:second";

    private final World world = new World();

    @BeforeEach
    void anEditOfTwoWorkers() {
        world.edit(spec -> spec.upgrade.gates.stableMillis = 2_000);
        world.scale(WORKERS);
        world.settle();
        world.edit(spec -> spec.image = IMAGE);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void anOperatorThatDiesAfterEachWriteGoesOnFromTheNewestLayout(int writes) {
        for (int round = 0; round < ROUNDS_MAX && !isOver(); round++) {
            world.reconcileInterrupted(writes);
            assertThat(working()).isGreaterThanOrEqualTo(WORKERS);
            world.round();
        }
        assertReplaced();
    }

    @Test
    void anOperatorThatActsOnWhatItSawAWhileAgoDoesNoHarm() {
        ReconcilePlan stale = world.plan();
        for (int round = 0; round < ROUNDS_MAX && !isOver(); round++) {
            if (round % 5 == 0) {
                world.carryOut(stale);
                stale = world.plan();
            }
            assertThat(working()).isGreaterThanOrEqualTo(WORKERS);
            world.round();
        }
        assertReplaced();
    }

    private void assertReplaced() {
        assertThat(world.workerPods().values())
                .hasSize(WORKERS)
                .extracting(pod -> pod.getSpec().getContainers().get(0).getImage())
                .containsOnly(IMAGE);
    }

    private boolean isOver() {
        return world.workerPods().size() == WORKERS
                && world.workerPods().values().stream()
                        .allMatch(pod -> PodFacts.isReady(pod)
                                && pod.getSpec()
                                        .getContainers()
                                        .get(0)
                                        .getImage()
                                        .equals(IMAGE))
                && world.workers().keySet().equals(world.coordinator.layout().seats());
    }

    /** Workers in force whose process runs. */
    private long working() {
        return world.coordinator.layout().seats().stream()
                .filter(seat -> world.pods().containsKey(seat))
                .filter(seat -> PodFacts.isReady(world.pods().get(seat)))
                .count();
    }
}
