/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.circuits.sample.ModelSet;
import dev.ratchet.circuits.sample.Samples;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowHash;
import dev.ratchet.circuits.type.RowOrder;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.TypeKind;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class UnconsolidatedRowsTest {

    static LongStream seeds() {
        return Samples.seeds(100);
    }

    private final ModelSet model = new ModelSet();
    private Samples samples = new Samples(1);
    private RowSchema schema = samples.schema();

    /** Random rows of a random schema, all from a seed. */
    private UnconsolidatedRows random(long seed) {
        samples = new Samples(seed);
        schema = samples.schema();
        return random(new BatchBuilder(schema));
    }

    private UnconsolidatedRows random(BatchBuilder builder) {
        for (int row = samples.random().nextInt(300); row > 0; row--) {
            List<Object> values = samples.row(schema);
            long weight = samples.random().nextInt(-2, 3);
            model.add(values, weight);
            ModelSet.add(builder, values, weight);
        }
        return builder.unconsolidated();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void theSumOfUnconsolidatedRowsIsThatOfTheirPartsToTheByte(long seed) {
        UnconsolidatedRows rows = random(seed);
        List<Batch> parts = rows.parts(1 + samples.random().nextInt(4)).stream()
                .map(UnconsolidatedRows::batch)
                .toList();
        Batch sum = BatchMerge.merge(schema, parts);
        assertThat(ModelSet.read(schema, sum.cursor())).isEqualTo(model);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void rowsByKeyAreAllRowsEachKeyOnceInTheOrderOfHashes(long seed) {
        UnconsolidatedRows rows = random(seed);
        ModelSet walked = new ModelSet();
        BatchBuilder keys = new BatchBuilder(schema);
        int count = 0;
        for (UnconsolidatedCursor row = rows.byKey(); row.valid(); row.next()) {
            assertThat(row.hash()).isEqualTo(RowHash.ofKey(schema, row));
            if (count++ > 0) {
                assertOrder(schema, keys, row);
            }
            keys.discard();
            for (int column = 0; column < schema.columnCount(); column++) {
                keys.copy(column, schema.column(column).storage(), row, column);
            }
            keys.add(1);
            walked.add(ModelSet.row(schema, row), row.weight());
        }
        assertThat(walked).isEqualTo(model);
        assertThat(count).isEqualTo(rows.rowCount());
        assertThat(ModelSet.read(schema, rows.batch().cursor())).isEqualTo(model);
    }

    private static void assertOrder(RowSchema schema, BatchBuilder before, UnconsolidatedCursor row) {
        UnconsolidatedCursor last = before.unconsolidated().byKey();
        int order = Long.compareUnsigned(last.hash(), row.hash());
        int keyOrder = RowOrder.compare(schema.storages(), last, row, 0, schema.keyCount());
        assertThat(order < 0 || (order == 0 && keyOrder <= 0)).isTrue();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aProjectionIsTheSumOfItsColumnsAndLeavesTheRowsAsTheyAre(long seed) {
        UnconsolidatedRows rows = random(seed);
        int count = schema.columnCount();
        int taken = count == 0 ? 0 : 1 + samples.random().nextInt(5);
        int[] columns = samples.random().ints(taken, 0, Math.max(1, count)).toArray();
        RowSchema target =
                RowSchema.ofKey(IntStream.of(columns).mapToObj(schema::column).toArray(ColumnType[]::new));
        ModelSet expected = new ModelSet();
        for (UnconsolidatedCursor row = rows.cursor(); row.valid(); row.next()) {
            List<Object> whole = ModelSet.row(schema, row);
            List<Object> some = new ArrayList<>();
            IntStream.of(columns).forEach(column -> some.add(whole.get(column)));
            expected.add(some, row.weight());
        }
        Batch projected = new Projection(target, columns).of(rows).batch();
        assertThat(ModelSet.read(target, projected.cursor())).isEqualTo(expected);
        assertThat(ModelSet.read(schema, rows.batch().cursor())).isEqualTo(model);
    }

    @Test
    void rowsThatAreGoneOrSummedAreNotRead() {
        BatchBuilder builder = new BatchBuilder(schema);
        UnconsolidatedRows first = random(builder);
        first.batch();
        assertThatThrownBy(first::cursor).hasMessageContaining("read their batch");
        UnconsolidatedRows second = random(builder);
        UnconsolidatedRows projected = new Projection(RowSchema.ofKey(schema.column(0)), new int[] {0}).of(second);
        random(builder);
        assertThatThrownBy(second::cursor).hasMessageContaining("has given others since");
        assertThatThrownBy(projected::batch).hasMessageContaining("has given others since");
    }

    @Test
    void theRoomOfManyRowsIsGivenBackWhenTheyAreForgottenAndThatOfFewIsKept() {
        RowSchema schema = new RowSchema(List.of(ColumnType.of(TypeKind.BIGINT)), List.of());
        for (int count : List.of(1_000, 100_000)) {
            BatchBuilder builder = new BatchBuilder(schema);
            for (long row = 0; row < count; row++) {
                builder.setLong(0, row);
                builder.add(1);
            }
            UnconsolidatedRows rows = builder.unconsolidated();
            RowVectors room = rows.hashedRows();
            rows.forgetIfLarge();
            assertThat(room.hashes.length > 1_000).isEqualTo(count == 1_000);
            assertThat(room.count()).isEqualTo(count == 1_000 ? count : 0);
        }
    }
}
