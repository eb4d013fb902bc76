/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.crds.Names;
import dev.ratchet.crds.cluster.EmbeddedStoreSpec;
import dev.ratchet.crds.cluster.StorageSpec;
import dev.ratchet.operator.world.World;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StoreGuardTest {
    private final World world = new World();

    @Test
    void theIdOfTheFirstStoreIsRecordedAndNothingIsChangedWhileAnotherAnswers() {
        runOnAVolume();
        world.coordinator.storeId = "another";
        world.lose("orders-w-1");
        world.scale(4);
        assertThat(world.reconcile().actions()).isEmpty();
        assertThat(world.api.takeWrites()).isEmpty();
        assertThat(world.condition("Degraded")).isEqualTo("True WrongStore");
        assertThat(world.condition("Ready")).isEqualTo("False WrongStore");
        assertThat(world.writeStatus().store.id).isEqualTo("store-id");
        assertThat(world.writeStatus().layout.epoch).isPositive();
        assertThat(world.plan().blocked().orElseThrow().message())
                .contains("id another")
                .contains("store-id")
                .contains(Names.ACCEPT_STORE_ANNOTATION + ": \"another\"");
    }

    @Test
    void workGoesOnWhenTheFormerStoreIsBack() {
        runOnAVolume();
        world.coordinator.storeId = "another";
        world.scale(3);
        world.settle();
        assertThat(world.workerPods()).hasSize(2);
        world.coordinator.storeId = "store-id";
        world.settle();
        assertThat(world.workerPods()).hasSize(3);
        assertThat(world.condition("Ready")).isEqualTo("True AllWorkersReady");
    }

    @Test
    void aPersonCanAcceptThatStoreAndNoOther() {
        runOnAVolume();
        world.coordinator.storeId = "another";
        world.cluster.getMetadata().setAnnotations(Map.of(Names.ACCEPT_STORE_ANNOTATION, "some"));
        assertThat(world.condition("Degraded")).isEqualTo("True WrongStore");
        world.cluster.getMetadata().setAnnotations(Map.of(Names.ACCEPT_STORE_ANNOTATION, "another"));
        world.scale(3);
        world.settle();
        assertThat(world.writeStatus().store.id).isEqualTo("another");
        assertThat(world.workerPods()).hasSize(3);
        world.cluster.getMetadata().setAnnotations(Map.of());
        assertThat(world.condition("Ready")).isEqualTo("True AllWorkersReady");
    }

    @Test
    void aStoreWithoutAVolumeMayStartAnew() {
        world.scale(2);
        world.settle();
        world.writeStatus();
        world.coordinator.storeId = "another";
        assertThat(world.condition("Ready")).isEqualTo("True AllWorkersReady");
        assertThat(world.writeStatus().store.id).isEqualTo("another");
    }

    @Test
    void aClusterIsNotCleanedUpInAStoreThatIsNotItsOwn() {
        runOnAVolume();
        world.coordinator.storeId = "another";
        world.cluster.getMetadata().setDeletionTimestamp(world.snapshot().now().toString());
        DeletionPlanner.Step step = world.clean();
        assertThat(step.done()).isFalse();
        assertThat(step.plan().actions()).isEmpty();
        assertThat(step.waitsFor()).contains("another");
        world.cluster.getMetadata().setAnnotations(Map.of(Names.ABANDON_ANNOTATION, "true"));
        assertThat(world.clean().done()).isTrue();
    }

    private void runOnAVolume() {
        world.edit(spec -> {
            spec.store.embedded = new EmbeddedStoreSpec();
            spec.store.embedded.storage = new StorageSpec();
            spec.workers.replicas = 2;
        });
        world.settle();
        assertThat(world.writeStatus().store.id).isEqualTo("store-id");
        world.api.takeWrites();
    }
}
