/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.ratchet.crds.ComputeWorker;
import dev.ratchet.crds.ConditionType;
import dev.ratchet.operator.observe.PodFacts;
import dev.ratchet.operator.world.World;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;

class ScalingTest {
    private final World world = new World();

    @Test
    void aNewClusterGetsASeatAPodAndALayoutPerWorker() {
        world.scale(3);
        world.settle();
        assertThat(world.workers()).containsOnlyKeys("orders-w-0", "orders-w-1", "orders-w-2");
        assertThat(world.pods()).containsOnlyKeys("orders-w-0", "orders-w-1", "orders-w-2", "orders-store-0");
        assertThat(world.layouts()).containsOnlyKeys("orders-l1");
        assertThat(world.layouts().get("orders-l1").getStatus().step).isEqualTo("Stable");
        assertThat(world.coordinator.layout().epoch()).isEqualTo(1);
    }

    @Test
    void aLayoutNamesWhatThePodOfEachWorkerIsMadeFrom() {
        world.scale(2);
        world.settle();
        assertThat(world.layouts().get("orders-l1").getSpec().workers)
                .extracting(worker -> worker.seat, worker -> worker.revision)
                .containsExactly(revisionOf("orders-w-0"), revisionOf("orders-w-1"));
        assertThat(world.workers().get("orders-w-0").getSpec().revision)
                .isEqualTo(PodFacts.revision(world.pods().get("orders-w-0")))
                .isNotEmpty();
    }

    private Tuple revisionOf(String seat) {
        return tuple(seat, PodFacts.revision(world.pods().get(seat)));
    }

    @Test
    void aClusterWhereNothingChangedNeedsNoWrite() {
        world.scale(3);
        world.settle();
        assertThat(world.plan().actions()).isEmpty();
        world.restartOperator();
        world.reconcile();
        assertThat(world.api.takeWrites()).isEmpty();
    }

    @Test
    void scalingOutTakesTheLowestFreeNumbers() {
        world.scale(3);
        world.settle();
        world.hold("orders-w-0", 5);
        world.hold("orders-w-2", 5);
        world.scale(2);
        world.settle();
        assertThat(world.workers()).containsOnlyKeys("orders-w-0", "orders-w-2");
        world.scale(4);
        world.settle();
        assertThat(world.workers()).containsOnlyKeys("orders-w-0", "orders-w-1", "orders-w-2", "orders-w-3");
    }

    @Test
    void scalingInRemovesTheWorkersOfWhichLeastMustMove() {
        world.scale(4);
        world.settle();
        world.hold("orders-w-0", 1);
        world.hold("orders-w-1", 7);
        world.hold("orders-w-2", 0);
        world.hold("orders-w-3", 9);
        world.scale(2);
        world.settle();
        assertThat(world.workers()).containsOnlyKeys("orders-w-1", "orders-w-3");
    }

    @Test
    void aWorkerWhoseObjectsNobodyTakesStaysAndSaysSo() {
        world.scale(2);
        world.settle();
        world.hold("orders-w-0", 9);
        world.hold("orders-w-1", 4);
        world.scale(1);
        for (int i = 0; i < 20; i++) {
            world.reconcile();
        }

        assertThat(world.pods()).containsKey("orders-w-1");
        assertThat(world.workers().get("orders-w-1").getStatus().conditions)
                .filteredOn(condition -> condition.getType().equals(ConditionType.DRAINED))
                .singleElement()
                .satisfies(drained ->
                        assertThat(drained.getMessage()).startsWith("no other worker has taken 4 of its objects yet"));
    }

    @Test
    void whatWorkersRunAtTheMomentDoesNotDecideWhoLeaves() {
        world.scale(3);
        world.settle();
        world.run("orders-w-2", 64);
        world.scale(2);
        world.settle();
        assertThat(world.workers()).containsOnlyKeys("orders-w-0", "orders-w-1");
    }

    @Test
    void aWorkerThatPeopleDrainLeavesFirst() {
        world.scale(3);
        world.settle();
        ComputeWorker drained = world.workers().get("orders-w-0");
        drained.getSpec().drain = true;
        world.api.put(drained);
        world.hold("orders-w-0", 9);
        assertThat(world.reconcile().commands().draining()).containsExactly("orders-w-0");
        world.scale(2);
        world.settle();
        assertThat(world.workers()).containsOnlyKeys("orders-w-1", "orders-w-2");
    }

