/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.run;

import com.apple.foundationdb.KeySelector;
import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.tuple.Versionstamp;
import dev.ratchet.dataflow.follow.CounterWatch;
import dev.ratchet.dataflow.record.DataflowStore;
import dev.ratchet.dataflow.record.LogPosition;
import dev.ratchet.protocol.dataflow.v1.DivisionRecord;
import dev.ratchet.protocol.dataflow.v1.LogRecord;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Reads the requests of a step from the log. Safe for use by several threads. */
final class InputLogReader {

    private static final int DIVISIONS_READ = 16;
    private static final long TIMEOUT_MILLIS = 10_000;

    private final DataflowStore store;

    InputLogReader(DataflowStore store) {
        this.store = store;
    }

    /**
     * Divisions in their order.
     *
     * @param first the requests of the first one
     */
    record Divided(List<DivisionRecord> divisions, List<LoggedRequest> first) {}

    /**
     * The divisions behind a step whose input ends at a position, some of them where there are many. Blocks.
     *
     * @param news is set where there are no others, which saves a look behind the last one
     */
    Divided readAfter(long step, Versionstamp position, CounterWatch news) {
        return store.database().run(transaction -> {
            transaction.options().setTimeout(TIMEOUT_MILLIS);
            List<DivisionRecord> divisions = List.copyOf(store.divisionsAfter(transaction, step, DIVISIONS_READ)
                    .join()
                    .values());
            if (divisions.size() < DIVISIONS_READ) {
                news.set(transaction);
            }
            List<LoggedRequest> first =
                    divisions.isEmpty() ? List.of() : requests(transaction, position, divisions.getFirst());
            return new Divided(divisions, first);
        });
    }

    /** The requests behind a position up to the end of a division, in their order. Blocks. */
    List<LoggedRequest> read(Versionstamp after, DivisionRecord division) {
        return store.database().read(transaction -> {
            transaction.options().setTimeout(TIMEOUT_MILLIS);
            return requests(transaction, after, division);
        });
    }

    private List<LoggedRequest> requests(ReadTransaction transaction, Versionstamp after, DivisionRecord division) {
        if (division.getRecords() == 0 || division.getSkipped()) {
            return List.of();
        }
        Versionstamp end = LogPosition.decoded(division.getEnd());
        List<LoggedRequest> requests = requests(transaction, after, end);
        if (requests.size() != division.getRecords()) {
            throw new IllegalStateException("The log has " + requests.size() + " requests from "
                    + LogPosition.shown(after) + " to " + LogPosition.shown(end) + ", the division names "
                    + division.getRecords());
        }
        return requests;
    }

    private List<LoggedRequest> requests(ReadTransaction transaction, Versionstamp after, Versionstamp end) {
        CompletableFuture<List<KeyValue>> heads = transaction
                .getRange(
                        KeySelector.firstGreaterThan(store.log().key(after)),
                        KeySelector.firstGreaterThan(store.log().key(end)),
                        ReadTransaction.ROW_LIMIT_UNLIMITED,
                        false,
                        StreamingMode.WANT_ALL)
                .asList();
        Range rows = new Range(store.rows().range(after).end, store.rows().range(end).end);
        Iterator<KeyValue> chunks = transaction
                .getRange(rows, ReadTransaction.ROW_LIMIT_UNLIMITED, false, StreamingMode.WANT_ALL)
                .asList()
                .join()
                .iterator();
        List<LoggedRequest> requests = new ArrayList<>();
        for (KeyValue row : heads.join()) {
            LogRecord head = store.log().decode(row.getValue());
            ByteBuffer whole = ByteBuffer.allocate((int) head.getBytes());
            for (int chunk = 0; chunk < head.getChunks(); chunk++) {
                whole.put(chunks.next().getValue());
            }
            Versionstamp position = store.log().elements(row.getKey()).getVersionstamp(0);
            requests.add(new LoggedRequest(position, head, whole.array()));
        }
        return requests;
    }
}
