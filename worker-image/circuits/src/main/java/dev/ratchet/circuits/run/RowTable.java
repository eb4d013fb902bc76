/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.run;

import dev.ratchet.circuits.type.RowOrder;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.Storage;
import java.util.Arrays;

/** Rows with weights that are sorted by their columns, ascending and NULL first. One thread at a time. */
final class RowTable {

    private static final int ROWS_MAX = 1 << 27;

    private final Storage[] storages;
    private final Row left = new Row();
    private final Row right = new Row();
    private final long[][] lows;
    private final long[][] highs;
    private final boolean[][] nulls;
    private long[] weights = new long[16];
    private byte[] bytes = new byte[64];
    private int byteCount;
    private int count;

    RowTable(Storage[] storages) {
        this.storages = storages;
        this.lows = new long[storages.length][16];
        this.highs = new long[storages.length][16];
        this.nulls = new boolean[storages.length][16];
    }

    /** Adds a copy of a row. */
    void add(RowView row, long weight) {
        if (count == ROWS_MAX) {
            throw new InputException(
                    "One step changes more than " + ROWS_MAX + " rows of a view; give the input more steps");
        }
        if (count == weights.length) {
            grow();
        }
        for (int column = 0; column < storages.length; column++) {
            boolean isNull = row.isNull(column);
            nulls[column][count] = isNull;
            if (!isNull) {
                set(row, column);
            }
        }
        weights[count++] = weight;
    }

    private void set(RowView row, int column) {
        switch (storages[column]) {
            case LONG -> lows[column][count] = row.longAt(column);
            case WIDE -> {
                lows[column][count] = row.longAt(column);
                highs[column][count] = row.highAt(column);
            }
            case BYTES -> {
                int length = row.lengthAt(column);
                if (byteCount + (long) length > Integer.MAX_VALUE - 16) {
                    throw new InputException("One step changes more than 2 GB of a view; give the input more steps");
                }
                if (byteCount + length > bytes.length) {
                    long wanted = Math.max(byteCount + (long) length, 2L * bytes.length);
                    bytes = Arrays.copyOf(bytes, (int) Math.min(wanted, Integer.MAX_VALUE - 16));
                }
                System.arraycopy(row.bytesAt(column), row.offsetAt(column), bytes, byteCount, length);
                lows[column][count] = byteCount;
                highs[column][count] = length;
                byteCount += length;
            }
        }
    }

    private void grow() {
        int size = weights.length * 2;
        weights = Arrays.copyOf(weights, size);
        for (int column = 0; column < storages.length; column++) {
            lows[column] = Arrays.copyOf(lows[column], size);
            highs[column] = Arrays.copyOf(highs[column], size);
            nulls[column] = Arrays.copyOf(nulls[column], size);
        }
    }

    /** Takes a row and its weight; the row is valid during the call. */
    interface Visitor {
        void visit(RowView row, long weight);
    }

    /** Visits all rows in order and forgets them. */
    void drain(Visitor visitor) {
        Integer[] order = new Integer[count];
        Arrays.setAll(order, Integer::valueOf);
        Arrays.sort(order, this::compare);
        for (int number : order) {
            left.number = number;
            visitor.visit(left, weights[number]);
        }
        count = 0;
        byteCount = 0;
    }

    private int compare(int a, int b) {
        left.number = a;
        right.number = b;
        int order = RowOrder.compare(storages, left, right, 0, storages.length);
        return order != 0 ? order : Long.compare(weights[a], weights[b]);
    }

    private final class Row implements RowView {

        private int number;

        @Override
        public boolean isNull(int column) {
            return nulls[column][number];
        }

        @Override
        public long longAt(int column) {
            return lows[column][number];
        }

        @Override
        public long highAt(int column) {
            return highs[column][number];
        }

        @Override
        public byte[] bytesAt(int column) {
            return bytes;
        }

        @Override
        public int offsetAt(int column) {
            return (int) lows[column][number];
        }

        @Override
        public int lengthAt(int column) {
            return (int) highs[column][number];
        }
    }
}
