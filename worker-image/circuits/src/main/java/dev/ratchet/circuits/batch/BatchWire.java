/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

import dev.ratchet.circuits.type.FormatNumbers;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.Storage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Rows as bytes of a message between processes, in the order in which they are given, with the hashes of their keys so
 * that nobody computes one twice. Little-endian, column after column:
 *
 * <pre>
 * format u8, columns u16, rows u32, storage of each column u8 (LONG 0, WIDE 1, BYTES 2)
 * hashes i64 each, weights i64 each
 * of each column: nulls u8 (0 for none, 1 and a bit for each row); then LONG i64 each, WIDE high i64 each and low i64
 * each, BYTES length of all u32, lengths u32 each, bytes
 * </pre>
 *
 * Who reads knows the schema. Anything that does not fit it, or goes beyond the end, is refused. Who writes gives the
 * level of recorded formats, by which the format is chosen.
 */
public final class BatchWire {

    /** One is written into each message. A reader refuses what it does not know and names all numbers. */
    private static final FormatNumbers FORMAT = new FormatNumbers(1, 1, 1);

    private static final int HEAD = 7;

    private BatchWire() {}

    /** The bytes of a batch. */
    public static ByteBuffer encode(Batch batch, int level) {
        WireBuffer into = new WireBuffer();
        write(batch, level, into);
        return into.written();
    }

    /** The bytes of rows in no order. */
    public static ByteBuffer encode(UnconsolidatedRows rows, int level) {
        WireBuffer into = new WireBuffer();
        RowVectors all = rows.hashedRows();
        int[] numbers = new int[rows.rowCount()];
        long[] hashes = new long[numbers.length];
        long[] weights = new long[numbers.length];
        for (int row = 0; row < numbers.length; row++) {
            numbers[row] = rows.from() + row;
            hashes[row] = all.hashes[numbers[row]];
            weights[row] = all.weights[numbers[row]];
        }
        write(all, numbers, hashes, weights, numbers.length, level, into);
        return into.written();
    }

    /** Appends the bytes of a batch. */
    public static void write(Batch batch, int level, WireBuffer into) {
        RowVectors rows = new RowVectors(batch.schema());
        BatchCopy.into(rows, batch);
        write(rows, null, rows.hashes, rows.weights, rows.count(), level, into);
    }

    /** Appends the bytes of some of the rows in no order. */
    public static void write(UnconsolidatedPart part, int level, WireBuffer into) {
        write(part.rows(), part.numbers, part.hashes, part.weights, part.count(), level, into);
    }

    private static void write(
            RowVectors rows,
            int @Nullable [] numbers,
            long[] hashes,
            long[] weights,
            int count,
            int level,
            WireBuffer into) {
        Storage[] storages = rows.storages;
        ByteBuffer head = into.room(HEAD + storages.length + 16L * count);
        head.put((byte) FORMAT.at(level)).putShort((short) storages.length).putInt(count);
        for (Storage storage : storages) {
            head.put(codeOf(storage));
        }
        putLongs(head, hashes, count);
        putLongs(head, weights, count);
        for (int column = 0; column < storages.length; column++) {
            writeNulls(rows.nulls[column], numbers, count, into);
            switch (storages[column]) {
                case LONG -> writeLongs(rows.lows[column], numbers, count, into);
                case WIDE -> {
                    writeLongs(rows.highs[column], numbers, count, into);
                    writeLongs(rows.lows[column], numbers, count, into);
                }
                case BYTES -> writeBytes(rows, column, numbers, count, into);
            }
        }
    }

    private static byte codeOf(Storage storage) {
        return switch (storage) {
            case LONG -> 0;
            case WIDE -> 1;
            case BYTES -> 2;
        };
    }

    private static void writeNulls(boolean[] nulls, int @Nullable [] numbers, int count, WireBuffer into) {
        byte[] bits = new byte[(count + 7) / 8];
        boolean isAny = false;
        for (int row = 0; row < count; row++) {
            if (nulls[numbers == null ? row : numbers[row]]) {
                bits[row >> 3] |= (byte) (1 << (row & 7));
                isAny = true;
            }
        }
        ByteBuffer out = into.room(1L + bits.length);
        out.put((byte) (isAny ? 1 : 0));
        if (isAny) {
            out.put(bits);
        }
    }

    private static void writeLongs(long[] values, int @Nullable [] numbers, int count, WireBuffer into) {
        ByteBuffer out = into.room(8L * count);
        if (numbers == null) {
            putLongs(out, values, count);
            return;
        }
        for (int row = 0; row < count; row++) {
            out.putLong(values[numbers[row]]);
        }
    }

    private static void putLongs(ByteBuffer out, long[] values, int count) {
        out.asLongBuffer().put(values, 0, count);
        out.position(out.position() + 8 * count);
    }

