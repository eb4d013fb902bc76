/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.record;

import com.apple.foundationdb.Transaction;
import dev.ratchet.client.FutureId;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Moves the entries of every {@link FutureIndex} along with the records of one transaction: what is there before and
 * not after is cleared, what is there after and not before is set. All is cleared before anything is set, so that a
 * name may go from one future to another. Not safe for use by several threads.
 */
final class IndexWriter {

    private final Transaction transaction;
    private final FutureKeys keys;
    private final List<Entry> entries = new ArrayList<>();

    private record Entry(FutureIndex index, FutureId id, Object[] elements) {}

    IndexWriter(Transaction transaction, FutureKeys keys) {
        this.transaction = transaction;
        this.keys = keys;
    }

    /**
     * @param before what the store says, if anything
     * @param after what it will say, if anything
     */
    void move(FutureId id, Optional<FutureRecord> before, Optional<FutureRecord> after) {
        for (FutureIndex index : FutureIndex.all()) {
            List<List<Object>> old =
                    before.map(record -> index.entries(id, record)).orElse(List.of());
            List<List<Object>> now =
                    after.map(record -> index.entries(id, record)).orElse(List.of());
            if (old.equals(now)) {
                continue;
            }
            for (List<Object> entry : old) {
                if (!now.contains(entry)) {
                    index.table(keys).clear(transaction, entry.toArray());
                }
            }
            for (List<Object> entry : now) {
                if (!old.contains(entry)) {
                    entries.add(new Entry(index, id, entry.toArray()));
                }
            }
        }
    }

    /** Sets what {@link #move} has found. */
    void finish() {
        entries.forEach(entry ->
                entry.index().table(keys).set(transaction, entry.index().value(entry.id()), entry.elements()));
    }
}
