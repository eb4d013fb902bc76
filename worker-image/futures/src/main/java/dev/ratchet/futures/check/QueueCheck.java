/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.check;

import com.apple.foundationdb.KeyValue;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.Ids;
import dev.ratchet.store.keyspace.Table;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Each QUEUED future has an entry with its ticket. A record does not know the key of its entry, so the two are matched
 * in memory: records first, then the whole queue, then those that are left once more. An entry keeps its key as long as
 * its ticket is in force, so a future that is QUEUED with one ticket before and after was to be met in between, however
 * many versions the scan took. Entries without a future are void and no violation.
 */
final class QueueCheck implements TableCheck {

    /** Futures matched in one scan of the queue. */
    static final int UNMATCHED_MAX = 1_000_000;

    private static final int ENTRY_BYTES = Ids.BYTES + Long.BYTES;

    private final FutureKeys keys;
    private final Map<FutureId, Long> unmatched = new ConcurrentHashMap<>();

    QueueCheck(FutureKeys keys) {
        this.keys = keys;
    }

    @Override
    public Table<?> table() {
        return keys.queue;
    }

    @Override
    public CompletableFuture<Void> judge(CheckPage page, KeyValue row) {
        if (row.getValue().length != ENTRY_BYTES) {
            page.violation(keys.queue, row.getKey(), "has " + row.getValue().length + " bytes");
        } else {
            FutureId id = Ids.read(row.getValue(), 0);
            long ticket = ByteBuffer.wrap(row.getValue()).getLong(Ids.BYTES);
            unmatched.remove(id, ticket);
        }
        return CompletableFuture.completedFuture(null);
    }

    /** Futures of which no entry has been met yet, with their tickets. */
    Map<FutureId, Long> unmatched() {
        return unmatched;
    }
}
