/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

import java.util.ArrayList;
import java.util.List;

/**
 * A set of unsigned 64-bit hashes as the fewest ranges that make it; no range is no hash. Immutable.
 *
 * @param ranges ascending; between any two of them are hashes that the set does not have
 */
public record HashRanges(List<HashRange> ranges) {

    /** All hashes. */
    public static final HashRanges ALL = of(HashRange.ALL);

    public HashRanges {
        ranges = List.copyOf(ranges);
        for (int i = 1; i < ranges.size(); i++) {
            long last = ranges.get(i - 1).last();
            // Behind the last of all hashes is 0, which is below the first of any range that touches or overlaps.
            if (last == -1L || Long.compareUnsigned(last + 1, ranges.get(i).first()) >= 0) {
                throw new IllegalArgumentException("Hash range " + ranges.get(i) + " follows " + ranges.get(i - 1)
                        + "; ranges of a set ascend, and those that touch are one");
            }
        }
    }

    public static HashRanges of(HashRange range) {
        return new HashRanges(List.of(range));
    }

    public boolean isEmpty() {
        return ranges.isEmpty();
    }

    public boolean contains(long hash) {
        int number = firstReaching(hash);
        return number < ranges.size() && ranges.get(number).contains(hash);
    }

    /** The hashes of a range that are in the set; costs as much as the ranges that it gives. */
    public HashRanges intersect(HashRange range) {
        List<HashRange> both = new ArrayList<>();
        for (int number = firstReaching(range.first()); number < ranges.size(); number++) {
            HashRange part = ranges.get(number).intersect(range);
            if (part == null) {
                break;
            }
            both.add(part);
        }
        return new HashRanges(both);
    }

    /** The hashes in both sets. */
    public HashRanges intersect(HashRanges other) {
        List<HashRange> both = new ArrayList<>();
        other.ranges.forEach(range -> both.addAll(intersect(range).ranges));
        return new HashRanges(both);
    }

    /** The hashes that are not in the set. */
    public HashRanges complement() {
        List<HashRange> rest = new ArrayList<>();
        long next = 0;
        for (HashRange range : ranges) {
            if (range.first() != next) {
                rest.add(new HashRange(next, range.first() - 1));
            }
            next = range.last() + 1;
        }
        boolean reachesLast = !ranges.isEmpty() && next == 0;
        if (!reachesLast) {
            rest.add(new HashRange(next, -1L));
        }
        return new HashRanges(rest);
    }

    /** The hashes of this set that are not in another. */
    public HashRanges minus(HashRanges other) {
        return intersect(other.complement());
    }

    /** The number of the first range that does not end below a hash; how many there are where all do. */
    private int firstReaching(long hash) {
        int low = 0;
        int high = ranges.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (Long.compareUnsigned(ranges.get(middle).last(), hash) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
