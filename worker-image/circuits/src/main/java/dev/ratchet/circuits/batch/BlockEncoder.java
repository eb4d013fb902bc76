/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Turns rows into the bytes of a {@link Block}. The bytes depend on the rows alone, so that equal rows have equal
 * bytes: every column takes the narrowest encoding that holds it.
 */
final class BlockEncoder {

    private final RowVectors rows;
    private final int @Nullable [] order;
    private final int from;
    private final int count;
    private byte[] out = new byte[0];
    private int used;

    private BlockEncoder(RowVectors rows, int @Nullable [] order, int from, int to) {
        this.rows = rows;
        this.order = order;
        this.from = from;
        this.count = to - from;
    }

    /** Encodes the rows with positions {@code from} to {@code to} (exclusive) in an order, or as they are. */
    static byte[] encode(RowVectors rows, int @Nullable [] order, int from, int to) {
        return new BlockEncoder(rows, order, from, to).encode();
    }

    private byte[] encode() {
        int columns = rows.storages.length + Block.FIRST;
        used = Block.HEADER + Block.ENTRY * columns;
        out = new byte[used + count * 8 * columns + 16];
        putInt(0, count);
        putInt(4, columns);
        int hashEntry = entry(Block.HASH);
        out[hashEntry + 1] = 8;
        putInt(hashEntry + 8, used);
        for (int i = 0; i < count; i++) {
            Block.LONGS.set(out, used + i * 8, rows.hashes[row(i)]);
        }
        used += count * 8;
        numbers(Block.WEIGHT, rows.weights, null);
        for (int column = 0; column < rows.storages.length; column++) {
            boolean @Nullable [] nulls = writeNulls(column);
            switch (rows.storages[column]) {
                case LONG -> numbers(column + Block.FIRST, rows.lows[column], nulls);
                case WIDE -> wides(column, nulls);
                case BYTES -> pooled(column);
            }
        }
        putInt(8, used);
        return Arrays.copyOf(out, used);
    }

    private int row(int position) {
        return order == null ? from + position : order[from + position];
    }

    private static int entry(int column) {
        return Block.HEADER + Block.ENTRY * column;
    }

    private void putInt(int at, int value) {
        Block.INTS.set(out, at, value);
    }

    private void ensure(int more) {
        if (out.length - used < more) {
            out = Arrays.copyOf(out, Math.max(out.length + (out.length >> 1), Math.addExact(used, more)));
        }
    }

    /** Writes the bitmap and returns the flags, or null where no row of the column is NULL. */
    @SuppressWarnings("ReturnsNullCollection") // Null says that there is nothing to look at, which most columns are.
    private boolean @Nullable [] writeNulls(int column) {
        boolean[] nulls = rows.nulls[column];
        boolean any = false;
        for (int i = 0; i < count && !any; i++) {
            any = nulls[row(i)];
        }
        if (!any) {
            return null;
        }
        int size = (count + 7) >> 3;
        ensure(size);
        for (int i = 0; i < count; i++) {
            if (nulls[row(i)]) {
                out[used + (i >> 3)] |= (byte) (1 << (i & 7));
            }
        }
        int at = entry(column + Block.FIRST);
        out[at + 2] = 1;
        putInt(at + 4, used);
        used += size;
        return nulls;
    }

    private void numbers(int stored, long[] values, boolean @Nullable [] nulls) {
        long least = Long.MAX_VALUE;
        long most = Long.MIN_VALUE;
        for (int i = 0; i < count; i++) {
            int row = row(i);
            if (nulls == null || !nulls[row]) {
                least = Math.min(least, values[row]);
                most = Math.max(most, values[row]);
            }
        }
        if (least > most) {
            least = 0;
            most = 0;
        }
        long span = most - least;
        int width = span < 0 || span > 0xFFFFFFFFL ? 8 : span > 0xFFFF ? 4 : span > 0xFF ? 2 : span > 0 ? 1 : 0;
        long base = width == 8 ? 0 : least;
        int at = entry(stored);
        out[at] = Block.NUMBERS;
        out[at + 1] = (byte) width;
        ensure(count * width);
        putInt(at + 8, used);
        Block.LONGS.set(out, at + 16, base);
        for (int i = 0; i < count && width > 0; i++) {
            int row = row(i);
            putNumber(used + i * width, width, nulls != null && nulls[row] ? 0 : values[row] - base);
        }
        used += count * width;
    }

    private void putNumber(int at, int width, long value) {
        switch (width) {
            case 8 -> Block.LONGS.set(out, at, value);
            case 4 -> Block.INTS.set(out, at, (int) value);
            case 2 -> Block.SHORTS.set(out, at, (short) value);
            default -> out[at] = (byte) value;
        }
    }

    private void wides(int column, boolean @Nullable [] nulls) {
        long[] lows = rows.lows[column];
        long[] highs = rows.highs[column];
        boolean narrow = true;
        for (int i = 0; i < count && narrow; i++) {
            int row = row(i);
            narrow = highs[row] == lows[row] >> 63;
        }
        if (narrow) {
            numbers(column + Block.FIRST, lows, nulls);
            return;
        }
        int at = entry(column + Block.FIRST);
        out[at] = Block.WIDES;
        out[at + 1] = 16;
        ensure(count * 16);
        putInt(at + 8, used);
        for (int i = 0; i < count; i++) {
            int row = row(i);
            Block.LONGS.set(out, used + i * 16, highs[row]);
            Block.LONGS.set(out, used + i * 16 + 8, lows[row]);
        }
        used += count * 16;
    }

    private void pooled(int column) {
        int[] starts = rows.starts[column];
        int[] lengths = rows.lengths[column];
        int total = 0;
        for (int i = 0; i < count; i++) {
            total = Math.addExact(total, lengths[row(i)]);
        }
        int width = total > 0xFFFF ? 4 : total > 0xFF ? 2 : 1;
        int at = entry(column + Block.FIRST);
        out[at] = Block.POOLED;
        out[at + 1] = (byte) width;
        ensure(Math.addExact((count + 1) * width, total));
        int pool = used + (count + 1) * width;
        putInt(at + 8, used);
        putInt(at + 12, pool);
        int offset = 0;
        for (int i = 0; i < count; i++) {
            int row = row(i);
            putNumber(used + i * width, width, offset);
            System.arraycopy(rows.pools[column], starts[row], out, pool + offset, lengths[row]);
            offset += lengths[row];
        }
        putNumber(used + count * width, width, offset);
        used = pool + total;
    }
}
