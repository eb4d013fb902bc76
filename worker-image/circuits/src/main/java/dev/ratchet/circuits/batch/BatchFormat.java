/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

import dev.ratchet.circuits.type.FormatNumbers;
import dev.ratchet.circuits.type.RowHash;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.SchemaCodec;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * A batch as bytes, in files and in messages, little-endian:
 *
 * <pre>
 * header   "RBAT", format u32, hash id u32, length of schema u32, schema, checksum
 * blocks   for each: the bytes of a {@link Block}, checksum
 * footer   blocks u32, rows i64; for each block: position i64, bytes u32, rows u32, first hash i64,
 *          words of filter u32, filter; checksum
 * trailer  length of footer u32, length of all u64, "RBAT"
 * </pre>
 *
 * A checksum is the CRC-32C of its part. Equal batches have equal bytes. Anything damaged is refused with its place.
 */
public final class BatchFormat {

    /** One is written into each batch. A reader refuses what it does not know and names all numbers. */
    private static final FormatNumbers FORMAT = new FormatNumbers(1, 1, 1);

    static final int CHECKSUM = 4;
    private static final int MAGIC = 0x54414252;
    private static final int HEADER = 16;
    private static final int TRAILER = 16;
    private static final int FOOTER_HEAD = 12;
    private static final int FOOTER_ENTRY = 28;

    private BatchFormat() {}

