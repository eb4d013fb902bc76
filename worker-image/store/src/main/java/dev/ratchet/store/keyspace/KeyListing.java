/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.keyspace;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.subspace.Subspace;
import com.apple.foundationdb.tuple.ByteArrayUtil;
import com.apple.foundationdb.tuple.Tuple;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Shows any part of a cluster's keyspace to people, by pages, so that a listing of any length stays within the limits
 * of a transaction. What no module declares, and values that can not be decoded, are shown as bytes: a listing never
 * fails for what it finds.
 */
public final class KeyListing {

    /**
     * One key and its value as text.
     *
     * @param path the key as {@link KeyPath} shows it
     */
    public record Line(String path, String value) {}

    /**
     * Some lines, and where the next page begins.
     *
     * @param next null after the last page
     */
    public record Page(List<Line> lines, byte @Nullable [] next) {}

    private final Keyspace keyspace;
    private final KeyRegistry registry;

    public KeyListing(Keyspace keyspace, KeyRegistry registry) {
        this.keyspace = keyspace;
        this.registry = registry;
    }

    /**
     * Reads one page at the version of {@code transaction}, without conflict ranges.
     *
     * @param path first elements of the keys to show: module, table, then those of the table; empty for everything
     * @param from {@link Page#next()} of the page before, null for the first
     * @param limit most lines, 1 to 10,000
     */
    public CompletableFuture<Page> page(ReadTransaction transaction, Tuple path, byte @Nullable [] from, int limit) {
        if (limit < 1 || limit > 10_000) {
            throw new IllegalArgumentException("A page has 1 to 10000 lines, not " + limit);
        }
        byte[] packed = keyspace.root().pack(path);
        Range range = Range.startsWith(packed);
        return transaction
                .snapshot()
                .getRange(from == null ? range.begin : from, range.end, limit, false, StreamingMode.WANT_ALL)
                .asList()
                .thenApply(rows -> new Page(rows.stream().map(this::line).toList(), next(rows, limit)));
    }

    private static byte @Nullable [] next(List<KeyValue> rows, int limit) {
        if (rows.size() < limit) {
            return null;
        }
        return ByteArrayUtil.join(rows.get(rows.size() - 1).getKey(), new byte[1]);
    }

    private Line line(KeyValue row) {
        Subspace root = keyspace.root();
        Tuple elements;
        try {
            elements = root.unpack(row.getKey());
        } catch (RuntimeException notATuple) {
            return new Line(
                    ByteArrayUtil.printable(row.getKey()), Values.bytes().describe(row.getValue()));
        }
        String value = registry.table(elements)
                .map(schema -> describe(schema, row.getValue()))
                .orElseGet(() -> Values.bytes().describe(row.getValue()));
        return new Line(KeyPath.show(elements), value);
    }

    private static <V> String describe(TableSchema<V> schema, byte[] bytes) {
        try {
            return schema.codec().describe(schema.codec().decode(bytes));
        } catch (ValueFormatException unreadable) {
            return "unreadable (" + unreadable.getMessage() + "): "
                    + Values.bytes().describe(bytes);
        }
    }
}
