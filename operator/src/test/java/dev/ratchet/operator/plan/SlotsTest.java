/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.crds.ComputeWorker;
import dev.ratchet.crds.cluster.ComputeClusterSpec;
import dev.ratchet.crds.cluster.ResourceSlot;
import dev.ratchet.crds.cluster.SlotScope;
import dev.ratchet.crds.cluster.SlotSummary;
import dev.ratchet.crds.cluster.StorageSpec;
import dev.ratchet.operator.observe.WorkerReport;
import dev.ratchet.operator.world.World;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Slots for sessions reach living workers by their configuration. */
class SlotsTest {

    private final World world = new World();

    @Test
    void slotsAndSessionsAreChangedWithoutOtherPods() {
        world.settle();
        Map<String, Pod> before = world.api.all(Pod.class);
        assertThat(config()).contains("\"slots\":{}").doesNotContain("\"sessions\"");
        world.edit(spec -> {
            spec.workers.slots = List.of(slot("gpu", 1), slot("disk", 0));
            spec.workers.sessions = 20;
        });
        world.settle();
        assertThat(config()).contains("\"slots\":{\"disk\":0,\"gpu\":1}", "\"sessions\":20");
        assertThat(world.api.all(Pod.class).keySet()).isEqualTo(before.keySet());
        before.forEach((name, pod) -> assertThat(
                        world.api.all(Pod.class).get(name).getMetadata().getUid())
                .as(name)
                .isEqualTo(pod.getMetadata().getUid()));
    }

    @Test
    void slotsOfAHostAreToldToWorkersByThemselves() {
        ResourceSlot port = slot("port", 1);
        port.scope = SlotScope.HOST;
        world.edit(spec -> spec.workers.slots = List.of(slot("gpu", 1), port));
        world.settle();
        assertThat(config()).contains("\"slots\":{\"gpu\":1}", "\"hostSlots\":{\"port\":1}");
    }

    @Test
    void workersAreToldByTheSameWayWhetherTheyHaveVolumes() {
        world.settle();
        assertThat(config()).doesNotContain("\"volumes\"");
        World withVolumes = new World();
        withVolumes.edit(spec -> spec.workers.storage = new StorageSpec());
        withVolumes.settle();
        assertThat(config(withVolumes)).contains("\"volumes\":true");
    }

    @Test
    void aNameIsOfSlotsOrOfAResourceThatTasksRequire() {
        refused("spec.workers.slots[license] has the name of a resource that tasks require", spec -> {
            spec.workers.slots = List.of(slot("license", 1));
            spec.workers.podTemplate = requiring("memoryBytes=8000000000, license=2");
        });
        world.edit(spec -> spec.workers.slots = List.of(slot("gpu", 1)));
        world.settle();
        assertThat(world.plan().acceptance().isAccepted()).isTrue();
    }

    @Test
    void slotsThatMakeNoSenseAreRefusedAndTheRunningOnesStay() {
        world.edit(spec -> spec.workers.slots = List.of(slot("gpu", 1)));
        world.settle();
        ResourceSlot ofHost = slot("gpu", 2);
        ofHost.scope = SlotScope.HOST;
        refused("spec.workers.slots[gpu] is there twice", spec -> spec.workers.slots = List.of(slot("gpu", 1), ofHost));
        refused("spec.workers.slots[gpu].count is -1", spec -> spec.workers.slots = List.of(slot("gpu", -1)));
        refused("spec.workers.sessions is -1", spec -> spec.workers.sessions = -1);
        assertThat(config()).contains("\"slots\":{\"gpu\":1}");
    }

    private void refused(String words, Consumer<ComputeClusterSpec> change) {
        world.edit(change);
        world.settle();
        assertThat(world.plan().acceptance().isAccepted()).as(words).isFalse();
        assertThat(world.plan().acceptance().message()).contains(words);
    }

    private static PodTemplateSpec requiring(String resources) {
        return new PodTemplateSpecBuilder()
                .withNewSpec()
                .addNewContainer()
                .withName("worker")
                .addNewEnv()
                .withName("RATCHET_RESOURCES")
                .withValue(resources)
                .endEnv()
                .endContainer()
                .endSpec()
                .build();
    }

    @Test
    void whatWorkersSayOfTheirSlotsIsInTheStatusOfEachAndOfAll() {
        world.edit(spec -> {
            spec.workers.replicas = 2;
            spec.workers.slots = List.of(slot("gpu", 2));
        });
        world.settle();
        List<String> seats =
                world.api.all(ComputeWorker.class).keySet().stream().sorted().toList();
        world.coordinator.slots(seats.get(0), new WorkerReport.Slots("gpu", 2, 2, 3));
        world.coordinator.slots(seats.get(1), new WorkerReport.Slots("gpu", 2, 1, 3));
        world.settle();
        assertThat(text(world.api.all(ComputeWorker.class).get(seats.get(0)).getStatus().slots))
                .containsExactly("gpu 2 2 3");
        assertThat(text(world.writeStatus().slots))
                .as("a session that waits is told of by each worker that could serve it")
                .containsExactly("gpu 4 3 3");
    }

    private static List<String> text(List<SlotSummary> slots) {
        return slots.stream()
                .map(one -> one.name + " " + one.capacity + " " + one.held + " " + one.waiting)
                .toList();
    }

    private static ResourceSlot slot(String name, int count) {
        ResourceSlot slot = new ResourceSlot();
        slot.name = name;
        slot.count = count;
        return slot;
    }

    private String config() {
        return config(world);
    }

    private static String config(World world) {
        return world.api.all(ConfigMap.class).get("orders-config").getData().get("cluster.json");
    }
}
