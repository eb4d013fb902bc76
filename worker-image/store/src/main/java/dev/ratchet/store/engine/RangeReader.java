/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.engine;

import com.apple.foundationdb.KeySelector;
import com.apple.foundationdb.KeyValue;
import dev.ratchet.store.ordered.OrderedTree;
import dev.ratchet.store.ordered.TreeCursor;
import dev.ratchet.store.transaction.Keys;
import dev.ratchet.store.transaction.Limits;
import dev.ratchet.store.transaction.RangeChunk;
import dev.ratchet.store.transaction.RangeRead;
import java.util.ArrayList;
import java.util.List;

/** Answers selectors and range reads from one version of the data. Pure. */
final class RangeReader {

    private RangeReader() {}

    /** The key a selector stands for; the empty key off the start, {@link Keys#SYSTEM_END} off the end. */
    static byte[] resolve(OrderedTree<byte[]> data, KeySelector selector) {
        TreeCursor<byte[]> cursor = data.cursor();
        byte[] key = selector.orEqual() ? Keys.after(selector.getKey()) : selector.getKey();
        int offset = Math.clamp(selector.getOffset(), -Limits.SELECTOR_OFFSET_MAX, Limits.SELECTOR_OFFSET_MAX);
        if (offset > 0) {
            boolean found = cursor.seekCeiling(key);
            for (int i = 1; found && i < offset; i++) {
                found = cursor.next();
            }
            return found ? cursor.key() : Keys.SYSTEM_END;
        }
        boolean found = cursor.seekLower(key);
        for (int i = 0; found && i > offset; i--) {
            found = cursor.previous();
        }
        return found ? cursor.key() : Keys.FIRST;
    }

    /** Rows of a range. */
    static RangeChunk read(OrderedTree<byte[]> data, RangeRead read) {
        byte[] begin = boundary(data, read.begin());
        byte[] end = boundary(data, read.end());
        boolean toBegin = ranOff(begin, Keys.FIRST, read.begin()) || ranOff(end, Keys.FIRST, read.end());
        boolean throughEnd = ranOff(begin, Keys.SYSTEM_END, read.begin()) || ranOff(end, Keys.SYSTEM_END, read.end());
        List<KeyValue> rows = new ArrayList<>();
        if (Keys.compare(begin, end) >= 0) {
            return new RangeChunk(rows, false, toBegin, throughEnd);
        }
        boolean more = read.reverse() ? descend(data, begin, end, read, rows) : ascend(data, begin, end, read, rows);
        return new RangeChunk(rows, more, toBegin, throughEnd);
    }

    private static byte[] boundary(OrderedTree<byte[]> data, KeySelector selector) {
        return isFirstGreaterOrEqual(selector) ? selector.getKey() : resolve(data, selector);
    }

    private static boolean isFirstGreaterOrEqual(KeySelector selector) {
        return !selector.orEqual() && selector.getOffset() == 1;
    }

    private static boolean ranOff(byte[] resolved, byte[] edge, KeySelector selector) {
        return !isFirstGreaterOrEqual(selector) && resolved == edge;
    }

    private static boolean ascend(
            OrderedTree<byte[]> data, byte[] begin, byte[] end, RangeRead read, List<KeyValue> rows) {
        TreeCursor<byte[]> cursor = data.cursor();
        int bytes = 0;
        for (boolean found = cursor.seekCeiling(begin);
                found && Keys.compare(cursor.key(), end) < 0;
                found = cursor.next()) {
            bytes += add(cursor, rows);
            if (rows.size() >= read.rowLimit() || bytes >= read.byteLimit()) {
                return true;
            }
        }
        return false;
    }

    private static boolean descend(
            OrderedTree<byte[]> data, byte[] begin, byte[] end, RangeRead read, List<KeyValue> rows) {
        TreeCursor<byte[]> cursor = data.cursor();
        int bytes = 0;
        for (boolean found = cursor.seekLower(end);
                found && Keys.compare(cursor.key(), begin) >= 0;
                found = cursor.previous()) {
            bytes += add(cursor, rows);
            if (rows.size() >= read.rowLimit() || bytes >= read.byteLimit()) {
                return true;
            }
        }
        return false;
    }

    private static int add(TreeCursor<byte[]> cursor, List<KeyValue> rows) {
        byte[] key = cursor.key();
        byte[] value = cursor.value();
        rows.add(new KeyValue(key, value));
        return key.length + value.length;
    }
}
