/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.crds.Names;
import dev.ratchet.crds.cluster.DeletionPolicy;
import dev.ratchet.crds.cluster.FoundationDbStore;
import dev.ratchet.crds.cluster.StorageSpec;
import dev.ratchet.crds.cluster.StoreType;
import dev.ratchet.operator.world.World;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DeletionTest {
    private final World world = new World();

    @Test
    void workersGoBeforeTheStoreAndVolumesGoLast() {
        volumes();
        world.scale(2);
        world.settle();
        delete();
        world.clean();
        assertThat(world.pods().get("orders-store-0").getMetadata().getDeletionTimestamp())
                .isNull();
        assertThat(world.workerPods().values())
                .allMatch(pod -> pod.getMetadata().getDeletionTimestamp() != null);
        world.kubelet();
        assertThat(world.clean().done()).isFalse();
        assertThat(claims()).isNotEmpty();
        world.kubelet();
        assertThat(world.clean().done()).isTrue();
        assertThat(claims()).isEmpty();
    }

    @Test
    void retainedVolumesStayAndWorkersProveThatTheyHoldNothing() {
        volumes();
        world.scale(2);
        world.settle();
        world.edit(spec -> spec.deletionPolicy = DeletionPolicy.RETAIN);
        world.reconcile();
        world.hold("orders-w-0", 4);
        delete();
        world.clean();
        world.clean();
        assertThat(world.coordinator.layout().seats()).isEmpty();
        assertThat(world.pods()).containsKey("orders-w-0");
        finish();
        assertThat(world.pods()).isEmpty();
        assertThat(claims()).containsKey("data-orders-store-0");
    }

    @ParameterizedTest
    @EnumSource
    void anImageThatCanNotBePulledDoesNotKeepAClusterFromGoing(DeletionPolicy policy) {
        world.edit(spec -> spec.deletionPolicy = policy);
        world.imagesPull = false;
        world.scale(3);
        world.settle();
        delete();
        finish();
        assertThat(world.pods()).isEmpty();
    }

    @Test
    void podsThatNeverStartedAreNotWaitedForAndOthersGetTheirTime() {
        world.scale(1);
        world.settle();
        world.imagesPull = false;
        world.scale(2);
        world.settle();
        delete();
        world.clean();
        assertThat(world.pods().get("orders-w-1").getMetadata().getDeletionGracePeriodSeconds())
                .isEqualTo(1);
        assertThat(world.pods().get("orders-w-0").getMetadata().getDeletionGracePeriodSeconds())
                .isEqualTo(10);
    }

    @Test
    void aDeadStoreDoesNotKeepAClusterFromGoing() {
        world.scale(2);
        world.settle();
        world.coordinatorHeard = false;
        world.fail("orders-store-0");
        delete();
        finish();
        assertThat(world.pods()).isEmpty();
    }

    @Test
    void aRetainedClusterWithADeadStoreIsBlockedUntilAPersonAbandonsIt() {
        world.edit(spec -> {
            spec.deletionPolicy = DeletionPolicy.RETAIN;
            spec.workers.drainTimeoutMillis = 60_000;
        });
        world.scale(2);
        world.settle();
        world.coordinatorHeard = false;
        delete();
        for (int i = 0; i < 20; i++) {
            assertThat(world.clean().done()).isFalse();
            world.kubelet();
            world.pass(Duration.ofSeconds(5));
        }
        DeletionPlanner.Step step = world.planDeletion();
        assertThat(world.snapshot().now()).isAfter(DeletionPlanner.deadline(world.snapshot(), step.plan()));
        assertThat(step.waitsFor()).contains("workers");
        world.cluster.getMetadata().setAnnotations(Map.of(Names.ABANDON_ANNOTATION, "true"));
        assertThat(world.clean().done()).isTrue();
        world.kubelet();
        assertThat(world.pods()).isEmpty();
    }

    @Test
    void aRetainedClusterGoesAlsoBeforeItsFirstLayoutIsInForce() {
        world.edit(spec -> spec.deletionPolicy = DeletionPolicy.RETAIN);
        world.scale(1);
        world.coordinatorHeard = false;
        world.settle();
        world.coordinatorHeard = true;
        assertThat(world.coordinator.layout().epoch()).isZero();
        delete();
        finish();
        assertThat(world.pods()).isEmpty();
    }

    @Test
    void aClusterWithoutWorkersGoesAtOnce() {
        world.scale(0);
        world.settle();
        delete();
        finish();
        assertThat(world.pods()).isEmpty();
    }

    @Test
    void aClusterWhoseSpecWasNeverAcceptedGoesAtOnce() {
        world.edit(spec -> spec.workers.threads = 0);
        world.reconcile();
        delete();
        assertThat(world.clean().done()).isTrue();
    }

    @Test
    void aPausedClusterCanBeDeleted() {
        world.scale(1);
        world.settle();
        world.edit(spec -> spec.paused = true);
        delete();
        finish();
        assertThat(world.pods()).isEmpty();
    }

    @Test
    void aForeignStoreIsClearedByAPodWhenNoWorkerIsLeft() {
        world.edit(spec -> {
            spec.store.type = StoreType.FOUNDATION_DB;
            spec.store.foundationDB = new FoundationDbStore();
            spec.store.foundationDB.clusterFile.secretKeyRef.name = "fdb";
            spec.store.foundationDB.clusterFile.secretKeyRef.key = "fdb.cluster";
        });
        world.scale(1);
        world.settle();
        delete();
        world.clean();
        assertThat(world.pods()).containsOnlyKeys("orders-w-0");
        world.kubelet();
        assertThat(world.clean().waitsFor()).contains("clear the store");
        assertThat(world.pods()).containsOnlyKeys("orders-clear");
        world.api.put(new PodBuilder(world.pods().get("orders-clear"))
                .withNewStatus()
                .withPhase("Succeeded")
                .endStatus()
                .build());
        assertThat(world.clean().done()).isTrue();
    }

    private void volumes() {
        world.edit(spec -> {
            spec.workers.storage = new StorageSpec();
            spec.store.embedded = new dev.ratchet.crds.cluster.EmbeddedStoreSpec();
            spec.store.embedded.storage = new StorageSpec();
        });
    }

    private void delete() {
        world.cluster.getMetadata().setDeletionTimestamp(world.snapshot().now().toString());
    }

    private void finish() {
        for (int i = 0; i < 30; i++) {
            if (world.clean().done()) {
                world.kubelet();
                return;
            }
            world.kubelet();
            world.work();
            world.pass(Duration.ofSeconds(1));
        }
        throw new AssertionError(
                "the cluster does not go; it waits for " + world.planDeletion().waitsFor());
    }

    private Map<String, PersistentVolumeClaim> claims() {
        return world.api.all(PersistentVolumeClaim.class);
    }
}
