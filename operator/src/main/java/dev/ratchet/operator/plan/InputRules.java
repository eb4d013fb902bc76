/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import dev.ratchet.crds.cluster.CircuitInput;
import dev.ratchet.crds.cluster.CircuitSpec;
import dev.ratchet.crds.cluster.ComputeClusterSpec;
import dev.ratchet.crds.cluster.ConnectorType;
import dev.ratchet.operator.plan.SpecRules.Problem;
import dev.ratchet.operator.status.Reason;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Owns what makes an input of a circuit unacceptable. */
final class InputRules {
    private final List<Problem> problems = new ArrayList<>();

    private InputRules() {}

    static List<Problem> of(ComputeClusterSpec spec, CircuitSpec circuit) {
        InputRules rules = new InputRules();
        Set<String> names = new HashSet<>();
        for (CircuitInput input : circuit.inputs) {
            String path = "spec.circuit.inputs[" + input.name + "]";
            rules.members(path, input);
            rules.input(path, input, new MountedFolders(spec.workers.podTemplate));
            if (!names.add(input.name)) {
                rules.invalid(path + ": the name is there twice; leave one out");
            }
        }
        return rules.problems;
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

    private void input(String path, CircuitInput input, MountedFolders mounts) {
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
            mounts.refusalToRead(path + ".files.folder", input.files.folder).ifPresent(this::invalid);
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
