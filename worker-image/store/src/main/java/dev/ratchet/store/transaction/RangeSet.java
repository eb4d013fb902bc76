/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.transaction;

import java.util.ArrayList;
import java.util.List;

/** A set of key ranges. Adding is cheap; asking sorts and joins what touches. Not safe for use by several threads. */
final class RangeSet {

    private static final int COALESCE_AT = 1024;

    private List<KeyRange> ranges = new ArrayList<>();
    private int sortedUpTo;
    private int coalesceAt = COALESCE_AT;

    void add(byte[] begin, byte[] end) {
        if (Keys.compare(begin, end) < 0) {
            ranges.add(new KeyRange(begin, end));
            if (ranges.size() > coalesceAt) {
                coalesceAt = Math.max(COALESCE_AT, 2 * coalesced().size());
            }
        }
    }

    /** The ranges in order, none touching another. */
    List<KeyRange> coalesced() {
        if (sortedUpTo < ranges.size() && ranges.size() > 1) {
            List<KeyRange> sorted = new ArrayList<>(ranges);
            sorted.sort((left, right) -> Keys.compare(left.begin(), right.begin()));
            List<KeyRange> joined = new ArrayList<>(sorted.size());
            KeyRange last = sorted.getFirst();
            for (KeyRange range : sorted.subList(1, sorted.size())) {
                if (Keys.compare(range.begin(), last.end()) > 0) {
                    joined.add(last);
                    last = range;
                } else if (Keys.compare(range.end(), last.end()) > 0) {
                    last = new KeyRange(last.begin(), range.end());
                }
            }
            joined.add(last);
            ranges = joined;
        }
        sortedUpTo = ranges.size();
        return List.copyOf(ranges);
    }
}
