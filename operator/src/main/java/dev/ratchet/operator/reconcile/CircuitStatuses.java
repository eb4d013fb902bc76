/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.reconcile;

import dev.ratchet.crds.ConditionType;
import dev.ratchet.crds.Names;
import dev.ratchet.crds.cluster.CheckpointSummary;
import dev.ratchet.crds.cluster.CircuitSummary;
import dev.ratchet.crds.cluster.ComputeClusterSpec;
import dev.ratchet.crds.cluster.ComputeClusterStatus;
import dev.ratchet.crds.cluster.InputCount;
import dev.ratchet.crds.cluster.OutputCount;
import dev.ratchet.operator.model.CircuitConfigs;
import dev.ratchet.operator.model.Target;
import dev.ratchet.operator.observe.CoordinatorReport;
import dev.ratchet.operator.observe.Snapshot;
import dev.ratchet.operator.plan.Obstacle;
import dev.ratchet.operator.plan.ReconcilePlan;
import dev.ratchet.operator.status.Conditions;
import dev.ratchet.operator.status.Reason;
import dev.ratchet.protocol.coordinator.v1.CircuitReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Owns what a status says of a circuit: nothing for a cluster that has none. */
final class CircuitStatuses {
    private static final int ROWS_MAX = 256;
    private static final int MESSAGE_LENGTH_MAX = 2000;
    private static final String HOW_TO_DECIDE =
            " (a decision is given by the annotation " + Names.CIRCUIT_DECISION_ANNOTATION + " of the ComputeCluster)";

    private CircuitStatuses() {}

    /** Puts the conditions of the circuit. */
    static void put(Conditions conditions, Snapshot snapshot, ReconcilePlan plan) {
        Optional<ComputeClusterSpec> spec = plan.target().map(Target::spec).filter(found -> found.circuit != null);
        if (spec.isEmpty()) {
            return;
        }
        Optional<CircuitReport> report = report(snapshot);
        Optional<Obstacle> missing = plan.blocked().filter(by -> by.reason() == Reason.PROGRAM_MISSING);
        if (snapshot.clusterReport().isEmpty()) {
            conditions.putUnknown(ConditionType.CIRCUIT_RUNNING, Reason.COORDINATOR_UNREACHABLE, "");
        } else if (report.isPresent()) {
            Reason reason = reason(report.get());
            conditions.put(
                    ConditionType.CIRCUIT_RUNNING, reason == Reason.RUNNING, reason, message(reason, report.get()));
        } else if (missing.isPresent()) {
            conditions.put(
                    ConditionType.CIRCUIT_RUNNING,
                    false,
                    Reason.PROGRAM_MISSING,
                    missing.get().message());
        } else if (isTold(snapshot)) {
            conditions.put(
                    ConditionType.CIRCUIT_RUNNING, false, Reason.STARTING, "the workers have not read the program yet");
        } else {
            conditions.put(ConditionType.CIRCUIT_RUNNING, false, Reason.WAITING_FOR_LAYOUT, "");
        }
        if (spec.get().workers.storage == null) {
            conditions.put(
                    ConditionType.STATE_NOT_DURABLE,
                    true,
                    Reason.NO_VOLUMES,
                    "the state of the circuit on a worker goes with its pod, because spec.workers.storage is absent: if"
                            + " a pod is deleted, all steps are taken again from the input that the store still has,"
                            + " and the state is lost where that is not all; create a cluster with"
                            + " spec.workers.storage");
        } else {
            conditions.put(ConditionType.STATE_NOT_DURABLE, false, Reason.DURABLE, "");
        }
    }

    /** What was said last of the circuit; while nobody speaks, what was known before. */
    static @Nullable CircuitSummary summary(Snapshot snapshot, ReconcilePlan plan, ComputeClusterStatus before) {
        boolean has =
                plan.target().filter(target -> target.spec().circuit != null).isPresent();
        if (!has) {
            return null;
        }
        return report(snapshot)
                .map(report -> {
                    CircuitSummary summary = new CircuitSummary();
                    summary.state = reason(report).word();
                    summary.step = report.getStep();
                    summary.version = report.getVersion();
                    summary.programDigest = report.getProgramDigest();
                    summary.inputs = inputs(report);
                    summary.lagRows = summary.inputs.stream()
                            .mapToLong(input -> input.lagRows)
                            .sum();
                    summary.pendingBytes = report.getPendingBytes();
                    summary.outputs = outputs(report);
                    summary.lagSteps = summary.outputs.stream()
                            .mapToLong(output -> output.lagSteps)
                            .max()
                            .orElse(0);
                    summary.errorRows = report.getErrorRows();
                    return summary;
                })
                .orElse(before.circuit);
    }

