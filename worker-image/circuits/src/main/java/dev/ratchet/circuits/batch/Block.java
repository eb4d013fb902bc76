/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

import dev.ratchet.circuits.type.RowOrder;
import dev.ratchet.circuits.type.Storage;
import dev.ratchet.circuits.type.Wide;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Some thousand rows in one array of bytes, column by column: the unit that is read, cached, checked and sent. The
 * bytes are the same in memory, on disk and on the wire, all numbers little-endian:
 *
 * <pre>
 * rows u32, columns u32, bytes u32, 0 u32
 * per column 24 bytes: encoding u8, width u8, nulls u8, 0 u8, offsets u32 of nulls, data and pool, base i64
 * data
 * </pre>
 *
 * Column 0 is the hash, column 1 the weight, then come those of the row. Encodings: {@link #NUMBERS}, base plus an
 * unsigned difference of 0, 1, 2, 4 or 8 bytes (8: the number itself); {@link #WIDES}, high and low; {@link #POOLED},
 * offsets of 1, 2 or 4 bytes, one more than rows, into a pool. NULLs are a bitmap, their numbers those of the base,
 * their bytes empty. Immutable, so any number of threads may read.
 */
final class Block {

    static final int NUMBERS = 0;
    static final int WIDES = 1;
    static final int POOLED = 2;
    static final int HEADER = 16;
    static final int ENTRY = 24;
    static final int HASH = 0;
    static final int WEIGHT = 1;
    static final int FIRST = 2;

    /** In smaller blocks a search costs no more than the filter. */
    private static final int FILTERED_ROWS_MIN = 32;

    private static final int ROWS_PER_WORD = 6;

    static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    static final VarHandle SHORTS = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);

    final byte[] bytes;
    final int rows;
    private final byte[] encodings;
    private final byte[] widths;
    private final int[] nulls;
    private final int[] data;
    private final int[] pools;
    private final long[] bases;
    private final int hashes;
    private final long firstHash;

    private volatile long @Nullable [] filter;

    /** Rows per half hash: hashes are uniform, so that this and the first tell about where another one lies. */
    private final double density;

    Block(byte[] bytes) {
        this.bytes = bytes;
        this.rows = (int) INTS.get(bytes, 0);
        int columns = (int) INTS.get(bytes, 4);
        encodings = new byte[columns];
        widths = new byte[columns];
        nulls = new int[columns];
        data = new int[columns];
        pools = new int[columns];
        bases = new long[columns];
        for (int column = 0; column < columns; column++) {
            int entry = HEADER + ENTRY * column;
            encodings[column] = bytes[entry];
            widths[column] = bytes[entry + 1];
            nulls[column] = bytes[entry + 2] == 0 ? 0 : (int) INTS.get(bytes, entry + 4);
            data[column] = (int) INTS.get(bytes, entry + 8);
            pools[column] = (int) INTS.get(bytes, entry + 12);
            bases[column] = (long) LONGS.get(bytes, entry + 16);
        }
        hashes = data[HASH];
        firstHash = rows == 0 ? 0 : hash(0);
        density = rows == 0 ? 0 : rows / (((hash(rows - 1) - firstHash) >>> 1) + 1.0);
    }

    /** The number of bytes of the block; the array may go on behind them. */
    int size() {
        return (int) INTS.get(bytes, 8);
    }

    long hash(int row) {
        return (long) LONGS.get(bytes, hashes + row * 8);
    }

    long weight(int row) {
        return longAt(WEIGHT, row);
    }

    boolean isNull(int column, int row) {
        int bitmap = nulls[column];
        return bitmap != 0 && (bytes[bitmap + (row >> 3)] >> (row & 7) & 1) != 0;
    }

    long longAt(int column, int row) {
        int at = data[column];
        if (encodings[column] == WIDES) {
            return (long) LONGS.get(bytes, at + row * 16 + 8);
        }
        return switch (widths[column]) {
            case 8 -> (long) LONGS.get(bytes, at + row * 8);
            case 4 -> bases[column] + ((int) INTS.get(bytes, at + row * 4) & 0xFFFFFFFFL);
            case 2 -> bases[column] + ((short) SHORTS.get(bytes, at + row * 2) & 0xFFFFL);
            case 1 -> bases[column] + (bytes[at + row] & 0xFFL);
            default -> bases[column];
        };
    }

    long highAt(int column, int row) {
        return encodings[column] == WIDES
                ? (long) LONGS.get(bytes, data[column] + row * 16)
                : longAt(column, row) >> 63;
    }

    int offsetAt(int column, int row) {
        return pools[column] + poolOffset(column, row);
    }

    int lengthAt(int column, int row) {
        return poolOffset(column, row + 1) - poolOffset(column, row);
    }

    private int poolOffset(int column, int index) {
        int at = data[column];
        return switch (widths[column]) {
            case 1 -> bytes[at + index] & 0xFF;
            case 2 -> (short) SHORTS.get(bytes, at + index * 2) & 0xFFFF;
            default -> (int) INTS.get(bytes, at + index * 4);
        };
    }

    /** Compares a column of a row with that of a row of another block of the same schema. */
    int compare(Storage storage, int column, int row, Block other, int otherRow) {
        boolean isNull = isNull(column, row);
        boolean otherIsNull = other.isNull(column, otherRow);
        if (isNull || otherIsNull) {
            return Boolean.compare(!isNull, !otherIsNull);
        }
        return switch (storage) {
            case LONG -> Long.compare(longAt(column, row), other.longAt(column, otherRow));
            case WIDE ->
                Wide.compare(
                        highAt(column, row),
                        longAt(column, row),
                        other.highAt(column, otherRow),
                        other.longAt(column, otherRow));
            case BYTES ->
                RowOrder.compareBytes(
                        bytes,
                        offsetAt(column, row),
                        lengthAt(column, row),
                        other.bytes,
                        other.offsetAt(column, otherRow),
                        other.lengthAt(column, otherRow));
        };
    }

    /**
     * The first row at or after {@code from} whose hash is at least (or, if {@code above}, over) this one;
     * {@link #rows} if none. It guesses the row and searches from there in steps that double.
     */
    int find(long hash, int from, boolean above) {
        int guess = from;
        if (Long.compareUnsigned(hash, firstHash) > 0) {
            guess = Math.clamp(guess(hash), from, rows);
        }
        int low = from;
        int high = rows;
        if (guess < high && isBefore(guess, hash, above)) {
            low = guess + 1;
            for (int step = 1; guess + step < rows; step <<= 1) {
                if (!isBefore(guess + step, hash, above)) {
                    high = guess + step;
                    break;
                }
                low = guess + step + 1;
            }
        } else {
            high = guess;
            for (int step = 1; guess - step >= from; step <<= 1) {
                if (isBefore(guess - step, hash, above)) {
                    low = guess - step + 1;
                    break;
                }
                high = guess - step;
            }
        }
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (isBefore(middle, hash, above)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /**
     * Whether a row with this hash, which is above that of the first row, may be in the block; false is certain. Each
     * hash has three bits in the one word that belongs to its place among the hashes, so that a question reads one word
     * and questions in the order of hashes read words in their order. About 1 of 40 absent hashes passes. The filter is
     * made for the first question.
     */
    boolean mayContain(long hash) {
        if (rows < FILTERED_ROWS_MIN) {
            return true;
        }
        long[] words = filter;
        if (words == null) {
            words = new long[rows / ROWS_PER_WORD + 1];
            for (int row = 0; row < rows; row++) {
                long present = hash(row);
                words[wordOf(present, words)] |= bitsOf(present);
            }
            filter = words;
        }
        long wanted = bitsOf(hash);
        return (words[wordOf(hash, words)] & wanted) == wanted;
    }

    private int wordOf(long hash, long[] words) {
        return Math.min(guess(hash) / ROWS_PER_WORD, words.length - 1);
    }

    /** Three bits, by parts of the hash that neighbours in its order do not have in common. */
    private static long bitsOf(long hash) {
        return 1L << hash | 1L << (hash >>> 6) | 1L << (hash >>> 12);
    }

    /** About where a hash that is at least that of the first row lies; beyond the rows for one over the last. */
    private int guess(long hash) {
        return (int) (((hash - firstHash) >>> 1) * density);
    }

    private boolean isBefore(int row, long hash, boolean above) {
        int order = Long.compareUnsigned(hash(row), hash);
        return order < 0 || (above && order == 0);
    }

    /** The row behind the last one with the hash of this row. */
    int endOfHash(int row) {
        long hash = hash(row);
        int next = row + 1;
        return next == rows || hash(next) != hash ? next : find(hash, next, true);
    }
}
