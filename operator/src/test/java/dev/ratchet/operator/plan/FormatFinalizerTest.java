/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.crds.ConditionType;
import dev.ratchet.crds.Names;
import dev.ratchet.crds.cluster.FinalizePolicy;
import dev.ratchet.crds.cluster.UpgradeStrategy;
import dev.ratchet.operator.status.Reason;
import dev.ratchet.operator.world.World;
import dev.ratchet.protocol.release.VersionRange;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A cluster whose store is one level of formats below what the workers that come read. */
class FormatFinalizerTest {
    private static final int NEWEST = VersionRange.FORMATS.newest();
    private static final int BEFORE = NEWEST - 1;
    private static final int WORKERS = 2;

    private final World world = new World();

    @BeforeEach
    void twoOldWorkers() {
        world.coordinator.storeFormat = BEFORE;
        world.coordinator.formatCommon = BEFORE;
        world.edit(spec -> spec.upgrade.gates.stableMillis = 10_000);
        world.scale(WORKERS);
        world.settle();
    }

    @Test
    void formatsAreRaisedOnceAfterTheLastGateWasOpenForLongEnough() {
        world.edit(spec -> spec.image = "ratchet/worker:second");
        until("only new workers are in force", () -> {
            world.writeStatus();
            return world.writeStatus().updatedReplicas == WORKERS
                    && world.workers().size() == WORKERS;
        });
        world.coordinator.formatCommon = NEWEST;
        for (int i = 0; i < 4; i++) {
            world.round();
            assertThat(world.coordinator.storeFormat)
                    .as("the last gate has been open for less than stableMillis")
                    .isEqualTo(BEFORE);
        }
        until("the formats are raised", () -> world.coordinator.storeFormat == NEWEST);
        assertThat(world.writeStatus().store.formatLevel).isEqualTo(NEWEST);
        assertThat(world.condition(ConditionType.UPGRADE_BLOCKED)).isEqualTo("False NoUpgrade");
    }

    @Test
    void nothingIsRaisedBeforeTheLastWorkerHasWorkedForLongEnough() {
        allAtOnce();
        world.imagesPull = false;
        world.lose(world.coordinator.layout().seats().iterator().next());
        unraised(15);
        world.imagesPull = true;
        unraised(9);
        until("the formats are raised", () -> world.coordinator.storeFormat == NEWEST);
    }

    @Test
    void nothingIsRaisedAfterALastGateThatFailed() {
        world.edit(spec -> spec.upgrade.rollback.onFailure = false);
        allAtOnce();
        world.brokenImages.add("ratchet/worker:second");
        unraised(60);
        assertThat(world.condition(ConditionType.UPGRADE_BLOCKED)).isEqualTo("True UpgradeGateFailed");
    }

    /** Ends when the new workers are in force, and all workers read the newest level. */
    private void allAtOnce() {
        world.edit(spec -> {
            spec.upgrade.strategy = UpgradeStrategy.ALL_AT_ONCE;
            spec.image = "ratchet/worker:second";
        });
        until("the new workers are in force", () -> world.coordinator.layout().epoch() > 1);
        world.coordinator.formatCommon = NEWEST;
    }

    private void unraised(int rounds) {
        for (int i = 0; i < rounds; i++) {
            world.round();
            world.writeStatus();
            assertThat(world.coordinator.storeFormat).as("after %d rounds", i).isEqualTo(BEFORE);
        }
    }

    @Test
    void nothingIsRaisedWhileAWorkerDoesNotReadIt() {
        rounds();
        assertThat(world.coordinator.storeFormat).isEqualTo(BEFORE);
    }

    @Test
    void nothingIsRaisedWhileTheUpgradeIsSuspended() {
        world.edit(spec -> spec.upgrade.suspended = true);
        world.coordinator.formatCommon = NEWEST;
        rounds();
        assertThat(world.coordinator.storeFormat).isEqualTo(BEFORE);
    }

    @Test
    void whereAPersonFinalizesTheConditionSaysHowAndAnotherLevelIsNoConsent() {
        world.edit(spec -> spec.upgrade.finalize = FinalizePolicy.MANUAL);
        world.coordinator.formatCommon = NEWEST;
        rounds();
        assertThat(world.condition(ConditionType.UPGRADE_BLOCKED)).isEqualTo("True FinalizeAwaited");
        consent(NEWEST + 1);
        rounds();
        assertThat(world.coordinator.storeFormat).isEqualTo(BEFORE);
        consent(NEWEST);
        until("the formats are raised", () -> world.coordinator.storeFormat == NEWEST);
        rounds();
        assertThat(world.condition(ConditionType.UPGRADE_BLOCKED)).isEqualTo("False NoUpgrade");
    }

    @Test
    void aReleaseThatDoesNotReadWhatIsRecordedIsRefusedEvenWhileNoWorkerSaysSo() {
        world.coordinator.storeFormat = NEWEST + 1;
        world.edit(spec -> spec.version = "0.0.9");
        rounds();
        world.scale(0);
        rounds();
        world.edit(spec -> spec.version = "0.1.0");
        Acceptance acceptance = world.reconcile().acceptance();
        assertThat(acceptance.reason()).isEqualTo(Reason.FORMAT_INCOMPATIBLE);
        assertThat(acceptance.message())
                .contains("spec.version 0.1.0", "of level " + (NEWEST + 1), "the way back ended");
    }

    private void consent(int level) {
        world.cluster.getMetadata().setAnnotations(Map.of(Names.FINALIZE_UPGRADE_ANNOTATION, Integer.toString(level)));
    }

    private void rounds() {
        for (int i = 0; i < 30; i++) {
            world.round();
            world.writeStatus();
        }
    }

    private void until(String what, BooleanSupplier holds) {
        for (int i = 0; i < 600; i++) {
            if (holds.getAsBoolean()) {
                return;
            }
            world.round();
        }
        throw new AssertionError(what + " never");
    }
}