    /** The last version that is durable; its time is when it was first seen. */
    static @Nullable CheckpointSummary checkpoint(Snapshot snapshot, ReconcilePlan plan, ComputeClusterStatus before) {
        boolean has =
                plan.target().filter(target -> target.spec().circuit != null).isPresent();
        CheckpointSummary last = has ? before.checkpoint : null;
        return report(snapshot)
                .filter(report -> has && report.getVersion() > 0)
                .filter(report -> last == null || last.version != report.getVersion())
                .map(report -> {
                    CheckpointSummary summary = new CheckpointSummary();
                    summary.version = report.getVersion();
                    summary.step = report.getVersionStep();
                    summary.time = Conditions.time(snapshot.now());
                    return summary;
                })
                .orElse(last);
    }

    private static Optional<CircuitReport> report(Snapshot snapshot) {
        return snapshot.clusterReport().flatMap(CoordinatorReport::circuit);
    }

    private static boolean isTold(Snapshot snapshot) {
        return CircuitConfigs.told(snapshot.configs().get(Names.config(snapshot.name())))
                .isPresent();
    }

    private static Reason reason(CircuitReport report) {
        return switch (report.getState()) {
            case CIRCUIT_STATE_PROGRAM_INVALID -> Reason.PROGRAM_INVALID;
            case CIRCUIT_STATE_WAITING_FOR_WORKER -> Reason.WAITING_FOR_WORKER;
            case CIRCUIT_STATE_RECOVERING -> Reason.RECOVERING;
            case CIRCUIT_STATE_RUNNING -> Reason.RUNNING;
            case CIRCUIT_STATE_SUSPENDED -> Reason.SUSPENDED;
            case CIRCUIT_STATE_STATE_LOST -> Reason.STATE_LOST;
            case CIRCUIT_STATE_STOPPED -> Reason.STOPPED;
            case CIRCUIT_STATE_UNSPECIFIED, UNRECOGNIZED -> Reason.UNKNOWN;
        };
    }

    private static String message(Reason reason, CircuitReport report) {
        String message = report.getMessage();
        String said = message.substring(0, Math.min(message.length(), MESSAGE_LENGTH_MAX));
        boolean decides = reason == Reason.STOPPED || reason == Reason.STATE_LOST;
        return decides ? (said.isEmpty() ? reason.text() : said) + HOW_TO_DECIDE : said;
    }

    private static List<InputCount> inputs(CircuitReport report) {
        List<InputCount> inputs = new ArrayList<>();
        for (String table : names(report.getReceivedRowsMap(), report.getLagRowsMap())) {
            InputCount input = new InputCount();
            input.name = table;
            input.rows = report.getReceivedRowsOrDefault(table, 0);
            input.rowsPerSecond = report.getReceivedRowsPerSecondOrDefault(table, 0);
            input.lagRows = report.getLagRowsOrDefault(table, 0);
            inputs.add(input);
        }
        return inputs;
    }

    private static List<OutputCount> outputs(CircuitReport report) {
        List<OutputCount> outputs = new ArrayList<>();
        for (String view : names(report.getViewRowsMap(), report.getLagStepsMap())) {
            OutputCount output = new OutputCount();
            output.name = view;
            output.rows = report.getViewRowsOrDefault(view, 0);
            output.rowsPerSecond = report.getViewRowsPerSecondOrDefault(view, 0);
            output.lagSteps = report.getLagStepsOrDefault(view, 0);
            outputs.add(output);
        }
        return outputs;
    }

    /** Also of those that wait without any row having gone through. */
    private static List<String> names(Map<String, Long> rows, Map<String, Long> lags) {
        Set<String> names = new TreeSet<>(rows.keySet());
        names.addAll(lags.keySet());
        return names.stream().limit(ROWS_MAX).toList();
    }
}
