/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.keyspace;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.subspace.Subspace;
import com.apple.foundationdb.tuple.ByteArrayUtil;
import com.apple.foundationdb.tuple.Tuple;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
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
     * @param path {@code module/table/element/…}
     */
    public record Line(String path, String value) {}

    /**
     * Some lines, and where the next page begins.
     *
     * @param next null after the last page
     */
    public record Page(List<Line> lines, byte @Nullable [] next) {}

    private static final Pattern INTEGER = Pattern.compile("-?[0-9]{1,18}");

    private final Keyspace keyspace;
    private final KeyRegistry registry;

    public KeyListing(Keyspace keyspace, KeyRegistry registry) {
        this.keyspace = keyspace;
        this.registry = registry;
    }

    /**
     * Reads one page at the version of {@code transaction}, without conflict ranges.
     *
     * @param path beginning of the keys to show: module, table, then elements of the key (an integer, {@code 0x} and
     *     hexadecimal digits for bytes, else text, which may stand in single quotes); empty for everything
     * @param from {@link Page#next()} of the page before, null for the first
     * @param limit most lines, 1 to 10,000
     */
    public CompletableFuture<Page> page(
            ReadTransaction transaction, List<String> path, byte @Nullable [] from, int limit) {
        if (limit < 1 || limit > 10_000) {
            throw new IllegalArgumentException("A page has 1 to 10000 lines, not " + limit);
        }
        byte[] packed = keyspace.root().pack(prefix(path));
        Range range = Range.startsWith(packed);
        return transaction
                .snapshot()
                .getRange(from == null ? range.begin : from, range.end, limit, false, StreamingMode.WANT_ALL)
                .asList()
                .thenApply(rows -> new Page(rows.stream().map(this::line).toList(), next(rows, limit)));
    }

    /**
     * What the keys under {@code path} begin with.
     *
     * @throws IllegalArgumentException if an element is empty or no hexadecimal number where it says so
     */
    public static Tuple prefix(List<String> path) {
        Tuple prefix = new Tuple();
        for (int i = 0; i < path.size(); i++) {
            if (path.get(i).isEmpty()) {
                throw new IllegalArgumentException("Element " + (i + 1) + " of path '" + String.join("/", path)
                        + "' is empty: write MODULE/TABLE/ELEMENT without slashes at the ends");
            }
            prefix = i < 2 ? prefix.add(path.get(i)) : addElement(prefix, path.get(i));
        }
        return prefix;
    }

    private static byte @Nullable [] next(List<KeyValue> rows, int limit) {
        if (rows.size() < limit) {
            return null;
        }
        return ByteArrayUtil.join(rows.get(rows.size() - 1).getKey(), new byte[1]);
    }

    private static Tuple addElement(Tuple prefix, String text) {
        if (INTEGER.matcher(text).matches()) {
            return prefix.add(Long.parseLong(text));
        }
        if (text.startsWith("0x")) {
            try {
                return prefix.add(HexFormat.of().parseHex(text.substring(2)));
            } catch (IllegalArgumentException malformed) {
                throw new IllegalArgumentException(
                        "'" + text + "' is no hexadecimal number of whole bytes: put it in single quotes if it is text",
                        malformed);
            }
        }
        boolean quoted = text.length() > 1 && text.startsWith("'") && text.endsWith("'");
        return prefix.add(quoted ? text.substring(1, text.length() - 1) : text);
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
        List<String> parts = new ArrayList<>();
        for (Object element : elements.getItems()) {
            parts.add(
                    element instanceof byte[] bytes ? "0x" + HexFormat.of().formatHex(bytes) : String.valueOf(element));
        }
        Optional<TableSchema<?>> schema =
                parts.size() < 2 ? Optional.empty() : registry.table(parts.get(0), parts.get(1));
        String value = schema.map(known -> describe(known, row.getValue()))
                .orElseGet(() -> Values.bytes().describe(row.getValue()));
        return new Line(String.join("/", parts), value);
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
