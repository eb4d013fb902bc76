/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.queue;

import com.apple.foundationdb.KeySelector;
import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.tuple.ByteArrayUtil;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * What one transaction reads of the queue. A look asks for one thing after the other (classes, bands, tenants, shards),
 * and each question is a way to the store; so it begins with the first entries of all, and what these tell is not asked
 * for. Of a short queue they tell everything. What is read must not be written by the same transaction before.
 */
public final class QueueReads {

    /** Entries read at the beginning: few enough that they cost hardly more than one. */
    private static final int BEGINNING_MAX = 32;

    private final ReadTransaction transaction;
    private final NavigableMap<byte[], KeyValue> known = new TreeMap<>(ByteArrayUtil::compareUnsigned);
    /** All that is before this one is known. */
    private final byte[] knownEnd;

    /** Knows nothing yet, and asks for everything. */
    QueueReads(ReadTransaction transaction) {
        this(transaction, List.of(), new byte[0]);
    }

    private QueueReads(ReadTransaction transaction, List<KeyValue> known, byte[] knownEnd) {
        this.transaction = transaction;
        this.knownEnd = knownEnd;
        known.forEach(pair -> this.known.put(pair.getKey(), pair));
    }

    /** Reads the beginning of a range, outside of which nothing is asked for later. */
    static CompletableFuture<QueueReads> fromBeginning(ReadTransaction transaction, Range all) {
        return new QueueReads(transaction)
                .read(all.begin, all.end, BEGINNING_MAX)
                .thenApply(found -> new QueueReads(
                        transaction,
                        found,
                        found.size() < BEGINNING_MAX
                                ? all.end
                                : ByteArrayUtil.keyAfter(found.getLast().getKey())));
    }

    /** The first pairs of a range, in a list that may be changed. */
    CompletableFuture<List<KeyValue>> read(byte[] from, byte[] end, int limit) {
        if (ByteArrayUtil.compareUnsigned(from, end) >= 0) {
            return CompletableFuture.completedFuture(new ArrayList<>());
        }
        List<KeyValue> found =
                known.subMap(from, end).values().stream().limit(limit).collect(ArrayList::new, List::add, List::addAll);
        if (found.size() == limit || ByteArrayUtil.compareUnsigned(end, knownEnd) <= 0) {
            return CompletableFuture.completedFuture(found);
        }
        return transaction
                .getRange(
                        KeySelector.firstGreaterOrEqual(from),
                        KeySelector.firstGreaterOrEqual(end),
                        limit,
                        false,
                        StreamingMode.WANT_ALL)
                .asList()
                .thenApply(ArrayList::new);
    }

    /** For what is read without conflict. */
    ReadTransaction snapshot() {
        return transaction.snapshot();
    }
}
