/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.control;

import dev.ratchet.dataflow.DataflowState;
import dev.ratchet.dataflow.DataflowStatus;
import dev.ratchet.dataflow.follow.Orders;
import dev.ratchet.dataflow.record.AcceptedProgram;
import dev.ratchet.protocol.dataflow.v1.CircuitRecord;
import dev.ratchet.protocol.dataflow.v1.ParticipantRecord;
import dev.ratchet.protocol.dataflow.v1.ProgressRecord;
import dev.ratchet.protocol.dataflow.v1.StopKind;
import dev.ratchet.protocol.dataflow.v1.StopRecord;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What the records say that the circuit does. */
public final class StatusOf {

    private StatusOf() {}

    /** As far as a process knows that only follows: without what others have told. */
    public static DataflowStatus orders(Orders orders, long step) {
        ClusterRecords known = ClusterRecords.of(orders, step);
        CircuitRecord circuit = orders.circuit();
        boolean named = !circuit.getName().isEmpty() && !circuit.getWithdrawn();
        DataflowState state = !named
                ? DataflowState.ABSENT
                : circuit.getProgramDigest().isEmpty() ? DataflowState.PROGRAM_INVALID : runState(known, null);
        String message =
                switch (state) {
                    case STOPPED -> stopped(circuit.getStop());
                    case STATE_LOST -> lost(circuit);
                    case RECOVERING -> orders.run().getEndReason();
                    default -> circuit.getRefusal();
                };
        return new DataflowStatus(
                state, message, step, 0, 0, circuit.getProgramDigest(), Map.of(), 0, Map.of(), Map.of(), Map.of(), 0);
    }

    /**
     * As far as the coordinator knows.
     *
     * @param waitsFor a seat whose process is not there, null where all are
     * @param lagRows by table, as in a {@link DataflowStatus}
     * @param built the program that this process has built last
     */
    static DataflowStatus records(
            ClusterRecords records,
            SettingsChange.Wanted wanted,
            @Nullable String waitsFor,
            Map<String, Long> lagRows,
            Optional<AcceptedProgram> built) {
        CircuitRecord circuit = records.circuit();
        Map<String, Long> received = new TreeMap<>();
        Map<String, Long> changed = new TreeMap<>();
        built.filter(program -> program.digest().equals(circuit.getProgramDigest()))
                .map(AcceptedProgram::program)
                .ifPresent(program -> {
                    program.tables().forEach(table -> received.put(table.name(), 0L));
                    program.views().forEach(view -> changed.put(view.name(), 0L));
                });
        long errors = 0;
        for (ProgressRecord progress : records.progress().values()) {
            progress.getReceivedRowsMap().forEach((table, rows) -> received.merge(table, rows, Math::max));
            progress.getViewRowsMap().forEach((view, rows) -> changed.merge(view, rows, Long::sum));
            errors += progress.getErrorRows();
        }
        DataflowState state = state(records, wanted, waitsFor);
        return new DataflowStatus(
                state,
                message(records, state, wanted, waitsFor),
                records.isRunning() ? records.finishedStep() : records.lastStep(),
                records.durableVersion(),
                records.stepOf(records.durableVersion()),
                circuit.getProgramDigest(),
                received,
                records.waitingBytes(),
                lagRows,
                changed,
                records.lagSteps(),
                errors);
    }

    private static DataflowState state(
            ClusterRecords records, SettingsChange.Wanted wanted, @Nullable String waitsFor) {
        CircuitRecord circuit = records.circuit();
        if (!wanted.isKnown()) {
            return circuit.getProgramDigest().isEmpty()
                    ? DataflowState.WAITING_FOR_WORKER
                    : circuit.getWithdrawn() ? DataflowState.ABSENT : runState(records, waitsFor);
        }
        if (wanted.settings().isEmpty()) {
            return DataflowState.ABSENT;
        }
        if (circuit.getProgramDigest().isEmpty()) {
            return wanted.program() == null ? DataflowState.PROGRAM_INVALID : DataflowState.WAITING_FOR_WORKER;
        }
        DataflowState state = runState(records, waitsFor);
        return state == DataflowState.RUNNING && wanted.program() == null ? DataflowState.PROGRAM_INVALID : state;
    }

    private static DataflowState runState(ClusterRecords records, @Nullable String waitsFor) {
        CircuitRecord circuit = records.circuit();
        if (circuit.hasStop()) {
            return circuit.getStop().getKind() == StopKind.STOP_KIND_STATE
                    ? DataflowState.STATE_LOST
                    : DataflowState.STOPPED;
        }
        if (circuit.getSuspended()) {
            return DataflowState.SUSPENDED;
        }
        if (!records.isRunning()) {
            return waitsFor == null
                    ? DataflowState.RECOVERING
                    : refusal(records, waitsFor).isEmpty()
                            ? DataflowState.WAITING_FOR_WORKER
                            : DataflowState.PROGRAM_INVALID;
        }
        return records.finishedStep() < records.run().getReplayedStep()
                ? DataflowState.RECOVERING
                : DataflowState.RUNNING;
    }

    private static String message(
            ClusterRecords records, DataflowState state, SettingsChange.Wanted wanted, @Nullable String waitsFor) {
        CircuitRecord circuit = records.circuit();
        return switch (state) {
            case STOPPED -> stopped(circuit.getStop());
            case STATE_LOST -> lost(circuit);
            case WAITING_FOR_WORKER ->
                circuit.getProgramDigest().isEmpty()
                        ? wanted.isKnown() ? "no layout is in force yet" : "the program is being built"
                        : "the circuit needs the worker " + waitsFor;
            case PROGRAM_INVALID ->
                waitsFor != null && !refusal(records, waitsFor).isEmpty()
                        ? waitsFor + " refuses the program: " + refusal(records, waitsFor)
                        : wanted.mistake() + (circuit.getProgramDigest().isEmpty() ? "" : "; the one before goes on");
            case RUNNING ->
                records.isHeld() && circuit.getRefusal().isEmpty()
                        ? "input waits for a feed or an output, which has the steps up to " + records.consumedStep()
                                + " only"
                        : circuit.getRefusal();
            case RECOVERING ->
                records.isRunning() ? circuit.getRefusal() : records.run().getEndReason();
            default -> circuit.getRefusal();
        };
    }

    /** Why the worker that is waited for does not run the program; empty where it has not said. */
    private static String refusal(ClusterRecords records, String seat) {
        ParticipantRecord participant =
                records.participants().getOrDefault(seat, ParticipantRecord.getDefaultInstance());
        return participant.getProgramDigest().equals(records.circuit().getProgramDigest())
                ? participant.getRefusal()
                : "";
    }

    private static String stopped(StopRecord stop) {
        if (stop.getKind() == StopKind.STOP_KIND_PLAN) {
            return stop.getMessage() + ". To look at the plan again, as with workers of another release, decide retry-"
                    + stop.getNumber() + "; to plan the text of the program anew, replan-" + stop.getNumber();
        }
        return "Step " + stop.getStep() + " can not be taken: " + stop.getMessage()
                + ". To leave its input out, decide skip-" + stop.getNumber() + "; to try it again, retry-"
                + stop.getNumber();
    }

    private static String lost(CircuitRecord circuit) {
        StopRecord stop = circuit.getStop();
        return stop.getMessage() + ". To begin with nothing behind step " + circuit.getTrimmedStep()
                + ", from the input that is still there, decide restart-" + stop.getNumber()
                + "; to look for the state again, retry-" + stop.getNumber();
    }
}
