/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.control;

import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.tuple.Versionstamp;
import dev.ratchet.dataflow.record.Counter;
import dev.ratchet.dataflow.record.DataflowStore;
import dev.ratchet.dataflow.record.LogPosition;
import dev.ratchet.protocol.dataflow.v1.CircuitRecord;
import dev.ratchet.protocol.dataflow.v1.DivisionRecord;
import dev.ratchet.protocol.dataflow.v1.DurableRecord;
import dev.ratchet.store.keyspace.Table;
import java.util.Map;

/**
 * Clears what no step will be taken from again: what is before the oldest of the versions that are retained. Each call
 * is part of one transaction.
 */
final class LogTrimmer {

    /** While a version is being made some processes have it and some only the one before. */
    private static final int RETAINED_MIN = 2;

    private final DataflowStore store;
    private final StepLimits limits;

    LogTrimmer(DataflowStore store, StepLimits limits) {
        this.store = store;
        this.limits = limits;
    }

    /** Clears what can be; false where nothing can. */
    boolean trim(Transaction transaction, ClusterRecords records) {
        CircuitRecord circuit = records.circuit();
        long kept = circuit.getVersion() - Math.max(RETAINED_MIN, circuit.getRetainedVersions()) + 1;
        Map<String, DurableRecord> durable = records.durable().getOrDefault(kept, Map.of());
        if (kept < 1 || durable.isEmpty() || !records.isDurable(circuit.getVersion())) {
            return false;
        }
        long step = durable.values().iterator().next().getStep();
        if (step <= circuit.getTrimmedStep()) {
            return false;
        }
        DivisionRecord division = DataflowStore.read(
                        transaction, store.divisions(), DivisionRecord.getDefaultInstance(), step)
                .join();
        Versionstamp position = LogPosition.decoded(division.getEnd());
        clearBefore(transaction, store.log(), store.log().range(position).begin);
        clearBefore(transaction, store.rows(), store.rows().range(position).end);
        clearBefore(transaction, store.digests(), store.digests().range(step).end);
        clearBefore(transaction, store.durable(), store.durable().key(kept));
        long keptStep = Math.min(step, records.lastStep() - limits.keptDivisions());
        clearBefore(transaction, store.divisions(), store.divisions().key(keptStep));
        store.count(transaction, Counter.LOGGED_BYTES, circuit.getTrimmedBytes() - division.getTotalBytes());
        DataflowStore.write(
                transaction,
                store.circuit(),
                circuit.toBuilder()
                        .setTrimmedStep(step)
                        .setTrimmedPosition(division.getEnd())
                        .setTrimmedBytes(division.getTotalBytes())
                        .build());
        return true;
    }

    private static void clearBefore(Transaction transaction, Table<?> table, byte[] end) {
        table.clearBetween(transaction, table.range().begin, end);
    }
}
