/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import dev.ratchet.crds.cluster.CircuitOutput;
import dev.ratchet.crds.cluster.CircuitSpec;
import dev.ratchet.crds.cluster.ComputeClusterSpec;
import dev.ratchet.crds.cluster.OutputType;
import dev.ratchet.operator.model.CircuitConfigs;
import dev.ratchet.operator.plan.SpecRules.Problem;
import dev.ratchet.operator.status.Reason;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Owns what makes an output of a circuit unacceptable. */
final class OutputRules {

    /** It is the beginning of the names of files. */
    private static final Pattern NAME = Pattern.compile("^[A-Za-z_][A-Za-z0-9_]{0,62}$");

    private static final int RETAINED_STEPS_MAX = 100_000;

    private final List<Problem> problems = new ArrayList<>();

    private OutputRules() {}

    static List<Problem> of(ComputeClusterSpec spec, CircuitSpec circuit) {
        OutputRules rules = new OutputRules();
        MountedFolders folders = new MountedFolders(spec.workers.podTemplate);
        Set<String> names = new HashSet<>();
        Set<String> kept = new HashSet<>();
        Map<String, List<String>> keys = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (CircuitOutput output : circuit.outputs) {
            String path = "spec.circuit.outputs[" + output.name + "]";
            rules.output(path, output);
            if (output.files != null) {
                folders.refusalToWrite(path + ".files.folder", output.files.folder, spec.workers.replicas)
                        .ifPresent(rules::invalid);
            }
            if (!names.add(output.name)) {
                rules.invalid(path + ": the name is there twice; leave one out");
            } else if (output.http != null && !kept.add(CircuitConfigs.view(output))) {
                rules.invalid(path + ".view: the view " + CircuitConfigs.view(output)
                        + " has an output of type Http already; leave one out");
            }
            if (!output.key.isEmpty()) {
                rules.key(path + ".key", output, keys);
            }
        }
        return rules.problems;
    }

    private void output(String path, CircuitOutput output) {
        if (!NAME.matcher(output.name).matches()) {
            invalid(path + ".name must be at most 63 letters, digits and underscores and not start with a digit");
        }
        if (output.type == OutputType.KAFKA) {
            problems.add(new Problem(
                    Reason.NOT_SUPPORTED,
                    path + ": this release has no Kafka; use type Http or Files or leave it out, each view can be read"
                            + " over HTTP"));
            return;
        }
        Map<OutputType, Boolean> members = new TreeMap<>(Map.of(
                OutputType.KAFKA, output.kafka != null,
                OutputType.HTTP, output.http != null,
                OutputType.FILES, output.files != null));
        members.forEach((type, isSet) -> {
            if (isSet != (output.type == type)) {
                invalid(path + "." + word(type).toLowerCase(Locale.ROOT) + (isSet ? " must not be set" : " must be set")
                        + " if the type is " + word(output.type));
            }
        });
        if (output.http != null) {
            range(path + ".http.retainedSteps", output.http.retainedSteps);
        }
    }

    /** @param keys by view, of the outputs before, in any case */
    private void key(String path, CircuitOutput output, Map<String, List<String>> keys) {
        Set<String> columns = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        for (String column : output.key) {
            if (column.isBlank()) {
                invalid(path + " has a blank name; name columns of the view " + CircuitConfigs.view(output));
            } else if (!columns.add(column)) {
                invalid(path + ": the column " + column + " is there twice; leave one out");
            }
        }
        List<String> before = keys.putIfAbsent(CircuitConfigs.view(output), output.key);
        if (before != null && !before.equals(output.key)) {
            invalid(path + " is " + output.key + ", and another output of the view " + CircuitConfigs.view(output)
                    + " has " + before + "; a view is put out by one key: name the same, or leave one out");
        }
    }

    private static String word(OutputType type) {
        return switch (type) {
            case KAFKA -> "Kafka";
            case HTTP -> "Http";
            case FILES -> "Files";
        };
    }

    private void range(String path, long value) {
        if (value < 1 || value > RETAINED_STEPS_MAX) {
            invalid(path + " is " + value + " and must be from 1 to " + RETAINED_STEPS_MAX);
        }
    }

    private void invalid(String message) {
        problems.add(new Problem(Reason.INVALID_SPEC, message));
    }
}
