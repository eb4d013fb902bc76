/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.crds.ConditionType;
import dev.ratchet.crds.cluster.StorageSpec;
import dev.ratchet.operator.world.World;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A cluster that is deleted, and created again under its name before everything of the first one is gone. */
class CreatedAgainTest {
    private final World world = new World();

    @Test
    void aNewClusterOfTheSameNameGetsItsOwnSpecAndItsOwnObjects() {
        world.scale(3);
        world.settle();
        world.createAgain();
        world.edit(spec -> {
            spec.workers.threads = 7;
            spec.workers.replicas = 2;
            spec.workers.storage = new StorageSpec();
        });
        assertThat(world.plan().acceptance().isAccepted())
                .as("what could not be changed in the former cluster is no matter")
                .isTrue();
        world.settle();
        assertThat(world.workers()).hasSize(2);
        assertThat(world.layouts()).containsOnlyKeys("orders-l1");
        assertThat(world.workerPods().values()).allSatisfy(pod -> assertThat(
                        pod.getSpec().getContainers().get(0).getEnv())
                .anyMatch(variable -> variable.getName().equals("RATCHET_THREADS")
                        && variable.getValue().equals("7")));
        assertThat(world.api.all(HasMetadata.class).values())
                .flatExtracting(object -> object.getMetadata().getOwnerReferences())
                .allMatch(owner ->
                        owner.getUid().equals(world.cluster.getMetadata().getUid()));
    }

    @Test
    void nothingIsMadeWhileTheFormerClusterIsStillThereAndTheConditionSaysSo() {
        world.scale(1);
        world.settle();
        world.createAgain();
        assertThat(world.plan().actions()).isEmpty();
        assertThat(world.plan().commands().commit()).isEmpty();
        assertThat(world.condition(ConditionType.READY)).isEqualTo("False FormerClusterRemains");
        assertThat(world.condition(ConditionType.PROGRESSING)).isEqualTo("True FormerClusterRemains");
        assertThat(world.condition(ConditionType.DEGRADED)).isEqualTo("False Stable");
        assertThat(world.writeStatus().conditions)
                .anySatisfy(condition -> assertThat(condition.getMessage()).contains("orders"));
        world.settle();
        assertThat(world.condition(ConditionType.READY)).isEqualTo("True AllWorkersReady");
    }

    @Test
    void aDeletedClusterGoesOnlyWhenAllThatItOwnsIsGone() {
        world.scale(2);
        world.settle();
        world.delete();
        for (int i = 0; i < 20 && !world.clean().done(); i++) {
            world.kubelet();
            world.pass(Duration.ofSeconds(1));
        }
        assertThat(world.clean().done()).isTrue();
        assertThat(world.api.all(HasMetadata.class)).isEmpty();
    }

    @Test
    void volumesThatWereRetainedAreUsedAgain() {
        world.edit(spec -> spec.workers.storage = new StorageSpec());
        world.settle();
        world.createAgain();
        world.settle();
        assertThat(world.workers()).hasSize(1);
        assertThat(world.snapshot().claims()).containsKey("data-orders-w-0");
    }
}
