/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

/** Copies rows out of blocks, column after column, and so decodes each column in one loop. */
final class BlockGather {

    private final RowVectors into;
    private final Block[] picked;
    private final int[] numbers;
    private final int more;
    private final int first;

    private BlockGather(RowVectors into, Block[] picked, int[] numbers, int more) {
        this.into = into;
        this.picked = picked;
        this.numbers = numbers;
        this.more = more;
        this.first = into.room(more);
    }

    /**
     * Copies rows of the same schema and commits them.
     *
     * @param picked for each row its block
     * @param numbers for each row its number in that block
     * @param more how many rows
     */
    static void append(RowVectors into, Block[] picked, int[] numbers, long[] weights, int more) {
        new BlockGather(into, picked, numbers, more).append(weights);
    }

    private void append(long[] weights) {
        System.arraycopy(weights, 0, into.weights, first, more);
        for (int i = 0; i < more; i++) {
            into.hashes[first + i] = picked[i].hash(numbers[i]);
        }
        for (int column = 0; column < into.storages.length; column++) {
            int stored = column + Block.FIRST;
            boolean[] isNull = into.nulls[column];
            for (int i = 0; i < more; i++) {
                isNull[first + i] = picked[i].isNull(stored, numbers[i]);
            }
            switch (into.storages[column]) {
                case LONG -> gatherLongs(into.lows[column], isNull, stored);
                case WIDE -> {
                    gatherLongs(into.lows[column], isNull, stored);
                    long[] high = into.highs[column];
                    for (int i = 0; i < more; i++) {
                        high[first + i] = isNull[first + i] ? 0 : picked[i].highAt(stored, numbers[i]);
                    }
                }
                case BYTES -> gatherBytes(column, stored);
            }
        }
        into.commitAll(more);
    }

    private void gatherLongs(long[] longs, boolean[] isNull, int stored) {
        for (int i = 0; i < more; i++) {
            longs[first + i] = isNull[first + i] ? 0 : picked[i].longAt(stored, numbers[i]);
        }
    }

    private void gatherBytes(int column, int stored) {
        int[] starts = into.starts[column];
        int[] lengths = into.lengths[column];
        long total = 0;
        for (int i = 0; i < more; i++) {
            int length = picked[i].lengthAt(stored, numbers[i]);
            lengths[first + i] = length;
            total += length;
        }
        int used = into.poolRoom(column, total);
        byte[] pool = into.pools[column];
        for (int i = 0; i < more; i++) {
            int length = lengths[first + i];
            System.arraycopy(picked[i].bytes, picked[i].offsetAt(stored, numbers[i]), pool, used, length);
            starts[first + i] = used;
            used += length;
        }
    }
}
