/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.control;

import com.apple.foundationdb.KeySelector;
import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.tuple.Versionstamp;
import dev.ratchet.dataflow.record.Counter;
import dev.ratchet.dataflow.record.DataflowStore;
import dev.ratchet.dataflow.record.LogPosition;
import dev.ratchet.environment.Environment;
import dev.ratchet.protocol.dataflow.v1.CircuitRecord;
import dev.ratchet.protocol.dataflow.v1.DivisionRecord;
import dev.ratchet.protocol.dataflow.v1.LogRecord;
import dev.ratchet.protocol.dataflow.v1.ProgressRecord;
import java.util.ArrayList;
import java.util.List;

/**
 * Says which input is in which step, and marks versions. What it remembers itself is only when and how large. Each call
 * is part of one transaction.
 */
final class Divider {

    private static final int RECORDS_READ = 2_000;
    private static final long LINES_FIRST = 20_000;
    private static final long LINES_MIN = 1_000;
    private static final long LINES_MAX = 1_000_000;
    private static final long BYTES_FIRST = 1 << 20;
    private static final long BYTES_MIN = 64 << 10;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final DataflowStore store;
    private final Environment environment;
    private final StepLimits limits;
    private final long term;
    private final AdaptiveLimit lines =
            new AdaptiveLimit(ProgressRecord::getStepLines, LINES_FIRST, LINES_MIN, LINES_MAX);
    private final AdaptiveLimit bytes;
    private long markedVersion = -1;
    private long markedNanos;
    private long markedBytes;
    private boolean isHeldUp;
    private boolean hasMore;

    Divider(DataflowStore store, Environment environment, StepLimits limits, long term) {
        this.store = store;
        this.environment = environment;
        this.limits = limits;
        this.term = term;
        long most = limits.stepBytes();
        this.bytes = new AdaptiveLimit(
                ProgressRecord::getStepBytes, Math.min(BYTES_FIRST, most), Math.min(BYTES_MIN, most), most);
    }

    /** Divides input that waits and marks a version where one is due; false where there is nothing to write. */
    boolean divide(Transaction transaction, ClusterRecords records) {
        remember(records);
        List<DivisionRecord.Builder> divisions =
                records.circuit().getSuspended() ? new ArrayList<>() : waiting(transaction, records);
        boolean marks = isMarkDue(records);
        if (marks && divisions.isEmpty()) {
            divisions.add(DivisionRecord.newBuilder().setEnd(records.last().getEnd()));
        }
        if (divisions.isEmpty()) {
            return false;
        }
        CircuitRecord.Builder circuit = records.circuit().toBuilder();
        if (marks) {
            long version = circuit.getVersion() + 1;
            divisions.get(divisions.size() - 1).setVersion(version);
            circuit.setVersion(version).setVersionStep(records.lastStep() + divisions.size());
        }
        write(transaction, records, divisions);
        if (records.circuit().getSuspectStep() > 0
                && records.finishedStep() >= records.circuit().getSuspectStep()) {
            circuit.setSuspectStep(0);
        }
        CircuitRecord changed = circuit.build();
        if (!changed.equals(records.circuit())) {
            DataflowStore.write(transaction, store.circuit(), changed);
        }
        return true;
    }

    /** Whether input may wait until processes or consumers have more of the steps that are divided. */
    boolean isHeldUp() {
        return isHeldUp;
    }

    /** Whether input may wait that could be divided at once. */
    boolean hasMore() {
        return hasMore;
    }

    private void remember(ClusterRecords records) {
        if (markedVersion != records.circuit().getVersion()) {
            markedVersion = records.circuit().getVersion();
            markedNanos = environment.nanoTime();
            markedBytes = records.last().getTotalBytes();
        }
        List<ProgressRecord> steps = records.progress().values().stream()
                .filter(progress -> progress.getRun() == records.run().getNumber())
                .toList();
        lines.follow(steps, limits.stepMillis());
        bytes.follow(steps, limits.stepMillis());
    }

