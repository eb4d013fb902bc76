/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import dev.ratchet.crds.Names;
import dev.ratchet.crds.cluster.CircuitSpec;
import dev.ratchet.crds.cluster.KeyReference;
import dev.ratchet.operator.model.CircuitConfigs;
import dev.ratchet.operator.model.CircuitConfigs.Told;
import dev.ratchet.operator.model.Services;
import dev.ratchet.operator.model.Target;
import dev.ratchet.operator.observe.Snapshot;
import dev.ratchet.operator.status.Reason;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Owns what the workers are told of the circuit. Invariant: a program that they were told of stays while its ConfigMap
 * has none, so that nobody stops a circuit by deleting it. Whether another program can take the place of one that runs
 * is judged by the workers, which know both: they keep what runs and say why.
 */
final class CircuitPlanner {
    /** It shares the ConfigMap of the cluster, which may have a megabyte. */
    static final int PROGRAM_BYTES_MAX = 256 * 1024;

    static final int DECISION_LENGTH_MAX = 256;
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(5);

    private final Snapshot snapshot;
    private final Target target;
    private final LayoutDecision layout;
    private final PlanBuilder plan;

    CircuitPlanner(Snapshot snapshot, Target target, LayoutDecision layout, PlanBuilder plan) {
        this.snapshot = snapshot;
        this.target = target;
        this.layout = layout;
        this.plan = plan;
    }

    /** Plans the service: first, because clients are told its address. */
    void reachable() {
        String service = Names.circuitService(target.name());
        if (target.spec().circuit == null) {
            plan.delete(snapshot.services().get(service));
        } else {
            plan.apply(snapshot.services().get(service), Services.circuit(target));
            // Steps and rows are no news to be woken for, and are shown all the same.
            plan.wakeAt(snapshot.now().plus(LOOK_AGAIN));
        }
    }

    /** What to tell; empty for nothing. */
    Optional<Map<String, Object>> member() {
        CircuitSpec circuit = target.spec().circuit;
        if (circuit == null) {
            return Optional.empty();
        }
        return program(circuit)
                .map(program ->
                        CircuitConfigs.member(circuit, target.spec().workers.threads, program, decision(snapshot)));
    }

    private Optional<Map<String, Object>> program(CircuitSpec circuit) {
        Optional<Map<String, Object>> told = CircuitConfigs.told(
                        snapshot.configs().get(Names.config(target.name())))
                .filter(before -> before.name().equals(circuit.name))
                .map(Told::program);
        Optional<Map<String, Object>> given = circuit.classProgram == null
                ? given(circuit).map(CircuitConfigs::sql)
                : Optional.of(CircuitConfigs.ofClass(circuit.classProgram.artifact, circuit.classProgram.className));
        return told.isPresent() ? given.or(() -> told) : given.filter(program -> mayStart());
    }

    private Optional<String> given(CircuitSpec circuit) {
        Optional<ConfigMap> source =
                snapshot.program().filter(found -> found.getMetadata().getName().equals(reference(circuit).name));
        String program = source.map(ConfigMap::getData)
                .map(data -> data.get(reference(circuit).key))
                .orElse("");
        int bytes = program.getBytes(StandardCharsets.UTF_8).length;
        if (program.isBlank()) {
            String what = source.isEmpty() ? "is not there; create it" : "has no program under that key; put it there";
            plan.blocked(Reason.PROGRAM_MISSING, "the " + place(circuit) + " of spec.circuit.sql " + what);
            return Optional.empty();
        }
        if (bytes > PROGRAM_BYTES_MAX) {
            plan.blocked(
                    Reason.PROGRAM_MISSING,
                    "the program in " + place(circuit) + " has " + bytes + " bytes, and a program may have at most "
                            + PROGRAM_BYTES_MAX + "; make it shorter");
            return Optional.empty();
        }
        return Optional.of(program);
    }

    /**
     * A circuit begins on the workers of the layout in force and stays on them, so it waits until those are the wanted
     * ones; before the first layout they can be no others.
     */
    private boolean mayStart() {
        return layout.epoch() == 0
                || (layout.inForce().equals(layout.wanted())
                        && !layout.upgrade().isUnderWay());
    }

    private static KeyReference reference(CircuitSpec circuit) {
        return circuit.sql == null ? new KeyReference() : circuit.sql.configMapKeyRef;
    }

    private static String place(CircuitSpec circuit) {
        return "ConfigMap " + reference(circuit).name + ", key " + reference(circuit).key + ",";
    }

    private static String decision(Snapshot snapshot) {
        Map<String, String> annotations = snapshot.cluster().getMetadata().getAnnotations();
        String decision = annotations == null ? "" : annotations.getOrDefault(Names.CIRCUIT_DECISION_ANNOTATION, "");
        return decision.length() > DECISION_LENGTH_MAX ? "" : decision;
    }
}
