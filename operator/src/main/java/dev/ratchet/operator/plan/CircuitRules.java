/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import dev.ratchet.crds.cluster.CircuitSpec;
import dev.ratchet.crds.cluster.CircuitType;
import dev.ratchet.crds.cluster.ClassProgramSpec;
import dev.ratchet.crds.cluster.ComputeClusterSpec;
import dev.ratchet.crds.cluster.UpgradeStrategy;
import dev.ratchet.crds.schema.ChangeImpact;
import dev.ratchet.crds.schema.Patterns;
import dev.ratchet.operator.plan.SpecRules.Problem;
import dev.ratchet.operator.status.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Owns what makes a circuit unacceptable, and which edits of a cluster that runs one: this release moves no state
 * between workers, so the workers that a circuit began with stay as they are.
 */
final class CircuitRules {
    private static final Pattern NAME = Pattern.compile("^[a-z]([-a-z0-9]*[a-z0-9])?$");
    private static final Pattern ARTIFACT = Pattern.compile(Patterns.SHA256);
    private static final Pattern CLASS_NAME = Pattern.compile(Patterns.CLASS_NAME);
    private static final int CLASS_NAME_LENGTH_MAX = 512;
    /** All talk to all. */
    private static final int WORKERS_MAX = 64;

    private static final String CIRCUIT = "spec.circuit.";
    private static final String STORE = "spec.store.embedded";
    private static final String KEEP = "; put the old value back, or remove spec.circuit first and then add one of"
            + " another name, which begins with nothing";

    private final List<Problem> problems = new ArrayList<>();

    private CircuitRules() {}

    /** What is wrong with the circuit of {@code spec} whatever was there before. */
    static List<Problem> of(ComputeClusterSpec spec) {
        CircuitRules rules = new CircuitRules();
        if (spec.circuit != null) {
            rules.program(spec.circuit);
            rules.problems.addAll(InputRules.of(spec, spec.circuit));
            rules.problems.addAll(OutputRules.of(spec, spec.circuit));
            rules.state(spec.circuit);
            rules.workers(spec.workers.replicas);
        }
        return rules.problems;
    }

    /**
     * What is wrong with a change to {@code after} of a cluster that runs a circuit and keeps it; empty for nothing.
     */
    static Optional<Problem> ofChange(SpecDifference difference, ComputeClusterSpec after) {
        String path = difference.path();
        if (path.equals("spec.workers.replicas") || path.equals("spec.workers.threads")) {
            return Optional.of(new Problem(
                    Reason.NOT_SUPPORTED,
                    path + " can not be changed while there is a circuit: this release moves none of its state to"
                            + " other workers or threads" + KEEP));
        }
        // Programs reach workers by their configuration, and they judge them.
        boolean replaces = difference.change() == ChangeImpact.UPGRADE
                && !path.startsWith(STORE)
                && (!path.startsWith(CIRCUIT) || path.startsWith(CIRCUIT + "http"));
        boolean staysPut = after.upgrade.strategy == UpgradeStrategy.IN_PLACE;
        if (replaces && !staysPut) {
            return Optional.of(new Problem(
                    Reason.NOT_SUPPORTED,
                    path + " can not be changed: it replaces the workers by others, and this release moves no state of"
                            + " a circuit to them; set spec.upgrade.strategy to InPlace, or"
                            + " else" + KEEP.substring(1)));
        }
        return Optional.empty();
    }

    private void program(CircuitSpec circuit) {
        if (!NAME.matcher(circuit.name).matches() || circuit.name.length() > 63) {
            invalid("spec.circuit.name is '" + circuit.name + "' and must be at most 63 lower-case letters, digits and"
                    + " hyphens and start with a letter");
        }
        if (circuit.type == CircuitType.CLASS) {
            ofClass(circuit);
        } else if (circuit.sql == null || circuit.classProgram != null) {
            invalid("spec.circuit.sql must be set and class must not if the type is SQL");
        } else if (circuit.sql.configMapKeyRef.name.isEmpty() || circuit.sql.configMapKeyRef.key.isEmpty()) {
            invalid("spec.circuit.sql.configMapKeyRef must name a ConfigMap and a key of it");
        }
    }

    private void ofClass(CircuitSpec circuit) {
        ClassProgramSpec program = circuit.classProgram;
        if (program == null || circuit.sql != null) {
            invalid("spec.circuit.class must be set and sql must not if the type is Class");
            return;
        }
        if (!ARTIFACT.matcher(program.artifact).matches()) {
            invalid("spec.circuit.class.artifact is '" + program.artifact + "' and must be sha256: and the 64 digits"
                    + " that ratchet circuit upload prints");
        }
        if (!CLASS_NAME.matcher(program.className).matches() || program.className.length() > CLASS_NAME_LENGTH_MAX) {
            invalid("spec.circuit.class.className is '" + program.className + "' and must be the full name of a Java"
                    + " class, at most " + CLASS_NAME_LENGTH_MAX + " characters, such as com.example.Totals");
        }
    }

    private void state(CircuitSpec circuit) {
        range("spec.circuit.checkpoint.intervalMillis", circuit.checkpoint.intervalMillis, 100, 86_400_000);
        range("spec.circuit.checkpoint.retainedVersions", circuit.checkpoint.retainedVersions, 2, 1000);
        if (!circuit.checkpoint.location.isEmpty()) {
            unsupported("spec.circuit.checkpoint.location: this release copies no state elsewhere; leave it empty and"
                    + " give workers volumes by spec.workers.storage");
        }
    }

    private void workers(int replicas) {
        if (replicas < 1 || replicas > WORKERS_MAX) {
            unsupported("spec.workers.replicas is " + replicas + ", and this release runs a circuit on 1 to "
                    + WORKERS_MAX + " workers");
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

    private void unsupported(String message) {
        problems.add(new Problem(Reason.NOT_SUPPORTED, message));
    }
}
