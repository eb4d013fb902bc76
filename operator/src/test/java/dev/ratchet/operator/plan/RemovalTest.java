/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.crds.ComputeWorker;
import dev.ratchet.crds.ConditionType;
import dev.ratchet.crds.worker.ProofOfRemoval;
import dev.ratchet.operator.status.Conditions;
import dev.ratchet.operator.world.World;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What counts as a proof that a worker can be removed, and what only looks like one. */
class RemovalTest {
    private static final String LEAVING = "orders-w-1";

    private final World world = new World();

    @BeforeEach
    void twoWorkers() {
        world.scale(2);
        world.settle();
    }

    @Test
    void thatADeadProcessHeldNothingWhileItsSeatWasInForceProvesNothingAboutTheNextOne() {
        world.lose(LEAVING);
        world.coordinator.markTheDeadAsDrained();
        world.scale(1);
        for (int i = 0; i < 4; i++) {
            world.reconcileInterrupted(Integer.MAX_VALUE);
        }
        assertThat(worker().getSpec().retire).isTrue();
        assertThat(isTrue(ConditionType.DRAINED)).isTrue();
        assertThat(isTrue(ConditionType.REMOVABLE)).isFalse();
        // The layout is not in force yet; the pod is back, takes the seat and with it work.
        world.kubelet();
        world.coordinatorHeard = false;
        for (int i = 0; i < 4; i++) {
            world.reconcile();
        }
        assertThat(world.pods().get(LEAVING).getMetadata().getDeletionTimestamp())
                .isNull();
    }

    @Test
    void theProofNamesEpochTermAndIncarnation() {
        world.coordinator.newTerm();
        leave();
        ProofOfRemoval proof = worker().getStatus().removalProof;
        assertThat(proof).isNotNull();
        assertThat(proof.epoch).isEqualTo(2);
        assertThat(proof.term).isEqualTo(2);
        assertThat(proof.incarnation).isEqualTo(1);
        assertThat(isTrue(ConditionType.REMOVABLE)).isTrue();
    }

    @Test
    void aRecordedProofCountsWhenNobodyCanSaySoAnyMore() {
        leave();
        world.coordinatorHeard = false;
        assertThat(isRemoved()).isTrue();
    }

    @Test
    void aProofOfAnEarlierEpochDoesNotCount() {
        leave();
        forge(proof -> proof.epoch = 1);
        world.coordinatorHeard = false;
        assertThat(isRemoved()).isFalse();
    }

    @Test
    void aProofOfAnEarlierIncarnationDoesNotCount() {
        leave();
        world.hold(LEAVING, 3);
        world.coordinator.refill(LEAVING);
        forge(proof -> proof.incarnation = 7);
        assertThat(isRemoved()).isFalse();
    }

    @Test
    void aProofOfALaterTermIsOneOfAnotherStore() {
        leave();
        world.coordinator.refill(LEAVING);
        forge(proof -> proof.term = 9);
        assertThat(isRemoved()).isFalse();
    }

    @Test
    void aProofIsNoneAnyMoreWhenTheWorkerStays() {
        leave();
        world.scale(2);
        world.reconcile();
        world.reconcile();
        assertThat(worker().getStatus().removalProof).isNull();
        assertThat(isTrue(ConditionType.REMOVABLE)).isFalse();
    }

    /** Until it is proved, and not removed yet. */
    private void leave() {
        world.hold(LEAVING, 1);
        world.hold("orders-w-0", 5);
        world.scale(1);
        for (int i = 0; i < 3; i++) {
            world.reconcile();
        }
        world.work();
        world.plan().actions().stream()
                .filter(action -> action instanceof Action.WriteStatus)
                .forEach(action -> world.api.writeStatus(action.object()));
        assertThat(worker().getStatus().removalProof).isNotNull();
        assertThat(isGoing()).isFalse();
    }

    private void forge(Consumer<ProofOfRemoval> change) {
        ComputeWorker worker = worker();
        change.accept(worker.getStatus().removalProof);
        world.api.putStatus(worker);
    }

    private boolean isRemoved() {
        world.reconcile();
        return isGoing();
    }

    private boolean isGoing() {
        return world.pods().get(LEAVING).getMetadata().getDeletionTimestamp() != null;
    }

    private ComputeWorker worker() {
        return world.workers().get(LEAVING);
    }

    private boolean isTrue(String type) {
        return Conditions.isTrue(worker().getStatus().conditions, type);
    }
}
