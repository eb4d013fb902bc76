/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.crds.ComputeWorker;
import dev.ratchet.crds.ConditionType;
import dev.ratchet.crds.cluster.ComputeClusterSpec;
import dev.ratchet.crds.cluster.ResourceSlot;
import dev.ratchet.crds.cluster.SlotScope;
import dev.ratchet.crds.cluster.SlotSummary;
import dev.ratchet.crds.cluster.StorageSpec;
import dev.ratchet.operator.observe.WorkerReport;
import dev.ratchet.operator.status.Conditions;
import dev.ratchet.operator.world.World;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
        world.edit(spec -> spec.workers.slots = List.of(slot("gpu", 1), ofHost("port", 1)));
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
        refused(
                "spec.workers.slots[gpu] is there twice",
                spec -> spec.workers.slots = List.of(slot("gpu", 1), ofHost("gpu", 2)));
        refused("spec.workers.slots[gpu].count is -1", spec -> spec.workers.slots = List.of(slot("gpu", -1)));
        refused("spec.workers.sessions is -1", spec -> spec.workers.sessions = -1);
        assertThat(config()).contains("\"slots\":{\"gpu\":1}");
    }

    @Test
    void theScopeOfASlotIsChangedOnlyOnceNobodyHoldsIt() {
        world.edit(spec -> spec.workers.slots = List.of(slot("gpu", 2)));
        world.settle();
        String seat = world.api.all(ComputeWorker.class).keySet().iterator().next();
        says(seat, new WorkerReport.Slots("gpu", 2, 1, 0));
        refused("spec.workers.slots[gpu].scope", spec -> spec.workers.slots = List.of(ofHost("gpu", 2)));
        assertThat(world.plan().acceptance().message()).contains("set its count to 0", "status.slots", "held: 0");

        world.edit(spec -> spec.workers.slots = List.of(slot("gpu", 0)));
        world.settle();
        says(seat, new WorkerReport.Slots("gpu", 0, 1, 0));
        refused("spec.workers.slots[gpu].scope", spec -> spec.workers.slots = List.of(ofHost("gpu", 2)));
        says(seat, new WorkerReport.Slots("gpu", 0, 0, 0));
        world.settle();
        assertThat(world.plan().acceptance().isAccepted()).isTrue();
        assertThat(config()).contains("\"hostSlots\":{\"gpu\":2}");
    }

    @Test
    void aWorkerThatHasNotReadYetThatItHasNoneMayGrantOne() {
        world.edit(spec -> spec.workers.slots = List.of(slot("gpu", 0)));
        world.settle();
        String seat = world.api.all(ComputeWorker.class).keySet().iterator().next();
        says(seat, new WorkerReport.Slots("gpu", 2, 0, 0));
        refused("spec.workers.slots[gpu].scope", spec -> spec.workers.slots = List.of(ofHost("gpu", 2)));
    }

    @Test
    void aNameThatWasTakenAwayWhileHeldComesBackOnlyWithItsScope() {
        world.edit(spec -> spec.workers.slots = List.of(slot("gpu", 2)));
        world.settle();
        String seat = world.api.all(ComputeWorker.class).keySet().iterator().next();
        world.edit(spec -> spec.workers.slots = List.of());
        world.settle();
        says(seat, new WorkerReport.Slots("gpu", 0, 1, 0));
        refused("spec.workers.slots[gpu].scope", spec -> spec.workers.slots = List.of(ofHost("gpu", 2)));
        world.edit(spec -> spec.workers.slots = List.of(slot("gpu", 2)));
        world.settle();
        assertThat(world.plan().acceptance().isAccepted()).isTrue();

        world.edit(spec -> spec.workers.slots = List.of());
        world.settle();
        says(seat);
        world.edit(spec -> spec.workers.slots = List.of(ofHost("gpu", 2)));
        world.settle();
        assertThat(world.plan().acceptance().isAccepted()).isTrue();
    }

    @Test
    void whoWaitsForASlotThatNoWorkerHasIsToldByACondition() {
        world.edit(spec -> spec.workers.slots = List.of(slot("gpu", 1)));
        world.settle();
        String seat = world.api.all(ComputeWorker.class).keySet().iterator().next();
        says(seat, new WorkerReport.Slots("gpu", 1, 1, 5));
        assertThat(blocked()).as("while the slot is there, and held").isEmpty();

        says(seat, new WorkerReport.Slots("disk", 0, 0, 1), new WorkerReport.Slots("gpu", 0, 1, 5));
        assertThat(blocked()).hasValueSatisfying(condition -> {
            assertThat(condition.getStatus()).isEqualTo("True");
            assertThat(condition.getReason()).isEqualTo("NoSuchSlots");
            assertThat(condition.getMessage()).contains("no worker has: disk, gpu;", "spec.workers.slots");
        });

        says(seat, new WorkerReport.Slots("gpu", 0, 1, 0));
        assertThat(blocked()).isEmpty();
    }

    private Optional<Condition> blocked() {
        return Conditions.find(world.writeStatus().conditions, ConditionType.SESSIONS_BLOCKED);
    }

    private void says(String seat, WorkerReport.Slots... slots) {
        world.coordinator.slots(seat, slots);
        world.writeStatus();
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

    private static ResourceSlot ofHost(String name, int count) {
        ResourceSlot slot = slot(name, count);
        slot.scope = SlotScope.HOST;
        return slot;
    }

    private String config() {
        return config(world);
    }

    private static String config(World world) {
        return world.api.all(ConfigMap.class).get("orders-config").getData().get("cluster.json");
    }
}
