/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.control;

import com.apple.foundationdb.KeySelector;
import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.tuple.Versionstamp;
import dev.ratchet.dataflow.record.DataflowStore;
import dev.ratchet.dataflow.record.LogPosition;
import dev.ratchet.environment.Environment;
import dev.ratchet.protocol.dataflow.v1.CircuitRecord;
import dev.ratchet.protocol.dataflow.v1.DivisionRecord;
import dev.ratchet.protocol.dataflow.v1.LogRecord;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Counts, for each table, the rows in the log that no step has taken on all workers: it adds those of requests that
 * have come since it looked last and subtracts those of requests that were taken since, so that a look costs what has
 * changed and not what waits. What it knows is as of its last look. One thread.
 */
final class InputLag {

    static final int RECORDS_READ = 5_000;

    private static final long PERIOD_MILLIS = 200;
    private static final long MORE_MILLIS = 20;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final DataflowStore store;
    private final Environment environment;
    private final int recordsRead;
    private long dueNanos;
    private boolean isWhole;

    /** All requests up to here are taken. */
    private Versionstamp taken = LogPosition.START;

    /** All requests behind {@link #taken} up to here are counted. */
    private Versionstamp counted = LogPosition.START;

    private Map<String, Long> rows = Map.of();

    /** @param recordsRead requests that one look adds and subtracts at most: several looks know what is more */
    InputLag(DataflowStore store, Environment environment, int recordsRead) {
        this.store = store;
        this.environment = environment;
        this.recordsRead = recordsRead;
        this.dueNanos = environment.nanoTime();
    }

    /** By table, those without any left out; nothing while not all requests are counted. */
    Map<String, Long> rows() {
        return isWhole ? rows : Map.of();
    }

    /**
     * Looks at the log, where something waits and the last look is long enough ago. Blocks.
     *
     * @return milliseconds after which another look shows more; under 0 where it shows more only if something changes
     */
    long look(ClusterRecords records) {
        if (records.waitingBytes() == 0 && records.finishedStep() == records.lastStep()) {
            taken = records.lastPosition();
            counted = taken;
            rows = Map.of();
            isWhole = true;
            return -1;
        }
        long now = environment.nanoTime();
        if (now - dueNanos < 0) {
            return (dueNanos - now) / NANOS_PER_MILLI + 1;
        }
        Found found = store.database().read(transaction -> read(transaction, records));
        taken = found.taken;
        counted = found.counted;
        rows = Map.copyOf(found.rows);
        isWhole = found.isWhole;
        dueNanos = now + (isWhole ? PERIOD_MILLIS : MORE_MILLIS) * NANOS_PER_MILLI;
        return isWhole ? -1 : MORE_MILLIS;
    }

    /** What one look has found: the reading may be repeated. */
    private static final class Found {
        private final Map<String, Long> rows = new TreeMap<>();
        private Versionstamp taken = LogPosition.START;
        private Versionstamp counted = LogPosition.START;
        private boolean isWhole;
    }

    private Found read(ReadTransaction transaction, ClusterRecords records) {
        Found found = new Found();
        found.taken = taken(transaction, records);
        found.counted = counted;
        found.isWhole = true;
        Versionstamp trimmed =
                LogPosition.decoded(DataflowStore.read(transaction, store.circuit(), CircuitRecord.getDefaultInstance())
                        .join()
                        .getTrimmedPosition());
        if (found.taken.compareTo(taken) < 0 || found.taken.compareTo(counted) > 0 || taken.compareTo(trimmed) < 0) {
            // Steps are taken again, or requests were taken that are not counted yet or are gone from the log.
            found.counted = found.taken;
        } else {
            found.rows.putAll(rows);
            List<KeyValue> gone = heads(transaction, taken, found.taken);
            add(found.rows, gone, -1);
            if (gone.size() == recordsRead) {
                found.taken = position(gone.get(recordsRead - 1));
                found.isWhole = false;
            }
        }
        List<KeyValue> come = heads(transaction, found.counted, null);
        add(found.rows, come, 1);
        if (!come.isEmpty()) {
            found.counted = position(come.get(come.size() - 1));
        }
        found.isWhole &= come.size() < recordsRead;
        found.rows.values().removeIf(count -> count == 0);
        return found;
    }

    /** The end in the log of the last step that all workers have taken. */
    private Versionstamp taken(ReadTransaction transaction, ClusterRecords records) {
        long step = records.finishedStep();
        if (step == records.lastStep()) {
            return records.lastPosition();
        }
        if (step == records.run().getStep()) {
            return LogPosition.decoded(records.run().getPosition());
        }
        DivisionRecord division = store.divisions()
                .decodeOrNull(transaction.get(store.divisions().key(step)).join());
        return division == null ? records.lastPosition() : LogPosition.decoded(division.getEnd());
    }

    /** The first requests behind a position, up to another one where that is not null. */
    private List<KeyValue> heads(ReadTransaction transaction, Versionstamp after, @Nullable Versionstamp end) {
        return transaction
                .getRange(
                        KeySelector.firstGreaterThan(store.log().key(after)),
                        end == null
                                ? KeySelector.firstGreaterOrEqual(store.log().range().end)
                                : KeySelector.firstGreaterThan(store.log().key(end)),
                        recordsRead,
                        false,
                        StreamingMode.WANT_ALL)
                .asList()
                .join();
    }

    private Versionstamp position(KeyValue head) {
        return store.log().elements(head.getKey()).getVersionstamp(0);
    }

    private void add(Map<String, Long> rows, List<KeyValue> heads, int sign) {
        for (KeyValue row : heads) {
            LogRecord head = store.log().decode(row.getValue());
            head.getTablesList().forEach(table -> rows.merge(table.getTable(), sign * table.getLines(), Long::sum));
        }
    }
}
