/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.crds.cluster.DeletionPolicy;
import dev.ratchet.crds.cluster.FoundationDbStore;
import dev.ratchet.crds.cluster.StorageSpec;
import dev.ratchet.crds.cluster.StoreType;
import dev.ratchet.operator.world.World;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * {@code kubectl delete namespace}: everything is told to end at once, the store before those that need it to drain,
 * and nothing can be made any more. Processes use all the time that they are given.
 */
class NamespaceDeletionTest {
    private static final int DRAIN_SECONDS = 60;
    private static final int GOODBYE_SECONDS = 30;

    private final World world = new World();

    @BeforeEach
    void hang() {
        world.processesHang = true;
        world.edit(spec -> {
            spec.workers.replicas = 3;
            spec.workers.drainTimeoutMillis = DRAIN_SECONDS * 1000L;
        });
    }

    @Test
    void aClusterWithItsStoreGoesInSeconds() {
        world.settle();
        assertThat(secondsToEnd()).isLessThanOrEqualTo(15);
    }

    @Test
    void nothingIsProvedForWhatGoesWithTheNamespaceAnyway() {
        world.edit(spec -> {
            spec.deletionPolicy = DeletionPolicy.RETAIN;
            spec.workers.storage = new StorageSpec();
        });
        world.settle();
        assertThat(secondsToEnd()).isLessThanOrEqualTo(15);
    }

    @Test
    void workersOfAStoreThatStaysHaveTheTimeToGiveBackWhatTheyHold() {
        foundationDb(DeletionPolicy.RETAIN);
        world.settle();
        assertThat(secondsToEnd()).isBetween(DRAIN_SECONDS, DRAIN_SECONDS + GOODBYE_SECONDS + 1);
        assertThat(world.clean().leftBehind()).isEmpty();
    }

    @Test
    void aStoreElsewhereThatCanNotBeClearedIsNamed() {
        foundationDb(DeletionPolicy.DELETE);
        world.settle();
        assertThat(secondsToEnd()).isLessThanOrEqualTo(15);
        assertThat(world.clean().leftBehind()).contains("team-a/orders").contains("create the cluster again");
    }

    @Test
    void nothingIsAskedForAgainOnceTheNamespaceIsKnownToEnd() {
        world.settle();
        world.api.takeWrites();
        world.deleteNamespace();
        world.cluster.getMetadata().setDeletionTimestamp(null);
        for (int i = 0; i < 5; i++) {
            world.reconcile();
            world.kubelet();
            world.pass(Duration.ofSeconds(1));
        }
        List<String> refused = world.api.takeWrites();
        assertThat(refused).hasSizeLessThanOrEqualTo(1);
        assertThat(world.condition("Ready")).isEqualTo("False NamespaceTerminating");
        assertThat(world.condition("Degraded")).isEqualTo("False Stable");
    }

    private void foundationDb(DeletionPolicy policy) {
        world.edit(spec -> {
            spec.deletionPolicy = policy;
            spec.store.type = StoreType.FOUNDATION_DB;
            spec.store.foundationDB = new FoundationDbStore();
            spec.store.foundationDB.clusterFile.secretKeyRef.name = "fdb";
            spec.store.foundationDB.clusterFile.secretKeyRef.key = "fdb.cluster";
        });
    }

    private int secondsToEnd() {
        world.deleteNamespace();
        for (int second = 0; second < 1000; second++) {
            if (world.clean().done()) {
                assertThat(world.pods()).isEmpty();
                return second;
            }
            world.pass(Duration.ofSeconds(1));
            world.kubelet();
        }
        throw new AssertionError(
                "the cluster does not go; it waits for " + world.planDeletion().waitsFor());
    }
}
