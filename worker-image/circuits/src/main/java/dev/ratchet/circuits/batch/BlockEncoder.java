/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

import dev.ratchet.circuits.type.Storage;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Turns rows into the bytes of a {@link Block}. The bytes depend on the rows alone, so that equal rows have equal
 * bytes: every column takes the narrowest encoding that holds it. One pass over each column says how many bytes it
 * takes, a second one writes them into an array of the right size.
 */
final class BlockEncoder {

    private static final boolean[] NONE = {};

    private final RowVectors rows;
    private final byte[] encodings;
    private final int[] widths;
    private final long[] bases;
    private final int[] poolBytes;
    private final boolean[] hasNulls;

    /** The numbers of the rows, from a place on. */
    private int[] order = new int[0];

    private int from;

    /** The numbers of rows that are encoded as they are. */
    private int[] ascending = new int[0];

    private int count;
    private byte[] out = new byte[0];
    private int used;

    BlockEncoder(RowVectors rows) {
        int columns = rows.storages.length + Block.FIRST;
        this.rows = rows;
        this.encodings = new byte[columns];
        this.widths = new int[columns];
        this.bases = new long[columns];
        this.poolBytes = new int[columns];
        this.hasNulls = new boolean[columns];
    }

    /** Encodes the rows with positions {@code start} to {@code end} (exclusive) in an order, or as they are. */
    byte[] encode(int @Nullable [] inOrder, int start, int end) {
        count = end - start;
        order = inOrder == null ? ascending(start) : inOrder;
        from = inOrder == null ? 0 : start;
        int columns = encodings.length;
        long size = Block.HEADER + (long) Block.ENTRY * columns;
        encodings[Block.HASH] = Block.NUMBERS;
        widths[Block.HASH] = 8;
        measureNumbers(Block.WEIGHT, rows.weights);
        for (int column = 0; column < rows.storages.length; column++) {
            measure(column);
        }
        for (int stored = 0; stored < columns; stored++) {
            size += bytesOf(stored);
        }
        out = new byte[Math.toIntExact(size)];
        used = Block.HEADER + Block.ENTRY * columns;
        putInt(0, count);
        putInt(4, columns);
        putInt(8, out.length);
        begin(Block.HASH);
        longs(rows.hashes);
        begin(Block.WEIGHT);
        numbers(Block.WEIGHT, rows.weights, NONE);
        for (int column = 0; column < rows.storages.length; column++) {
            write(column, column + Block.FIRST);
        }
        byte[] bytes = out;
        out = new byte[0];
        return bytes;
    }

    private int[] ascending(int start) {
        if (ascending.length < count) {
            ascending = new int[count];
        }
        for (int i = 0; i < count; i++) {
            ascending[i] = start + i;
        }
        return ascending;
    }

    private int row(int position) {
        return order[from + position];
    }

    private long bytesOf(int stored) {
        long data = encodings[stored] == Block.POOLED
                ? (count + 1L) * widths[stored] + poolBytes[stored]
                : (long) count * widths[stored];
        return hasNulls[stored] ? data + ((count + 7) >> 3) : data;
    }

    private void measure(int column) {
        int stored = column + Block.FIRST;
        boolean[] nulls = rows.nulls[column];
        boolean any = false;
        for (int i = 0; i < count; i++) {
            any |= nulls[row(i)];
        }
        hasNulls[stored] = any;
        if (rows.storages[column] == Storage.BYTES) {
            measurePool(stored, rows.lengths[column]);
        } else if (rows.storages[column] == Storage.WIDE && !isNarrow(column)) {
            encodings[stored] = Block.WIDES;
            widths[stored] = 16;
            bases[stored] = 0;
        } else if (any) {
            measureNumbers(stored, rows.lows[column], nulls);
        } else {
            measureNumbers(stored, rows.lows[column]);
        }
    }

    private boolean isNarrow(int column) {
        long[] lows = rows.lows[column];
        long[] highs = rows.highs[column];
        for (int i = 0; i < count; i++) {
            int row = row(i);
            if (highs[row] != lows[row] >> 63) {
                return false;
            }
        }
        return true;
    }

    private void measurePool(int stored, int[] lengths) {
        int total = 0;
        for (int i = 0; i < count; i++) {
            total = Math.addExact(total, lengths[row(i)]);
        }
        encodings[stored] = Block.POOLED;
        widths[stored] = total > 0xFFFF ? 4 : total > 0xFF ? 2 : 1;
        bases[stored] = 0;
        poolBytes[stored] = total;
    }

    private void measureNumbers(int stored, long[] values) {
        long least = Long.MAX_VALUE;
        long most = Long.MIN_VALUE;
        for (int i = 0; i < count; i++) {
            long value = values[row(i)];
            least = Math.min(least, value);
            most = Math.max(most, value);
        }
        setNumbers(stored, least, most);
    }

