/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

/**
 * A Bloom filter over the hashes of one block: about 10 bits for each distinct hash and 7 probes, so that 1 of 120
 * absent hashes passes. Its bits depend on the block alone.
 */
final class HashFilter {

    private static final int BITS_PER_HASH = 10;
    private static final int PROBES = 7;
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    private HashFilter() {}

    static long[] of(Block block) {
        int distinct = 1;
        for (int row = 1; row < block.rows; row++) {
            if (block.hash(row) != block.hash(row - 1)) {
                distinct++;
            }
        }
        long[] words = new long[(distinct * BITS_PER_HASH + 63) >>> 6];
        for (int row = 0; row < block.rows; row++) {
            long hash = block.hash(row);
            if (row == 0 || hash != block.hash(row - 1)) {
                long mixed = hash * SPREAD;
                for (int probe = 0; probe < PROBES; probe++) {
                    int bit = bit(mixed, probe, words.length);
                    words[bit >>> 6] |= 1L << bit;
                }
            }
        }
        return words;
    }

    static boolean mayContain(long[] words, long hash) {
        long mixed = hash * SPREAD;
        for (int probe = 0; probe < PROBES; probe++) {
            int bit = bit(mixed, probe, words.length);
            if ((words[bit >>> 6] & 1L << bit) == 0) {
                return false;
            }
        }
        return true;
    }

    /** Two halves of a spread hash give all probes; the first bits of hashes in one block are alike and would not. */
    private static int bit(long mixed, int probe, int words) {
        long combined = (mixed >>> 32) + probe * ((mixed & 0xFFFFFFFFL) | 1);
        return (int) (((combined & 0xFFFFFFFFL) * ((long) words << 6)) >>> 32);
    }
}
