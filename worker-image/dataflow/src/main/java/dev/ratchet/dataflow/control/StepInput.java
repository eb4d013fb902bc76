/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.control;

import com.apple.foundationdb.KeySelector;
import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.tuple.Versionstamp;
import dev.ratchet.dataflow.record.DataflowStore;
import dev.ratchet.dataflow.record.LogPosition;
import dev.ratchet.protocol.dataflow.v1.DivisionRecord;
import dev.ratchet.protocol.dataflow.v1.LogRecord;
import java.util.List;
import java.util.StringJoiner;

/** Names the input of a step for a person who is to decide about it. Stateless. */
final class StepInput {

    private static final int REQUESTS_NAMED = 10;

    private StepInput() {}

    /**
     * The end of a sentence with the position of the step's end and its first requests; empty where it is not known.
     */
    static String of(ReadTransaction transaction, DataflowStore store, long step) {
        DivisionRecord division = read(transaction, store, step);
        if (division.getRecords() == 0) {
            return "";
        }
        Versionstamp before =
                LogPosition.decoded(read(transaction, store, step - 1).getEnd());
        List<KeyValue> heads = transaction
                .getRange(
                        KeySelector.firstGreaterThan(store.log().key(before)),
                        KeySelector.firstGreaterThan(store.log().key(LogPosition.decoded(division.getEnd()))),
                        REQUESTS_NAMED,
                        false,
                        StreamingMode.WANT_ALL)
                .asList()
                .join();
        StringJoiner requests = new StringJoiner("; ");
        for (KeyValue row : heads) {
            LogRecord head = store.log().decode(row.getValue());
            requests.add(
                    head.getProducer().isEmpty()
                            ? "a request without a producer"
                            : "producer " + head.getProducer() + ", sequence " + head.getSequence());
        }
        if (division.getRecords() > heads.size()) {
            requests.add("others");
        }
        return " (input up to position " + LogPosition.shown(LogPosition.decoded(division.getEnd())) + ": " + requests
                + ")";
    }

    private static DivisionRecord read(ReadTransaction transaction, DataflowStore store, long step) {
        return DataflowStore.read(transaction, store.divisions(), DivisionRecord.getDefaultInstance(), step)
                .join();
    }
}
