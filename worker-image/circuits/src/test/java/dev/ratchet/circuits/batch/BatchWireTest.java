/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.ratchet.circuits.sample.Samples;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.ObjectValues;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.TypeKind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Rows come out of a message as they went in, whatever their types; a message that is damaged is refused. */
class BatchWireTest {

    private static final RowSchema PAIR = new RowSchema(
            List.of(ColumnType.of(TypeKind.BIGINT)),
            List.of(ColumnType.of(TypeKind.VARCHAR).orNull()));

    static LongStream seeds() {
        return Samples.seeds(40);
    }

    private static BatchBuilder rows(Samples samples, RowSchema schema) {
        BatchBuilder builder = new BatchBuilder(schema);
        for (int i = samples.random().nextInt(40); i > 0; i--) {
            List<Object> row = samples.row(schema);
            for (int column = 0; column < row.size(); column++) {
                ObjectValues.write(schema.column(column), row.get(column), builder, column);
            }
            builder.add(samples.random().nextInt(1, 4));
        }
        return builder;
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void rowsComeOutAsTheyWentIn(long seed) {
        Samples samples = new Samples(seed);
        RowSchema schema = samples.schema();
        Batch batch = rows(samples, schema).build();
        UnconsolidatedRows unconsolidated = rows(samples, schema).unconsolidated();
        List<ByteBuffer> messages = List.of(BatchWire.encode(batch, 1), BatchWire.encode(unconsolidated, 1));
        List<Batch> expected = List.of(batch, unconsolidated.batch());
        BatchBuilder all = new BatchBuilder(schema);
        for (int i = 0; i < messages.size(); i++) {
            Batch decoded = BatchWire.decode(messages.get(i), schema);
            assertThat(BatchFormat.encode(decoded)).as("seed %d", seed).isEqualTo(BatchFormat.encode(expected.get(i)));
            BatchWire.decode(messages.get(i), all);
        }
        assertThat(BatchFormat.encode(all.build()))
                .as("both, seed %d", seed)
                .isEqualTo(BatchFormat.encode(BatchMerge.merge(schema, expected)));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void noDamagedMessageIsReadBeyondItsEnd(long seed) {
        Samples samples = new Samples(seed);
        RowSchema schema = samples.schema();
        byte[] message = bytes(BatchWire.encode(rows(samples, schema).build(), 1));
        List<byte[]> damaged = new ArrayList<>();
        damaged.add(Arrays.copyOf(message, samples.random().nextInt(message.length)));
        damaged.add(Arrays.copyOf(message, message.length + 1));
        for (byte[] bytes : damaged) {
            assertThatThrownBy(() -> BatchWire.decode(ByteBuffer.wrap(bytes), schema))
                    .as("seed %d", seed)
                    .isInstanceOf(CorruptBatchException.class);
        }
        for (int flip = 0; flip < 50; flip++) {
            byte[] bytes = message.clone();
            bytes[samples.random().nextInt(bytes.length)] ^=
                    (byte) (1 << samples.random().nextInt(8));
            Throwable thrown = catchThrowable(() -> BatchWire.decode(ByteBuffer.wrap(bytes), new BatchBuilder(schema)));
            assertThat(thrown == null || thrown instanceof CorruptBatchException)
                    .as("seed %d, %s", seed, thrown)
                    .isTrue();
        }
    }

    @Test
    void whatIsWrongIsTold() {
        BatchBuilder builder = new BatchBuilder(PAIR);
        builder.setLong(0, 7);
        builder.setString(1, "seven");
        builder.add(1);
        byte[] message = bytes(BatchWire.encode(builder.build(), 1));
        RowSchema numbers = new RowSchema(List.of(), List.of(PAIR.column(0), PAIR.column(0)));
        assertThatThrownBy(() -> BatchWire.decode(ByteBuffer.wrap(message), numbers))
                .hasMessageContaining("have storage 2 in column 1 instead of 0, LONG");
        assertThatThrownBy(() -> BatchWire.decode(ByteBuffer.wrap(message), new RowSchema(PAIR.key(), List.of())))
                .hasMessageContaining("have 2 columns instead of 1");
        byte[] later = message.clone();
        later[0] = 9;
        assertThatThrownBy(() -> BatchWire.decode(ByteBuffer.wrap(later), PAIR))
                .hasMessageContaining("have format 9, this release reads 1");
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return bytes;
    }
}
