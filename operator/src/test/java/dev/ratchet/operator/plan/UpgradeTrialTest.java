/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.crds.ConditionType;
import dev.ratchet.operator.world.World;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** New workers execute a canary before the layout with them is in force, and are judged by what fails on them. */
class UpgradeTrialTest {
    private static final int ROUNDS_MAX = 300;
    private static final int WORKERS = 3;
    private static final String FIRST_NEW = "orders-w-3";

    private final World world = new World();

    @BeforeEach
    void threeWorkers() {
        world.edit(spec -> {
            spec.upgrade.gates.stableMillis = 5_000;
            spec.upgrade.gates.timeoutMillis = 30_000;
        });
        world.scale(WORKERS);
        world.settle();
    }

    @Test
    void aLayoutWaitsForTheCanaryOfItsNewWorker() {
        world.coordinator.canariesPass = false;
        world.edit(spec -> spec.image = "ratchet/worker:second");
        rounds(15);
        assertThat(world.workerPods()).hasSize(WORKERS + 1);
        assertThat(world.coordinator.layout().seats()).hasSize(WORKERS);
        world.coordinator.canariesPass = true;
        until("the new worker is in force", () -> isInForce(FIRST_NEW));
    }

    @Test
    void aCanaryThatIsNeverExecutedTakesTheUpgradeBackAndIsNamed() {
        world.coordinator.canariesPass = false;
        world.edit(spec -> spec.image = "ratchet/worker:second");
        until("it is rolled back", () -> blocked().equals("True RolledBack"));
        assertThat(world.layouts().values())
                .anyMatch(layout -> layout.getStatus().abort != null
                        && layout.getStatus().abort.message.contains("has not executed its canary"));
    }

    @Test
    void failuresOfTheSystemOnTheNewWorkerTakeTheUpgradeBack() {
        upgradeToTheFirstNewWorker();
        world.coordinator.attempts(FIRST_NEW, 100, 0, 2);
        until("it is rolled back", () -> blocked().equals("True RolledBack"));
        world.coordinator.attempts(FIRST_NEW, 0, 0, 0);
        rounds(3);
        assertThat(world.writeStatus().conditions)
                .filteredOn(condition -> condition.getType().equals(ConditionType.UPGRADE_BLOCKED))
                .singleElement()
                .satisfies(condition -> assertThat(condition.getMessage())
                        .contains("of 100 attempts that ended on the new workers in a minute 2 failed"));
    }

    @Test
    void failuresOfProgramsAreBorneAsFarAsTheyAreUsual() {
        upgradeToTheFirstNewWorker();
        world.coordinator.attempts("orders-w-0", 200, 100, 0);
        world.coordinator.attempts(FIRST_NEW, 100, 50, 0);
        rounds(3);
        assertThat(blocked()).startsWith("False");
        world.coordinator.attempts(FIRST_NEW, 100, 60, 0);
        until("it is rolled back", () -> blocked().equals("True RolledBack"));
    }

    @Test
    void aFewAttemptsAreChance() {
        upgradeToTheFirstNewWorker();
        world.coordinator.attempts(FIRST_NEW, 19, 0, 19);
        rounds(3);
        assertThat(blocked()).startsWith("False");
        assertThat(isInForce(FIRST_NEW)).isTrue();
    }

    @Test
    void theSpecSaysHowManyAreBorne() {
        world.edit(spec -> spec.upgrade.gates.maxFailurePercent = 10);
        upgradeToTheFirstNewWorker();
        world.coordinator.attempts(FIRST_NEW, 100, 0, 9);
        rounds(3);
        assertThat(blocked()).startsWith("False");
        world.coordinator.attempts(FIRST_NEW, 100, 0, 11);
        until("it is rolled back", () -> blocked().equals("True RolledBack"));
    }

    private void upgradeToTheFirstNewWorker() {
        world.edit(spec -> spec.image = "ratchet/worker:second");
        until("the new worker is in force", () -> isInForce(FIRST_NEW));
    }

    private boolean isInForce(String seat) {
        return world.coordinator.layout().seats().contains(seat);
    }

    private String blocked() {
        return world.condition(ConditionType.UPGRADE_BLOCKED);
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
        throw new AssertionError("waited for: " + what + "; " + blocked() + " "
                + world.plan().layout().upgrade());
    }
}
