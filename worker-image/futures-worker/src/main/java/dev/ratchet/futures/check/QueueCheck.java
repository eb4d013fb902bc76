/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.check;

import com.apple.foundationdb.tuple.Tuple;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.lifecycle.Lifecycle;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.QueuePartition;
import dev.ratchet.store.keyspace.Table;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Each QUEUED or ASSIGNED future has an entry with its ticket. A record does not know its key, so the two are matched
 * in memory: records first, then the queues, then those that are left once more. An entry keeps its key as long as its
 * ticket is in force, so a future that is ready with one ticket before and after was to be met in between, however many
 * versions the scan took. Entries without a future are void and no violation.
 */
final class QueueCheck implements TableCheck {

    /** Futures matched in one scan of the queue. */
    static final int UNMATCHED_MAX = 1_000_000;

    private static final int ENTRY_BYTES = Ids.BYTES + Long.BYTES;

    private final Table<byte[]> table;
    private final boolean ofSeats;
    private final Map<FutureId, Long> unmatched;

    /**
     * @param ofSeats whether the table has what one seat alone may claim
     * @param unmatched futures of which no entry has been met yet, with their tickets
     */
    QueueCheck(Table<byte[]> table, boolean ofSeats, Map<FutureId, Long> unmatched) {
        this.table = table;
        this.ofSeats = ofSeats;
        this.unmatched = unmatched;
    }

    @Override
    public Table<?> table() {
        return table;
    }

    @Override
    public CompletableFuture<Void> judge(CheckPage page, CheckedRow row) {
        if (row.value().length != ENTRY_BYTES) {
            row.violation("has " + row.value().length + " bytes");
            return CompletableFuture.completedFuture(null);
        }
        FutureId id = Ids.read(row.value(), 0);
        long ticket = ByteBuffer.wrap(row.value()).getLong(Ids.BYTES);
        unmatched.remove(id, ticket);
        return page.record(id).thenAccept(record -> record.filter(
                        future -> future.getTicket() == ticket && Lifecycle.isReady(future.getState()))
                .ifPresent(future ->
                        row.require(isPlaceOf(future, row.key()), "is in force in a place that is not its future's")));
    }

    /** Whether the record says that the future waits under this key; void entries may be anywhere. */
    private boolean isPlaceOf(FutureRecord future, Tuple place) {
        QueuePartition partition = future.getPartition();
        return ofSeats
                ? future.getAssignedSeat().equals(place.getString(0)) && partition.getBand() == place.getLong(1)
                : future.getAssignedSeat().isEmpty()
                        && partition.getRequirementClass().equals(place.getString(0))
                        && partition.getBand() == place.getLong(1)
                        && partition.getTenant().equals(place.getString(2));
    }
}
