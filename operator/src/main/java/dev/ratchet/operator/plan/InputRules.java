/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import dev.ratchet.crds.Names;
import dev.ratchet.crds.cluster.Circuit;
import dev.ratchet.crds.cluster.CircuitInput;
import dev.ratchet.crds.cluster.ComputeClusterSpec;
import dev.ratchet.crds.cluster.ConnectorType;
import dev.ratchet.operator.plan.SpecRules.Problem;
import dev.ratchet.operator.status.Reason;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Owns what makes an input of a circuit unacceptable. */
final class InputRules {
    private final List<Problem> problems = new ArrayList<>();

    private InputRules() {}

    static List<Problem> of(ComputeClusterSpec spec, Circuit circuit) {
        InputRules rules = new InputRules();
        Set<String> names = new HashSet<>();
        for (CircuitInput input : circuit.inputs) {
            String path = "spec.circuit.inputs[" + input.name + "]";
            rules.members(path, input);
            rules.input(path, input, mounts(spec.workers.podTemplate));
            if (!names.add(input.name)) {
                rules.invalid(path + ": the name is there twice; leave one out");
            }
        }
        return rules.problems;
    }

    private static List<VolumeMount> mounts(@Nullable PodTemplateSpec template) {
        return template == null || template.getSpec() == null
                ? List.of()
                : template.getSpec().getContainers().stream()
                        .filter(container -> Names.WORKER_CONTAINER.equals(container.getName()))
                        .flatMap(container -> container.getVolumeMounts().stream())
                        .toList();
    }

    private void members(String path, CircuitInput input) {
        Map<ConnectorType, Boolean> members = new TreeMap<>(Map.of(
                ConnectorType.KAFKA, input.kafka != null,
                ConnectorType.CLOCK, input.clock != null,
                ConnectorType.NEXMARK, input.nexmark != null,
                ConnectorType.FILES, input.files != null));
        members.forEach((type, isSet) -> {
            if (isSet != (input.type == type)) {
                String word = input.type.name().toLowerCase(Locale.ROOT);
                invalid(path + "." + type.name().toLowerCase(Locale.ROOT)
                        + (isSet ? " must not be set" : " must be set") + " if the type is "
                        + word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1));
            }
        });
    }

    private void input(String path, CircuitInput input, List<VolumeMount> mounts) {
        if (input.kafka != null) {
            problems.add(new Problem(
                    Reason.NOT_SUPPORTED,
                    path + ": this release has no Kafka; leave it out, each table can be fed over HTTP"));
        }
        if (input.clock != null) {
            range(path + ".clock.intervalMillis", input.clock.intervalMillis, 10, 86_400_000);
        }
        if (input.nexmark != null) {
            range(path + ".nexmark.eventsPerSecond", input.nexmark.eventsPerSecond, 1, 1_000_000);
            range(path + ".nexmark.seed", input.nexmark.seed, 0, Long.MAX_VALUE);
            range(path + ".nexmark.events", input.nexmark.events, 0, Long.MAX_VALUE);
        }
        if (input.files != null) {
            range(path + ".files.periodMillis", input.files.periodMillis, 100, 3_600_000);
            folder(path + ".files.folder", input.files.folder, mounts);
        }
    }

    /** Only what was mounted for it is read, never what the operator mounts, such as keys. */
    private void folder(String path, String folder, List<VolumeMount> mounts) {
        Path normal = Path.of(folder).normalize();
        if (!normal.isAbsolute() || mounts.stream().noneMatch(mount -> normal.startsWith(mount.getMountPath()))) {
            invalid(path + " is '" + folder + "' and must lie in a volume that spec.workers.podTemplate mounts into the"
                    + " container " + Names.WORKER_CONTAINER + "; add a volume and a volumeMount for it");
        }
    }

    private void range(String path, long value, long min, long max) {
        if (value < min || value > max) {
            invalid(path + " is " + value + " and must be from " + min + " to " + max);
        }
    }

    private void invalid(String message) {
        problems.add(new Problem(Reason.INVALID_SPEC, message));
    }
}