    private void measureNumbers(int stored, long[] values, boolean[] nulls) {
        long least = Long.MAX_VALUE;
        long most = Long.MIN_VALUE;
        for (int i = 0; i < count; i++) {
            int row = row(i);
            if (!nulls[row]) {
                least = Math.min(least, values[row]);
                most = Math.max(most, values[row]);
            }
        }
        setNumbers(stored, least, most);
    }

    private void setNumbers(int stored, long least, long most) {
        long span = least > most ? 0 : most - least;
        int width = span < 0 || span > 0xFFFFFFFFL ? 8 : span > 0xFFFF ? 4 : span > 0xFF ? 2 : span > 0 ? 1 : 0;
        encodings[stored] = Block.NUMBERS;
        widths[stored] = width;
        bases[stored] = width == 8 || least > most ? 0 : least;
    }

    private void write(int column, int stored) {
        boolean[] nulls = rows.nulls[column];
        if (hasNulls[stored]) {
            int at = Block.HEADER + Block.ENTRY * stored;
            out[at + 2] = 1;
            putInt(at + 4, used);
            for (int i = 0; i < count; i++) {
                if (nulls[row(i)]) {
                    out[used + (i >> 3)] |= (byte) (1 << (i & 7));
                }
            }
            used += (count + 7) >> 3;
        }
        begin(stored);
        switch (encodings[stored]) {
            case Block.NUMBERS -> numbers(stored, rows.lows[column], nulls);
            case Block.WIDES -> wides(rows.lows[column], rows.highs[column]);
            default -> pooled(stored, rows.pools[column], rows.starts[column], rows.lengths[column]);
        }
    }

    /** Writes the entry of a column whose data come next. */
    private void begin(int stored) {
        int at = Block.HEADER + Block.ENTRY * stored;
        out[at] = encodings[stored];
        out[at + 1] = (byte) widths[stored];
        putInt(at + 8, used);
        Block.LONGS.set(out, at + 16, bases[stored]);
    }

    private void putInt(int at, int value) {
        Block.INTS.set(out, at, value);
    }

    private void numbers(int stored, long[] values, boolean[] nulls) {
        long base = bases[stored];
        switch (widths[stored]) {
            case 8 -> longs(values);
            case 4 -> {
                for (int i = 0; i < count; i++) {
                    Block.INTS.set(out, used + i * 4, (int) (values[row(i)] - base));
                }
                used += count * 4;
            }
            case 2 -> {
                for (int i = 0; i < count; i++) {
                    Block.SHORTS.set(out, used + i * 2, (short) (values[row(i)] - base));
                }
                used += count * 2;
            }
            case 1 -> {
                for (int i = 0; i < count; i++) {
                    out[used + i] = (byte) (values[row(i)] - base);
                }
                used += count;
            }
            default -> {}
        }
        if (hasNulls[stored] && widths[stored] > 0) {
            blank(used - count * widths[stored], widths[stored], nulls);
        }
    }

    /** A NULL is the same bytes whatever was under it. */
    private void blank(int at, int width, boolean[] nulls) {
        for (int i = 0; i < count; i++) {
            if (nulls[row(i)]) {
                Arrays.fill(out, at + i * width, at + (i + 1) * width, (byte) 0);
            }
        }
    }

    private void longs(long[] values) {
        for (int i = 0; i < count; i++) {
            Block.LONGS.set(out, used + i * 8, values[row(i)]);
        }
        used += count * 8;
    }

    private void wides(long[] lows, long[] highs) {
        for (int i = 0; i < count; i++) {
            int row = row(i);
            Block.LONGS.set(out, used + i * 16, highs[row]);
            Block.LONGS.set(out, used + i * 16 + 8, lows[row]);
        }
        used += count * 16;
    }

    private void pooled(int stored, byte[] source, int[] starts, int[] lengths) {
        int width = widths[stored];
        int pool = used + (count + 1) * width;
        putInt(Block.HEADER + Block.ENTRY * stored + 12, pool);
        int end = pool;
        for (int i = 0; i < count; i++) {
            int row = row(i);
            putOffset(used + i * width, width, end - pool);
            int length = lengths[row];
            System.arraycopy(source, starts[row], out, end, length);
            end += length;
        }
        putOffset(used + count * width, width, end - pool);
        used = end;
    }

    private void putOffset(int at, int width, int value) {
        switch (width) {
            case 4 -> putInt(at, value);
            case 2 -> Block.SHORTS.set(out, at, (short) value);
            default -> out[at] = (byte) value;
        }
    }
}
