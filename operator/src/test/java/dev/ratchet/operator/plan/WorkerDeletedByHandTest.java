/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.crds.cluster.DeletionPolicy;
import dev.ratchet.crds.cluster.StorageSpec;
import dev.ratchet.operator.world.World;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code kubectl delete computeworker}, whatever the operator was about to do with that seat. */
class WorkerDeletedByHandTest {
    private static final String SEAT = "orders-w-1";

    private final World world = new World();

    @BeforeEach
    void twoWorkersWithVolumes() {
        world.edit(spec -> {
            spec.workers.replicas = 2;
            spec.workers.storage = new StorageSpec();
        });
        world.settle();
    }

    @Test
    void ofAWantedSeatItComesBackAndThePodStays() {
        String uid = world.pods().get(SEAT).getMetadata().getUid();
        deleteWorker();
        world.settle();
        assertThat(world.workers()).containsKey(SEAT);
        assertThat(world.pods().get(SEAT).getMetadata().getUid()).isEqualTo(uid);
    }

    @Test
    void ofALeavingSeatItGivesBackWhatItHoldsBeforeAllOfItGoes() {
        world.hold(SEAT, 4);
        world.hold("orders-w-0", 9);
        world.scale(1);
        world.reconcile();
        world.reconcile();
        deleteWorker();
        world.reconcile();
        assertThat(world.pods().get(SEAT).getMetadata().getDeletionTimestamp()).isNull();
        assertThat(world.workers().get(SEAT).getSpec().retire).isTrue();
        world.settle();
        checkNothingIsLeft();
        assertThat(world.snapshot().claims()).doesNotContainKey("data-" + SEAT);
    }

    @Test
    void ofASeatWithoutAPodSecretAndVolumeGo() {
        leaveWithoutPod();
        world.settle();
        checkNothingIsLeft();
        assertThat(world.snapshot().claims()).doesNotContainKey("data-" + SEAT);
    }

    @Test
    void aVolumeThatIsToBeRetainedStays() {
        world.edit(spec -> spec.workers.volumeRetention.whenScaled = DeletionPolicy.RETAIN);
        leaveWithoutPod();
        world.settle();
        checkNothingIsLeft();
        assertThat(world.snapshot().claims()).containsKey("data-" + SEAT);
    }

    private void leaveWithoutPod() {
        world.hold("orders-w-0", 9);
        world.scale(1);
        world.reconcile();
        world.reconcile();
        world.lose(SEAT);
        deleteWorker();
    }

    private void deleteWorker() {
        world.api.remove(world.workers().get(SEAT));
    }

    private void checkNothingIsLeft() {
        assertThat(world.workers()).doesNotContainKey(SEAT);
        assertThat(world.pods()).doesNotContainKey(SEAT);
        assertThat(world.secrets()).doesNotContainKey(SEAT + "-tls");
    }
}
