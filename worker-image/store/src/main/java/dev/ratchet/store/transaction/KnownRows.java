/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.transaction;

import com.apple.foundationdb.KeyValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What one read has learnt of the database: disjoint ranges with all their rows. The rest is unknown. Not safe for use
 * by several threads.
 */
final class KnownRows {

    private static final byte[] END = {(byte) 0xff, (byte) 0xff, (byte) 0xff};

    private final TreeMap<byte[], Known> ranges = new TreeMap<>(Keys::compare);

    /** The keys from the map's key to {@code end} and all rows in them, ascending. */
    private record Known(byte[] end, List<KeyValue> rows) {}

    /** The keys {@code [begin, end)}: unknown, empty, or one row. */
    record Segment(
            byte[] begin,
            byte[] end,
            boolean isKnown,
            @Nullable KeyValue row) {}

    /** Learns all rows of {@code [begin, end)}, ascending. Some of it may be known. */
    void learn(byte[] begin, byte[] end, List<KeyValue> rows) {
        if (Keys.compare(begin, end) >= 0) {
            return;
        }
        if (ranges.isEmpty()) {
            ranges.put(begin, new Known(end, new ArrayList<>(rows)));
            return;
        }
        byte[] from = begin;
        byte[] to = end;
        List<KeyValue> joined = new ArrayList<>();
        Map.Entry<byte[], Known> left = ranges.floorEntry(begin);
        if (left != null && Keys.compare(left.getValue().end, end) >= 0) {
            return;
        }
        if (left != null && Keys.compare(left.getValue().end, begin) >= 0) {
            from = left.getKey();
            joined = left.getValue().rows;
            joined.subList(firstNotBefore(joined, begin), joined.size()).clear();
        }
        joined.addAll(rows);
        NavigableMap<byte[], Known> covered = ranges.subMap(begin, true, end, true);
        Map.Entry<byte[], Known> last = covered.lastEntry();
        if (last != null && Keys.compare(last.getValue().end, end) > 0) {
            List<KeyValue> after = last.getValue().rows;
            joined.addAll(after.subList(firstNotBefore(after, end), after.size()));
            to = last.getValue().end;
        }
        covered.clear();
        ranges.remove(from);
        ranges.put(from, new Known(to, joined));
    }

    /** Learns one key, whose value is null where it is absent. */
    void learn(byte[] key, byte @Nullable [] value) {
        learn(key, Keys.after(key), value == null ? List.of() : List.of(new KeyValue(key, value)));
    }

    /** The segment that holds a key. */
    Segment at(byte[] key) {
        Map.Entry<byte[], Known> floor = ranges.floorEntry(key);
        if (floor == null || Keys.compare(key, floor.getValue().end) >= 0) {
            byte[] next = ranges.higherKey(key);
            return new Segment(
                    floor == null ? Keys.FIRST : floor.getValue().end, next == null ? END : next, false, null);
        }
        List<KeyValue> rows = floor.getValue().rows;
        int index = firstNotBefore(rows, key);
        if (index < rows.size() && Keys.compare(rows.get(index).getKey(), key) == 0) {
            return new Segment(key, Keys.after(key), true, rows.get(index));
        }
        byte[] begin =
                index == 0 ? floor.getKey() : Keys.after(rows.get(index - 1).getKey());
        byte[] end =
                index == rows.size() ? floor.getValue().end : rows.get(index).getKey();
        return new Segment(begin, end, true, null);
    }

    /** The segment with the keys just before a key, cut off there. */
    Segment before(byte[] key) {
        Map.Entry<byte[], Known> lower = ranges.lowerEntry(key);
        if (lower == null || Keys.compare(lower.getValue().end, key) < 0) {
            return new Segment(lower == null ? Keys.FIRST : lower.getValue().end, key, false, null);
        }
        List<KeyValue> rows = lower.getValue().rows;
        int index = firstNotBefore(rows, key) - 1;
        if (index < 0) {
            return new Segment(lower.getKey(), key, true, null);
        }
        KeyValue row = rows.get(index);
        byte[] after = Keys.after(row.getKey());
        return Keys.compare(after, key) == 0
                ? new Segment(row.getKey(), key, true, row)
                : new Segment(after, key, true, null);
    }

    private static int firstNotBefore(List<KeyValue> rows, byte[] key) {
        int low = 0;
        int high = rows.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (Keys.compare(rows.get(middle).getKey(), key) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
