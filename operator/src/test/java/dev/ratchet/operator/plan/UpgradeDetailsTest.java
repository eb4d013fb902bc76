/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.crds.Names;
import dev.ratchet.operator.world.World;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What goes on beside the steps of an upgrade: scaling, evictions, the office of the coordinator. */
class UpgradeDetailsTest {
    private static final int ROUNDS_MAX = 300;
    private static final int WORKERS = 3;
    private static final int MORE = 6;
    private static final String OLD = "ratchet/worker:0.1.0";
    private static final String COORDINATOR = "orders-w-0";

    private final World world = new World();

    @BeforeEach
    void threeWorkers() {
        world.edit(spec -> spec.upgrade.gates.stableMillis = 10_000);
        world.scale(WORKERS);
        world.settle();
    }

    @Test
    void seatsThatJoinBeforeANewWorkerHasProvedItselfAreOfTheRevisionOfBefore() {
        stopAtTheFirstNewWorker();
        world.scale(MORE);
        until("all joined", () -> inForce().size() == MORE);
        assertThat(old()).hasSize(MORE - 1);
    }

    @Test
    void seatsThatJoinAfterwardsAreOfTheNewRevision() {
        stopAtTheFirstNewWorker();
        rounds(15);
        world.scale(MORE);
        until("all joined", () -> inForce().size() == MORE);
        assertThat(old()).hasSize(WORKERS);
    }

    @Test
    void whoLeavesIsProtectedFromEvictionUntilItHoldsNothing() {
        world.workers().keySet().forEach(seat -> world.hold(seat, 5));
        assertThat(protectedFromEviction()).isEqualTo(WORKERS - 1);
        upgrade();
        until(
                "an old worker leaves",
                () -> !inForce().containsAll(world.workers().keySet()) && old().size() == 2);
        assertThat(inForce()).hasSize(WORKERS);
        assertThat(protectedFromEviction())
                .as("three in force and one that leaves")
                .isEqualTo(WORKERS);
        until("the old worker is gone", () -> inForce()
                .containsAll(world.workers().keySet()));
        assertThat(protectedFromEviction()).isEqualTo(inForce().size() - 1);
    }

    @Test
    void theWorkerOfTheCoordinatorLeavesLastThoughItHoldsLeast() {
        world.workers().keySet().forEach(seat -> world.hold(seat, seat.equals(COORDINATOR) ? 0 : 5));
        upgrade();
        until("no old worker is in force", () -> {
            assertThat(old().isEmpty() || old().contains(COORDINATOR))
                    .as("old workers in force: %s", old())
                    .isTrue();
            return old().isEmpty();
        });
    }

    private void upgrade() {
        world.edit(spec -> spec.image = "ratchet/worker:second");
    }

    private void stopAtTheFirstNewWorker() {
        upgrade();
        until("the new worker is in force", () -> inForce().size() > WORKERS);
        world.edit(spec -> spec.upgrade.suspended = true);
    }

    private int protectedFromEviction() {
        return world.api
                .all(PodDisruptionBudget.class)
                .get(Names.disruptionBudget(World.CLUSTER))
                .getSpec()
                .getMinAvailable()
                .getIntVal();
    }

    private Set<String> inForce() {
        return world.coordinator.layout().seats();
    }

    /** Seats in force of the former image. */
    private Set<String> old() {
        Set<String> old = new TreeSet<>(inForce());
        old.removeIf(seat -> !world.workerPods().containsKey(seat)
                || !world.workerPods()
                        .get(seat)
                        .getSpec()
                        .getContainers()
                        .get(0)
                        .getImage()
                        .equals(OLD));
        return old;
    }

    private void rounds(int count) {
        for (int i = 0; i < count; i++) {
            world.round();
        }
    }

    private void until(String what, BooleanSupplier reached) {
        for (int i = 0; i < ROUNDS_MAX; i++) {
            world.round();
            if (reached.getAsBoolean()) {
                return;
            }
        }
        throw new AssertionError("waited for: " + what + "; in force " + inForce() + ", of them old " + old());
    }
}
