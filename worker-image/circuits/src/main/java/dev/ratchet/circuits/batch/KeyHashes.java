/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

import dev.ratchet.circuits.type.RowHash;
import dev.ratchet.circuits.type.RowSchema;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Computes the hashes of the keys of many rows, or of other columns of them, column after column. */
final class KeyHashes {

    private KeyHashes() {}

    /** Sets the hashes of some rows. */
    static void compute(RowVectors rows, int from, int to) {
        int[] key = IntStream.range(0, rows.schema.keyCount()).toArray();
        compute(rows, key, rows.hashes, from, to);
    }

    /** The hashes of some columns, in their order, by the numbers of the rows; those of other rows are 0. */
    static long[] of(RowVectors rows, List<Integer> columns, int from, int to) {
        long[] states = new long[to];
        compute(rows, columns.stream().mapToInt(Integer::intValue).toArray(), states, from, to);
        return states;
    }

    private static void compute(RowVectors rows, int[] columns, long[] states, int from, int to) {
        RowSchema schema = rows.schema;
        Arrays.fill(states, from, to, RowHash.start());
        for (int column : columns) {
            boolean[] isNull = rows.nulls[column];
            long[] low = rows.lows[column];
            int scale = schema.column(column).scale();
            switch (rows.storages[column]) {
                case LONG -> addLongs(states, isNull, low, scale, from, to);
                case WIDE -> {
                    long[] high = rows.highs[column];
                    for (int row = from; row < to; row++) {
                        states[row] = isNull[row]
                                ? RowHash.nullColumn(states[row])
                                : RowHash.wideDecimalColumn(states[row], high[row], low[row], scale);
                    }
                }
                case BYTES -> {
                    byte[] pool = rows.pools[column];
                    int[] starts = rows.starts[column];
                    int[] lengths = rows.lengths[column];
                    for (int row = from; row < to; row++) {
                        states[row] = isNull[row]
                                ? RowHash.nullColumn(states[row])
                                : RowHash.bytesColumn(states[row], pool, starts[row], lengths[row]);
                    }
                }
            }
        }
        for (int row = from; row < to; row++) {
            states[row] = RowHash.finish(states[row]);
        }
    }

    private static void addLongs(long[] states, boolean[] isNull, long[] values, int scale, int from, int to) {
        for (int row = from; row < to; row++) {
            states[row] = isNull[row]
                    ? RowHash.nullColumn(states[row])
                    : scale == 0
                            ? RowHash.longColumn(states[row], values[row])
                            : RowHash.decimalColumn(states[row], values[row], scale);
        }
    }
}