    /** The bytes of a batch that fits an array. */
    public static byte[] encode(Batch batch) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        write(batch, FormatNumbers.ANY_LEVEL, out::write);
        return out.toByteArray();
    }

    /**
     * Appends the bytes of a batch and returns their number. A slice is cut into blocks anew, a whole batch is copied.
     *
     * @param level of recorded formats
     */
    public static long write(Batch batch, int level, ByteSink sink) {
        BatchWriter writer = new BatchWriter(batch.schema(), level, sink);
        if (batch.isWhole()) {
            for (int number = 0; number < batch.source().index().count(); number++) {
                writer.accept(batch.source().block(number));
            }
            return writer.close();
        }
        BatchMerge copy = new BatchMerge(batch.schema(), List.of(batch), null, writer);
        copy.work(Long.MAX_VALUE);
        copy.result();
        return writer.length();
    }

    /**
     * The batch in these bytes, in memory.
     *
     * @param name where the bytes come from, for errors
     * @throws CorruptBatchException where they are no batch of a known format
     */
    public static Batch decode(byte[] bytes, String name) {
        Footer footer = footer(new ArrayFile(bytes, name), 0, bytes.length);
        List<Block> blocks = new ArrayList<>();
        for (int number = 0; number < footer.positions.length; number++) {
            int from = (int) footer.positions[number];
            blocks.add(
                    block(Arrays.copyOfRange(bytes, from, from + footer.index.bytes(number) + CHECKSUM), name, from));
        }
        return Batch.of(footer.schema, new MemoryBlocks(blocks));
    }

    /**
     * The batch in a region of a file; blocks are read when they are needed.
     *
     * @throws CorruptBatchException where header or footer are damaged; a damaged block is found when it is read
     */
    public static Batch open(BatchFile file, long position, long length, BlockCache cache) {
        Footer footer = footer(file, position, length);
        return Batch.of(footer.schema, new FileBlocks(new StoredAt(file, position, length), cache, footer));
    }

    /**
     * As {@link #open} for a batch whose schema and rows are known from elsewhere: nothing of the file is read before
     * it is needed, and damage is found then.
     */
    public static Batch openLater(StoredAt place, BlockCache cache, RowSchema schema, long rows) {
        return Batch.of(schema, new FileBlocks(place, cache, schema, rows));
    }

    /** Drops the cached blocks of a stored batch and its slices; called when its file goes away. */
    public static void release(Batch batch) {
        if (batch.source() instanceof FileBlocks blocks) {
            blocks.release();
        }
    }

    /** What header and footer say. */
    record Footer(RowSchema schema, BlockIndex index, long[] positions, long[][] filters) {}

    static byte[] header(RowSchema schema, int level) {
        byte[] types = SchemaCodec.encode(schema);
        byte[] header = new byte[HEADER + types.length + CHECKSUM];
        putInts(header, 0, MAGIC, FORMAT.at(level), RowHash.ID, types.length);
        System.arraycopy(types, 0, header, HEADER, types.length);
        seal(header);
        return header;
    }

    static byte[] footer(BlockIndex index, List<Long> positions, List<long[]> filters) {
        int words = filters.stream().mapToInt(filter -> filter.length).sum();
        byte[] footer = new byte[FOOTER_HEAD + FOOTER_ENTRY * index.count() + words * 8 + CHECKSUM];
        putInts(footer, 0, index.count());
        Block.LONGS.set(footer, 4, index.rows());
        int at = FOOTER_HEAD;
        for (int number = 0; number < index.count(); number++) {
            long[] filter = filters.get(number);
            Block.LONGS.set(footer, at, positions.get(number).longValue());
            putInts(footer, at + 8, index.bytes(number), index.rows(number));
            Block.LONGS.set(footer, at + 16, index.firstHash(number));
            putInts(footer, at + 24, filter.length);
            at += FOOTER_ENTRY;
            for (long word : filter) {
                Block.LONGS.set(footer, at, word);
                at += 8;
            }
        }
        seal(footer);
        return footer;
    }

    static byte[] trailer(int footerLength, long length) {
        byte[] trailer = new byte[TRAILER];
        putInts(trailer, 0, footerLength);
        Block.LONGS.set(trailer, 4, length + TRAILER);
        putInts(trailer, 12, MAGIC);
        return trailer;
    }

    static int checksum(byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }

    /** The block in bytes that end with their checksum. */
    static Block block(byte[] bytes, String name, long position) {
        verify(bytes, name, position, "block");
        return new Block(bytes);
    }

    static Footer footer(BatchFile file, long position, long length) {
        if (length < HEADER + CHECKSUM + FOOTER_HEAD + CHECKSUM + TRAILER) {
            throw corrupt(file.name(), position, "batch", "has " + length + " bytes, which is too short");
        }
        RowSchema schema = readHeader(file, position, length);
        byte[] trailer = read(file, position + length - TRAILER, TRAILER);
        int footerLength = (int) Block.INTS.get(trailer, 0);
        if ((int) Block.INTS.get(trailer, 12) != MAGIC
                || (long) Block.LONGS.get(trailer, 4) != length
                || footerLength < FOOTER_HEAD + CHECKSUM
                || footerLength > length - TRAILER) {
            throw corrupt(file.name(), position, "batch", "does not end where it should");
        }
        long footerPosition = position + length - TRAILER - footerLength;
        byte[] footer = read(file, footerPosition, footerLength);
        verify(footer, file.name(), footerPosition, "footer");
        return entries(schema, footer, position);
    }

    private static Footer entries(RowSchema schema, byte[] footer, long start) {
        BlockIndex index = new BlockIndex();
        int count = (int) Block.INTS.get(footer, 0);
        long[] positions = new long[count];
        long[][] filters = new long[count][];
        int at = FOOTER_HEAD;
        for (int number = 0; number < count; number++) {
            positions[number] = start + (long) Block.LONGS.get(footer, at);
            index.add((long) Block.LONGS.get(footer, at + 16), (int) Block.INTS.get(footer, at + 12), (int)
                    Block.INTS.get(footer, at + 8));
            long[] filter = new long[(int) Block.INTS.get(footer, at + 24)];
            at += FOOTER_ENTRY;
            for (int word = 0; word < filter.length; word++) {
                filter[word] = (long) Block.LONGS.get(footer, at);
                at += 8;
            }
            filters[number] = filter;
        }
        return new Footer(schema, index, positions, filters);
    }

    private static RowSchema readHeader(BatchFile file, long position, long length) {
        byte[] head = read(file, position, HEADER);
        int format = (int) Block.INTS.get(head, 4);
        int hash = (int) Block.INTS.get(head, 8);
        int types = (int) Block.INTS.get(head, 12);
        if ((int) Block.INTS.get(head, 0) != MAGIC || types < 0 || types > length - HEADER) {
            throw corrupt(file.name(), position, "batch", "does not begin as one");
        }
        if (!FORMAT.reads(format) || hash != RowHash.ID) {
            throw corrupt(
                    file.name(),
                    position,
                    "batch",
                    "has format " + format + " and hash " + hash + ", this release reads " + FORMAT + " and "
                            + RowHash.ID);
        }
        byte[] header = read(file, position, HEADER + types + CHECKSUM);
        verify(header, file.name(), position, "header");
        try {
            return SchemaCodec.decode(Arrays.copyOfRange(header, HEADER, HEADER + types));
        } catch (IllegalArgumentException e) {
            throw new CorruptBatchException(
                    "The batch at " + position + " of " + file.name() + " has no readable schema", e);
        }
    }

    private static byte[] read(BatchFile file, long position, int length) {
        byte[] bytes = new byte[length];
        file.read(position, bytes);
        return bytes;
    }

    private static void seal(byte[] bytes) {
        int length = bytes.length - CHECKSUM;
        putInts(bytes, length, checksum(bytes, length));
    }

    private static void verify(byte[] bytes, String name, long position, String part) {
        int length = bytes.length - CHECKSUM;
        if ((int) Block.INTS.get(bytes, length) != checksum(bytes, length)) {
            throw corrupt(name, position, part, "does not match its checksum");
        }
    }

    private static CorruptBatchException corrupt(String name, long position, String part, String what) {
        return new CorruptBatchException("The " + part + " at " + position + " of " + name + " " + what
                + "; take the data from another copy or an earlier version");
    }

    private static void putInts(byte[] bytes, int at, int... values) {
        for (int i = 0; i < values.length; i++) {
            Block.INTS.set(bytes, at + i * 4, values[i]);
        }
    }

    /** Bytes in memory that are read like a file. */
    private record ArrayFile(byte[] bytes, String name) implements BatchFile {
        @Override
        public void read(long position, byte[] into) {
            if (position + into.length > bytes.length) {
                throw corrupt(name, position, "part", "goes beyond the end");
            }
            System.arraycopy(bytes, (int) position, into, 0, into.length);
        }
    }
}
