/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.record;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.Transaction;
import dev.ratchet.membership.Members;
import dev.ratchet.store.keyspace.Keyspace;
import dev.ratchet.store.keyspace.Table;
import dev.ratchet.store.keyspace.TableSchema;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * One table of membership, read as values that are never null: what is absent reads as {@code absent}, whose numbers
 * are 0, which no written record equals. Immutable.
 *
 * @param <V> type of the values
 */
public final class MembershipRows<V> {

    private final Table<V> table;
    private final V absent;

    public MembershipRows(TableSchema<V> schema, Keyspace keyspace, V absent) {
        this.table = schema.in(keyspace);
        this.absent = absent;
    }

    /** The value at the key of these elements. */
    public CompletableFuture<V> read(ReadTransaction transaction, Object... elements) {
        return transaction.get(table.key(elements)).thenApply(bytes -> bytes == null ? absent : table.decode(bytes));
    }

    /** Writes the value at the key of these elements. */
    public void write(Transaction transaction, V value, Object... elements) {
        table.set(transaction, value, elements);
    }

    /** Adds to the counter at the key of these elements. */
    public void add(Transaction transaction, V delta, Object... elements) {
        table.add(transaction, delta, elements);
    }

    /** The key of these elements. */
    public byte[] key(Object... elements) {
        return table.key(elements);
    }

    /** All values by seat, in the order of the names. Fails where there are more than {@link Members#LIMIT}. */
    public CompletableFuture<Map<String, V>> bySeat(ReadTransaction transaction) {
        return transaction
                .getRange(table.range(), Members.LIMIT + 1, false, StreamingMode.WANT_ALL)
                .asList()
                .thenApply(this::decodeAll);
    }

    private Map<String, V> decodeAll(List<KeyValue> rows) {
        if (rows.size() > Members.LIMIT) {
            throw new IllegalStateException("More than " + Members.LIMIT + " seats in one cluster in table "
                    + table.schema().path() + ": names of seats must be used again, not counted up");
        }
        Map<String, V> values = new LinkedHashMap<>();
        for (KeyValue row : rows) {
            values.put(table.elements(row.getKey()).getString(0), table.decode(row.getValue()));
        }
        return values;
    }
}
