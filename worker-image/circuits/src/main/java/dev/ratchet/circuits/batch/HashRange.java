/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

import org.jspecify.annotations.Nullable;

/**
 * A range of unsigned 64-bit hashes, both ends included; a shard is a prefix range. Never empty.
 *
 * @param first smallest hash, as unsigned number
 * @param last largest hash, as unsigned number
 */
public record HashRange(long first, long last) {

    /** All hashes. */
    public static final HashRange ALL = new HashRange(0, -1L);

    public HashRange {
        if (Long.compareUnsigned(first, last) > 0) {
            throw new IllegalArgumentException("Hash range from " + Long.toHexString(first) + " to "
                    + Long.toHexString(last) + " is empty; the first hash must not be above the last");
        }
    }

    /**
     * Shards {@code from} to {@code to} (exclusive) of {@code count}, a power of two up to 2^30: hashes whose first
     * bits are the number of one of these shards.
     */
    public static HashRange ofShards(int from, int to, int count) {
        if (Integer.bitCount(count) != 1 || from < 0 || to <= from || to > count) {
            throw new IllegalArgumentException("Shards " + from + " to " + to + " of " + count
                    + "; the count is a power of two and the range not empty");
        }
        int bits = Integer.numberOfTrailingZeros(count);
        // Shifting by 64 shifts by 0 in Java: one shard is all hashes.
        return bits == 0 ? ALL : new HashRange((long) from << (64 - bits), ((long) to << (64 - bits)) - 1);
    }

    /** The hashes in both; null where there are none. */
    public @Nullable HashRange intersect(HashRange other) {
        long from = Long.compareUnsigned(first, other.first) >= 0 ? first : other.first;
        long to = Long.compareUnsigned(last, other.last) <= 0 ? last : other.last;
        return Long.compareUnsigned(from, to) > 0 ? null : new HashRange(from, to);
    }

    public boolean contains(long hash) {
        return Long.compareUnsigned(first, hash) <= 0 && Long.compareUnsigned(hash, last) <= 0;
    }

    /** The number of the shard of a hash among {@code count}, a power of two up to 2^30. */
    public static int shardOf(long hash, int count) {
        return count == 1 ? 0 : (int) (hash >>> (64 - Integer.numberOfTrailingZeros(count)));
    }
}
