/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.control;

import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.tuple.Versionstamp;
import com.google.protobuf.ByteString;
import dev.ratchet.dataflow.record.Counter;
import dev.ratchet.dataflow.record.DataflowStore;
import dev.ratchet.dataflow.record.LogPosition;
import dev.ratchet.protocol.dataflow.v1.CircuitRecord;
import dev.ratchet.protocol.dataflow.v1.DivisionRecord;
import dev.ratchet.protocol.dataflow.v1.DurableRecord;
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
        clearLog(transaction, division.getEnd());
        transaction.clear(store.digests().range().begin, store.digests().range(step).end);
        transaction.clear(store.durable().range().begin, store.durable().key(kept));
        transaction.clear(
                store.divisions().range().begin,
                store.divisions().key(Math.min(step, records.lastStep() - limits.keptDivisions())));
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

    private void clearLog(Transaction transaction, ByteString end) {
        Versionstamp position = LogPosition.decoded(end);
        transaction.clear(store.log().range().begin, store.log().range(position).begin);
        transaction.clear(store.rows().range().begin, store.rows().range(position).end);
    }
}