    @Test
    void aLeavingWorkerStaysUntilTheCoordinatorSaysThatItHoldsNothing() {
        world.scale(2);
        world.settle();
        world.hold("orders-w-1", 3);
        world.hold("orders-w-0", 5);
        world.scale(1);
        for (int i = 0; i < 5; i++) {
            world.reconcile();
            world.kubelet();
        }
        assertThat(world.coordinator.layout().seats()).containsExactly("orders-w-0");
        assertThat(world.pods()).containsKey("orders-w-1");
        assertThat(world.workers().get("orders-w-1").getSpec().retire).isTrue();
        world.settle();
        assertThat(world.pods()).doesNotContainKey("orders-w-1");
        assertThat(world.workers()).containsOnlyKeys("orders-w-0");
    }

    @Test
    void nobodyLeavesWhileNobodyCanSayWhatTheyHold() {
        world.scale(3);
        world.settle();
        world.coordinatorHeard = false;
        world.scale(1);
        world.settle();
        assertThat(world.workers()).hasSize(3);
        assertThat(world.workerPods()).hasSize(3);
        assertThat(world.plan().layout().waiting()).isPresent();
        world.coordinatorHeard = true;
        world.settle();
        assertThat(world.workers()).hasSize(1);
    }

    @Test
    void theLastWorkerDrainsAndGoesAndAllComeBack() {
        world.scale(2);
        world.settle();
        world.scale(0);
        world.settle();
        assertThat(world.workers()).isEmpty();
        assertThat(world.pods()).containsOnlyKeys("orders-store-0");
        assertThat(world.plan().actions()).isEmpty();
        world.scale(2);
        world.settle();
        assertThat(world.workers()).containsOnlyKeys("orders-w-0", "orders-w-1");
        assertThat(world.coordinator.layout().seats()).hasSize(2);
    }

    @Test
    void aWorkerThatIsLeavingStaysWhenMoreAreWantedAgain() {
        world.scale(2);
        world.settle();
        String before = world.pods().get("orders-w-1").getMetadata().getUid();
        world.hold("orders-w-1", 30);
        world.hold("orders-w-0", 40);
        world.scale(1);
        world.reconcile();
        world.reconcile();
        assertThat(world.coordinator.layout().seats()).hasSize(1);
        world.scale(2);
        world.settle();
        assertThat(world.pods().get("orders-w-1").getMetadata().getUid()).isEqualTo(before);
        assertThat(world.workers().get("orders-w-1").getSpec().retire).isFalse();
        assertThat(world.coordinator.layout().seats()).hasSize(2);
    }

    @Test
    void workersWhoseImageCanNotBePulledGoWithoutAProof() {
        world.imagesPull = false;
        world.scale(3);
        world.settle();
        world.scale(1);
        world.settle();
        assertThat(world.workers()).hasSize(1);
        world.scale(0);
        world.settle();
        assertThat(world.workers()).isEmpty();
        assertThat(world.plan().actions()).isEmpty();
        assertThat(world.plan().layout().proposal()).isEmpty();
    }

    @Test
    void aPodThatFailedOrWasDeletedComesBackUnderItsName() {
        world.scale(2);
        world.settle();
        world.fail("orders-w-0");
        world.lose("orders-w-1");
        world.lose("orders-store-0");
        world.settle();
        assertThat(world.pods()).containsOnlyKeys("orders-w-0", "orders-w-1", "orders-store-0");
        assertThat(world.snapshot()
                        .clusterReport()
                        .orElseThrow()
                        .workers()
                        .get("orders-w-0")
                        .incarnation())
                .isEqualTo(2);
        assertThat(world.layouts()).hasSize(1);
    }

    @Test
    void aWorkerThatDiesWhileItLeavesComesBackToGiveBackWhatItHolds() {
        world.scale(2);
        world.settle();
        world.hold("orders-w-1", 3);
        world.hold("orders-w-0", 5);
        world.scale(1);
        world.reconcile();
        world.reconcile();
        world.lose("orders-w-1");
        world.reconcile();
        assertThat(world.pods()).containsKey("orders-w-1");
        world.settle();
        assertThat(world.pods()).doesNotContainKey("orders-w-1");
    }

    @Test
    void finishedLayoutsAreKeptUpToTheLimit() {
        world.edit(spec -> spec.layout.historyLimit = 2);
        for (int i = 1; i <= 6; i++) {
            world.scale(i);
            world.settle();
        }
        assertThat(world.layouts()).containsOnlyKeys("orders-l4", "orders-l5", "orders-l6");
    }

    @Test
    void aPausedClusterIsNotChanged() {
        world.scale(2);
        world.settle();
        world.edit(spec -> {
            spec.paused = true;
            spec.workers.replicas = 5;
        });
        world.lose("orders-w-0");
        world.settle();
        assertThat(world.workers()).hasSize(2);
        assertThat(world.pods()).doesNotContainKey("orders-w-0");
        world.edit(spec -> spec.paused = false);
        world.settle();
        assertThat(world.workerPods()).hasSize(5);
    }
}