    private static void writeBytes(RowVectors rows, int column, int @Nullable [] numbers, int count, WireBuffer into) {
        int[] lengths = rows.lengths[column];
        boolean[] nulls = rows.nulls[column];
        ByteBuffer out = into.room(4 + 4L * count);
        int at = into.size();
        out.putInt(0);
        long all = 0;
        for (int row = 0; row < count; row++) {
            int number = numbers == null ? row : numbers[row];
            int length = nulls[number] ? 0 : lengths[number];
            out.putInt(length);
            all += length;
        }
        ByteBuffer pool = into.room(all);
        for (int row = 0; row < count; row++) {
            int number = numbers == null ? row : numbers[row];
            if (!nulls[number]) {
                pool.put(rows.pools[column], rows.starts[column][number], lengths[number]);
            }
        }
        into.setInt(at, (int) all);
    }

    /**
     * The sum of the rows in these bytes, which end with them.
     *
     * @throws CorruptBatchException where they are no rows of this schema in a known format
     */
    public static Batch decode(ByteBuffer bytes, RowSchema schema) {
        BatchBuilder builder = new BatchBuilder(schema);
        decode(bytes, builder);
        return builder.build();
    }

    /**
     * Adds the rows in these bytes, which end with them, to others.
     *
     * @throws CorruptBatchException where they are no rows of its schema in a known format; none of them was added
     */
    public static void decode(ByteBuffer bytes, BatchBuilder into) {
        ByteBuffer in = bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        RowVectors rows = into.vectors();
        int count = readHead(in, rows.storages);
        int first = rows.room(count);
        getLongs(in, rows.hashes, first, count);
        getLongs(in, rows.weights, first, count);
        for (int column = 0; column < rows.storages.length; column++) {
            readNulls(in, rows.nulls[column], first, count);
            switch (rows.storages[column]) {
                case LONG -> getLongs(in, rows.lows[column], first, count);
                case WIDE -> {
                    getLongs(in, rows.highs[column], first, count);
                    getLongs(in, rows.lows[column], first, count);
                }
                case BYTES -> readBytes(in, rows, column, first, count);
            }
        }
        if (in.hasRemaining()) {
            throw corrupt("end " + in.remaining() + " bytes before their message");
        }
        rows.commitAll(count);
    }

    private static int readHead(ByteBuffer in, Storage[] storages) {
        check(in, HEAD);
        int format = in.get() & 0xff;
        if (!FORMAT.reads(format)) {
            throw corrupt("have format " + format + ", this release reads " + FORMAT);
        }
        int columns = in.getShort() & 0xffff;
        int count = in.getInt();
        if (columns != storages.length) {
            throw corrupt("have " + columns + " columns instead of " + storages.length);
        }
        check(in, columns);
        for (int column = 0; column < columns; column++) {
            int storage = in.get();
            if (storage != codeOf(storages[column])) {
                throw corrupt("have storage " + storage + " in column " + column + " instead of "
                        + codeOf(storages[column]) + ", " + storages[column]);
            }
        }
        if (count < 0 || count > RowVectors.ROWS_MAX) {
            throw corrupt("are " + count + " rows, which is not between 0 and " + RowVectors.ROWS_MAX);
        }
        check(in, 16L * count);
        return count;
    }

    private static void getLongs(ByteBuffer in, long[] into, int first, int count) {
        check(in, 8L * count);
        in.asLongBuffer().get(into, first, count);
        in.position(in.position() + 8 * count);
    }

    private static void readNulls(ByteBuffer in, boolean[] nulls, int first, int count) {
        check(in, 1);
        int isAny = in.get();
        if (isAny != 0 && isAny != 1) {
            throw corrupt("say " + isAny + " where 1 is for columns with nulls and 0 for others");
        }
        int at = in.position();
        if (isAny == 1) {
            check(in, (count + 7) / 8);
            in.position(at + (count + 7) / 8);
        }
        for (int row = 0; row < count; row++) {
            nulls[first + row] = isAny == 1 && (in.get(at + (row >> 3)) >> (row & 7) & 1) == 1;
        }
    }

    private static void readBytes(ByteBuffer in, RowVectors rows, int column, int first, int count) {
        check(in, 4 + 4L * count);
        int all = in.getInt();
        check(in, 4L * count + Math.max(0, all));
        long sum = 0;
        int lengths = in.position();
        for (int row = 0; row < count; row++) {
            int length = in.getInt(lengths + 4 * row);
            sum += length < 0 ? RowVectors.BYTES_MAX + 1L : length;
        }
        if (sum != all || all > RowVectors.BYTES_MAX) {
            throw corrupt("have " + all + " bytes in column " + column + ", whose lengths do not sum to that");
        }
        int start = rows.poolRoom(column, all);
        for (int row = 0; row < count; row++) {
            int length = in.getInt();
            rows.starts[column][first + row] = start;
            rows.lengths[column][first + row] = length;
            start += length;
        }
        in.get(rows.pools[column], start - all, all);
    }

    private static void check(ByteBuffer in, long more) {
        if (in.remaining() < more) {
            throw corrupt("end after " + in.limit() + " bytes, at least " + (in.position() + more) + " were told");
        }
    }

    private static CorruptBatchException corrupt(String what) {
        return new CorruptBatchException(
                "The rows of a message " + what + "; both processes must run the same release and the same program");
    }
}
