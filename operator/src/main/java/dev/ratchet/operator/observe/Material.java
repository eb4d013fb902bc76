/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.observe;

import dev.ratchet.crds.worker.ReportedWorkerState;
import dev.ratchet.protocol.coordinator.v1.CircuitReport;
import java.util.Map;
import java.util.Optional;

/**
 * Owns which news of a coordinator are worth a reconcile. What busy workers hold changes with every future and is not,
 * except where a worker drains and everybody waits for it to reach zero. Slots that sessions take are worth one every
 * few seconds.
 */
final class Material {
    private Material() {}

    static boolean differs(CoordinatorReport before, CoordinatorReport now) {
        return before.term() != now.term()
                || !before.coordinatorSeat().equals(now.coordinatorSeat())
                || !before.layout().equals(now.layout())
                || !before.storeId().equals(now.storeId())
                || before.storeFormat() != now.storeFormat()
                || before.formatCommon() != now.formatCommon()
                || !before.workers().keySet().equals(now.workers().keySet())
                || !essence(before.circuit()).equals(essence(now.circuit()))
                || workersDiffer(before.workers(), now.workers());
    }

    /** Whether sessions hold other slots, or wait for others. */
    static boolean slotsDiffer(CoordinatorReport before, CoordinatorReport now) {
        return now.workers().values().stream().anyMatch(report -> {
            WorkerReport old = before.workers().get(report.seat());
            return old == null || !old.slots().equals(report.slots());
        });
    }

    /** Steps and rows are looked at from time to time. */
    private static Optional<CircuitReport> essence(Optional<CircuitReport> report) {
        return report.map(circuit -> CircuitReport.newBuilder()
                .setState(circuit.getState())
                .setMessage(circuit.getMessage())
                .setProgramDigest(circuit.getProgramDigest())
                .build());
    }

    private static boolean workersDiffer(Map<String, WorkerReport> before, Map<String, WorkerReport> now) {
        return now.values().stream().anyMatch(report -> {
            WorkerReport old = before.get(report.seat());
            return old == null || !essence(old).equals(essence(report));
        });
    }

    private static WorkerReport essence(WorkerReport report) {
        boolean drains = report.state() == ReportedWorkerState.DRAINING;
        WorkerReport.Held none =
                new WorkerReport.Held(0, 0, 0, 0, report.holds().shards());
        return new WorkerReport(
                report.seat(),
                report.incarnation(),
                report.state(),
                report.host(),
                report.podUid(),
                report.address(),
                report.version(),
                drains ? report.holds() : none,
                report.drained(),
                report.parks(),
                report.parked(),
                report.trial().settled(),
                report.slots().stream().map(WorkerReport.Slots::settled).toList(),
                WorkerReport.Evacuation.NONE);
    }
}
