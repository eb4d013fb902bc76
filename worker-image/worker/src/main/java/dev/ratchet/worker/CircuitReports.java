/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import dev.ratchet.dataflow.DataflowState;
import dev.ratchet.dataflow.DataflowStatus;
import dev.ratchet.protocol.coordinator.v1.CircuitReport;
import dev.ratchet.protocol.coordinator.v1.CircuitState;
import java.util.Map;
import java.util.TreeMap;

/** What the operator is told of the circuit, one after the other. Safe for use by several threads. */
final class CircuitReports {

    private static final int MOST_NAMES = 256;

    private final RowRates received = new RowRates();
    private final RowRates changed = new RowRates();

    CircuitReport of(DataflowStatus status, long nowNanos) {
        return status.state() == DataflowState.ABSENT
                ? CircuitReport.getDefaultInstance()
                : CircuitReport.newBuilder()
                        .setState(state(status.state()))
                        .setMessage(status.message())
                        .setStep(status.step())
                        .setVersion(status.version())
                        .setVersionStep(status.versionStep())
                        .setProgramDigest(status.programDigest())
                        .putAllReceivedRows(first(status.receivedRows()))
                        .putAllViewRows(first(status.viewRows()))
                        .setPendingBytes(status.pendingBytes())
                        .setErrorRows(status.errorRows())
                        .putAllReceivedRowsPerSecond(first(received.of(status.receivedRows(), nowNanos)))
                        .putAllViewRowsPerSecond(first(changed.of(status.viewRows(), nowNanos)))
                        .putAllLagRows(first(status.lagRows()))
                        .putAllLagSteps(first(status.lagSteps()))
                        .build();
    }

    private static CircuitState state(DataflowState state) {
        return switch (state) {
            case ABSENT -> CircuitState.CIRCUIT_STATE_UNSPECIFIED;
            case PROGRAM_INVALID -> CircuitState.CIRCUIT_STATE_PROGRAM_INVALID;
            case WAITING_FOR_WORKER -> CircuitState.CIRCUIT_STATE_WAITING_FOR_WORKER;
            case RECOVERING -> CircuitState.CIRCUIT_STATE_RECOVERING;
            case RUNNING -> CircuitState.CIRCUIT_STATE_RUNNING;
            case SUSPENDED -> CircuitState.CIRCUIT_STATE_SUSPENDED;
            case STATE_LOST -> CircuitState.CIRCUIT_STATE_STATE_LOST;
            case STOPPED -> CircuitState.CIRCUIT_STATE_STOPPED;
        };
    }

    private static Map<String, Long> first(Map<String, Long> rows) {
        TreeMap<String, Long> named = new TreeMap<>(rows);
        while (named.size() > MOST_NAMES) {
            named.pollLastEntry();
        }
        return named;
    }
}
