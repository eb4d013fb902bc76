/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.circuits.sample.ModelSet;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowBuffer;
import dev.ratchet.circuits.type.RowHash;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.TypeKind;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class BatchFormatTest {

    private static final RowSchema GOLDEN = new RowSchema(
            List.of(
                    ColumnType.of(TypeKind.BIGINT),
                    ColumnType.of(TypeKind.VARCHAR).orNull()),
            List.of(
                    ColumnType.decimal(30, 2).orNull(),
                    ColumnType.of(TypeKind.DOUBLE),
                    ColumnType.array(ColumnType.of(TypeKind.INTEGER).orNull())));

    /** What the format was when it got its id; a change of the bytes needs a new id and a reader of both. */
    @Test
    void theBytesAreThoseOfTheGoldenFile() throws IOException {
        byte[] bytes = BatchFormat.encode(golden());
        byte[] expected = resource("batch-format-1.bin");
        assertThat(bytes).isEqualTo(expected);
        Batch read = BatchFormat.decode(expected, "golden");
        assertThat(read.schema()).isEqualTo(GOLDEN);
        assertThat(ModelSet.read(GOLDEN, read.cursor())).isEqualTo(ModelSet.read(GOLDEN, golden().cursor()));
    }

    @Test
    void everyDamagedByteIsFoundAndTheFileNamed() {
        byte[] bytes = BatchFormat.encode(golden());
        for (int at = 0; at < bytes.length; at++) {
            byte[] damaged = bytes.clone();
            damaged[at] ^= 0x10;
            assertThatThrownBy(() -> BatchFormat.decode(damaged, "orders.batch"))
                    .as("byte %d", at)
                    .isInstanceOf(CorruptBatchException.class)
                    .hasMessageContaining("orders.batch");
        }
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> BatchFormat.decode(cut, "cut")).isInstanceOf(CorruptBatchException.class);
        }
    }

    @Test
    void anUnknownFormatIsRefusedWithBothNumbers() {
        byte[] bytes = BatchFormat.encode(golden());
        bytes[4] = 9;
        assertThatThrownBy(() -> BatchFormat.decode(bytes, "newer"))
                .hasMessageContaining("format 9")
                .hasMessageContaining("reads 1");
    }

    @Test
    void aStoredBatchIsReadThroughTheCacheWithinItsLimit() {
        RowSchema schema = RowSchema.ofKey(ColumnType.of(TypeKind.BIGINT), ColumnType.of(TypeKind.VARCHAR));
        Batch batch = numbers(schema, 100_000);
        byte[] bytes = BatchFormat.encode(batch);
        MemoryFile file = new MemoryFile(bytes);
        BlockCache cache = new BlockCache(300_000);
        Batch stored = BatchFormat.open(file, 0, bytes.length, cache);
        assertThat(file.bytesRead).isLessThan(bytes.length / 5);
        assertThat(stored.rowCount()).isEqualTo(100_000);
        assertThat(BatchFormat.encode(stored)).isEqualTo(bytes);
        assertThat(cache.bytes()).isLessThanOrEqualTo(300_000);
        assertThat(cache.evictions()).isPositive();

        BatchFormat.release(stored);
        assertThat(cache.bytes()).isZero();
        BatchCursor cursor = stored.cursor();
        BatchCursor wanted = batch.cursor();
        for (; wanted.valid(); wanted.next()) {
            if (wanted.longAt(0) % 97 == 0) {
                assertThat(cursor.seekKey(wanted.hash(), wanted)).isTrue();
                assertThat(cursor.longAt(0)).isEqualTo(wanted.longAt(0));
            }
        }
    }

    @Test
    void keysThatAreNotThereAreMostlyNotReadFor() {
        RowSchema schema = RowSchema.ofKey(ColumnType.of(TypeKind.BIGINT));
        Batch batch = numbers(schema, 50_000);
        byte[] bytes = BatchFormat.encode(batch);
        BlockCache cache = new BlockCache(0);
        BatchCursor cursor =
                BatchFormat.open(new MemoryFile(bytes), 0, bytes.length, cache).cursor();
        RowBuffer probe = new RowBuffer(1);
        long before = cache.misses();
        for (int i = 0; i < 10_000; i++) {
            probe.setLong(0, 1_000_000L + i);
            assertThat(cursor.seekKey(RowHash.ofKey(schema, probe), probe)).isFalse();
        }
        assertThat(cache.misses() - before).isLessThan(500);
    }

    @Test
    void aDamagedBlockIsFoundWhenItIsRead() {
        RowSchema schema = RowSchema.ofKey(ColumnType.of(TypeKind.BIGINT));
        byte[] bytes = BatchFormat.encode(numbers(schema, 10_000));
        bytes[5_000] ^= 1;
        Batch stored = BatchFormat.open(new MemoryFile(bytes), 0, bytes.length, new BlockCache(1 << 20));
        assertThatThrownBy(() -> ModelSet.read(schema, stored.cursor()))
                .isInstanceOf(CorruptBatchException.class)
                .hasMessageContaining("memory");
    }

    private static Batch numbers(RowSchema schema, int count) {
        BatchBuilder builder = new BatchBuilder(schema);
        for (int i = 0; i < count; i++) {
            builder.setLong(0, i);
            if (schema.columnCount() > 1) {
                builder.setString(1, "row " + i);
            }
            builder.add(1);
        }
        return builder.build();
    }

    private static Batch golden() {
        BatchBuilder builder = new BatchBuilder(GOLDEN);
        List<Object> row = new ArrayList<>(List.of(1L, "one", new BigDecimal("0.10"), -0.0, List.of(1L, 2L)));
        ModelSet.add(builder, row, 2);
        row.set(2, null);
        ModelSet.add(builder, row, -1);
        row.set(1, null);
        row.set(2, new BigDecimal("1234567890123456789012345678.90"));
        row.set(3, Double.NaN);
        row.set(4, Arrays.asList(null, 7L));
        ModelSet.add(builder, row, 1L << 40);
        return builder.build();
    }

    private static byte[] resource(String name) throws IOException {
        try (InputStream in = BatchFormatTest.class.getResourceAsStream(name)) {
            return in.readAllBytes();
        }
    }

    /** A file that is an array. */
    private static final class MemoryFile implements BatchFile {
        private final byte[] bytes;
        private long bytesRead;

        MemoryFile(byte[] bytes) {
            this.bytes = bytes;
        }

        @Override
        public String name() {
            return "memory";
        }

        @Override
        public void read(long position, byte[] into) {
            System.arraycopy(bytes, (int) position, into, 0, into.length);
            bytesRead += into.length;
        }
    }
}