    /** Divisions of the input that is in no step, as many as may be taken now. */
    private List<DivisionRecord.Builder> waiting(Transaction transaction, ClusterRecords records) {
        List<DivisionRecord.Builder> divisions = new ArrayList<>();
        isHeldUp = true;
        hasMore = false;
        long allowed = Math.min(records.finishedStep() + limits.ahead() - records.lastStep(), records.stepsUntilHeld());
        if (allowed <= 0) {
            return divisions;
        }
        List<KeyValue> heads = transaction
                .snapshot()
                .getRange(
                        KeySelector.firstGreaterThan(store.log().key(records.lastPosition())),
                        KeySelector.firstGreaterOrEqual(store.log().range().end),
                        RECORDS_READ,
                        false,
                        StreamingMode.WANT_ALL)
                .asList()
                .join();
        for (KeyValue row : heads) {
            LogRecord head = store.log().decode(row.getValue());
            Versionstamp position = store.log().elements(row.getKey()).getVersionstamp(0);
            DivisionRecord.Builder current = divisions.isEmpty() ? null : divisions.get(divisions.size() - 1);
            if (current == null
                    || current.getBytes() + head.getBytes() > bytes.limit()
                    || current.getLines() + head.getLines() > lines.limit()) {
                if (divisions.size() == allowed) {
                    return divisions;
                }
                current = DivisionRecord.newBuilder();
                divisions.add(current);
            }
            current.setEnd(LogPosition.encoded(position))
                    .setRecords(current.getRecords() + 1)
                    .setBytes(current.getBytes() + head.getBytes())
                    .setLines(current.getLines() + head.getLines());
        }
        isHeldUp = false;
        hasMore = heads.size() == RECORDS_READ;
        return divisions;
    }

    private void write(Transaction transaction, ClusterRecords records, List<DivisionRecord.Builder> divisions) {
        long step = records.lastStep();
        long total = records.last().getTotalBytes();
        for (DivisionRecord.Builder division : divisions) {
            step++;
            total += division.getBytes();
            DataflowStore.write(
                    transaction,
                    store.divisions(),
                    division.setTerm(term).setTotalBytes(total).build(),
                    step);
        }
        store.count(transaction, Counter.WAITING_BYTES, records.last().getTotalBytes() - total);
    }

    /**
     * Whether steps were taken since the last version, enough of them or long ago, and all have that one, processes as
     * consumers, who need what comes behind the one before it until then; or none were taken, but much of the log will
     * be cleared once there is a newer one.
     */
    private boolean isMarkDue(ClusterRecords records) {
        if (!mayMark(records)) {
            return false;
        }
        long computed = records.progress().values().stream()
                .filter(progress -> progress.getRun() == records.run().getNumber())
                .mapToLong(ProgressRecord::getComputedMillis)
                .max()
                .orElse(0);
        return records.circuit().getSuspended()
                || isLogLong(records)
                || millisUntilMark(records) <= 0
                || computed >= limits.replayMillis()
                || records.last().getTotalBytes() - markedBytes >= limits.replayBytes();
    }

    private boolean mayMark(ClusterRecords records) {
        CircuitRecord circuit = records.circuit();
        return (records.lastStep() > circuit.getVersionStep() || isLogLong(records))
                && records.finishedStep() >= circuit.getVersionStep()
                && records.isDurable(circuit.getVersion())
                && records.consumedStep() >= circuit.getVersionStep();
    }

    /** A log that is full takes no input, so that no step would ever follow behind which a version could be made. */
    private boolean isLogLong(ClusterRecords records) {
        CircuitRecord circuit = records.circuit();
        return !circuit.getSuspended()
                && records.lastStep() == circuit.getVersionStep()
                && circuit.getTrimmedStep() < circuit.getVersionStep()
                && records.last().getTotalBytes() - circuit.getTrimmedBytes() >= limits.replayBytes();
    }

    private long millisUntilMark(ClusterRecords records) {
        return records.circuit().getCheckpointIntervalMillis()
                - (environment.nanoTime() - markedNanos) / NANOS_PER_MILLI;
    }

    /** When a version will be due for its age; under 0 where none will. */
    long millisUntilDue(ClusterRecords records) {
        return records.isRunning() && mayMark(records) ? Math.max(0, millisUntilMark(records)) : -1;
    }
}
