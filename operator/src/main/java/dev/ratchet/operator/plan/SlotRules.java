/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import dev.ratchet.crds.Names;
import dev.ratchet.crds.cluster.ComputeClusterSpec;
import dev.ratchet.crds.cluster.ResourceSlot;
import dev.ratchet.crds.cluster.SlotSummary;
import dev.ratchet.operator.plan.SpecRules.Problem;
import dev.ratchet.operator.status.Reason;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Owns what makes the slots of sessions unacceptable. A name is of slots or of a resource that tasks require, and never
 * of both: a task that takes an amount of it and a session that holds it would not know of each other.
 */
final class SlotRules {

    private static final String RESOURCES = "RATCHET_RESOURCES";
    private static final String PATH = "spec.workers.slots";
    private static final int NAMES_MAX = 16;
    private static final int COUNT_MAX = 1_024;
    private static final int SESSIONS_MAX = 100_000;

    private final List<Problem> problems = new ArrayList<>();

    private SlotRules() {}

    static List<Problem> of(ComputeClusterSpec spec) {
        SlotRules rules = new SlotRules();
        List<ResourceSlot> slots = spec.workers.slots;
        if (slots.size() > NAMES_MAX) {
            rules.invalid(PATH + " has " + slots.size() + " names and may have at most " + NAMES_MAX);
        }
        Set<String> ofTasks = resources(spec.workers.podTemplate);
        Set<String> names = new HashSet<>();
        slots.forEach(slot -> rules.slot(slot, names, ofTasks));
        Integer sessions = spec.workers.sessions;
        if (sessions != null && (sessions < 0 || sessions > SESSIONS_MAX)) {
            rules.invalid("spec.workers.sessions is " + sessions + " and must be from 0 to " + SESSIONS_MAX);
        }
        return rules.problems;
    }

    /**
     * What is wrong with the scopes after those of before. The slots of a worker and those of a host are granted apart,
     * so one that is held in the one scope would be granted once more in the other.
     *
     * @param accepted what was accepted before, latest first
     * @param stands how the slots stand, as the workers said last
     */
    static List<Problem> ofChange(
            List<ComputeClusterSpec> accepted, ComputeClusterSpec spec, List<SlotSummary> stands) {
        SlotRules rules = new SlotRules();
        for (ResourceSlot slot : spec.workers.slots) {
            boolean changes = accepted.stream()
                    .flatMap(before -> named(slot.name, before))
                    .findFirst()
                    .filter(before -> before.scope != slot.scope)
                    .isPresent();
            boolean granted = accepted.stream()
                    .limit(1)
                    .flatMap(before -> named(slot.name, before))
                    .anyMatch(before -> before.count > 0);
            // A worker that still has some has not read yet that there are none.
            boolean held = stands.stream()
                    .filter(one -> one.name.equals(slot.name))
                    .anyMatch(one -> one.capacity > 0 || one.held > 0);
            if (changes && (granted || held)) {
                rules.invalid(PATH + "[" + slot.name + "].scope can not be changed while sessions may hold one: put the"
                        + " old scope back, set its count to 0, wait until status.slots says capacity: 0 and held: 0,"
                        + " then change it");
            }
        }
        return rules.problems;
    }

    private static Stream<ResourceSlot> named(String name, ComputeClusterSpec spec) {
        return spec.workers.slots.stream().filter(slot -> slot.name.equals(name));
    }

    private void slot(ResourceSlot slot, Set<String> names, Set<String> ofTasks) {
        String path = PATH + "[" + slot.name + "]";
        if (!names.add(slot.name)) {
            invalid(path + " is there twice; a name has slots of each worker or of each host, once");
        }
        if (ofTasks.contains(slot.name)) {
            invalid(path + " has the name of a resource that tasks require, too (" + RESOURCES + " in"
                    + " spec.workers.podTemplate.spec.containers[" + Names.WORKER_CONTAINER + "].env); what a session"
                    + " holds exclusively must have another name, and tasks that need it run in a session");
        }
        if (slot.count < 0 || slot.count > COUNT_MAX) {
            invalid(path + ".count is " + slot.count + " and must be from 0 to " + COUNT_MAX);
        }
    }

    /** What the workers say that tasks may require, as far as it is written in the template itself. */
    private static Set<String> resources(@Nullable PodTemplateSpec template) {
        if (template == null || template.getSpec() == null) {
            return Set.of();
        }
        return template.getSpec().getContainers().stream()
                .filter(container -> Names.WORKER_CONTAINER.equals(container.getName()))
                .map(Container::getEnv)
                .flatMap(List::stream)
                .filter(variable -> RESOURCES.equals(variable.getName()))
                .map(EnvVar::getValue)
                .flatMap(value -> value == null ? Stream.empty() : Stream.of(value.split(",")))
                .map(pair -> pair.strip().split("=", 2)[0])
                .collect(Collectors.toUnmodifiableSet());
    }

    private void invalid(String message) {
        problems.add(new Problem(Reason.INVALID_SPEC, message));
    }
}
