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
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BatchTest {

    static LongStream seeds() {
        return Samples.seeds(150);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aBatchHoldsTheSumOfItsRowsInOrder(long seed) {
        Samples samples = new Samples(seed);
        RowSchema schema = samples.schema();
        ModelSet model = new ModelSet();
        Batch batch = random(samples, schema, samples.random().nextInt(400), model);
        assertThat(ModelSet.read(schema, batch.cursor())).isEqualTo(model);
        assertThat(batch.rowCount()).isEqualTo(model.weights().size());
        assertOrder(schema, batch);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void mergingIsAddition(long seed) {
        Samples samples = new Samples(seed);
        RowSchema schema = samples.schema();
        ModelSet model = new ModelSet();
        List<Batch> batches = new ArrayList<>();
        for (int i = samples.random().nextInt(6); i >= 0; i--) {
            batches.add(random(samples, schema, samples.random().nextInt(200), model));
        }
        Batch sum = BatchMerge.merge(schema, batches);
        assertThat(ModelSet.read(schema, sum.cursor())).isEqualTo(model);
        BatchBuilder all = new BatchBuilder(schema);
        for (Batch batch : batches.reversed()) {
            for (BatchCursor cursor = batch.cursor(); cursor.valid(); cursor.next()) {
                all.addRow(cursor, cursor.hash(), cursor.weight());
            }
        }
        assertThat(BatchFormat.encode(sum)).isEqualTo(BatchFormat.encode(all.build()));

        BatchMerge inPortions = new BatchMerge(schema, batches, null);
        while (!inPortions.work(7)) {}
        assertThat(BatchFormat.encode(inPortions.result())).isEqualTo(BatchFormat.encode(sum));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aBatchAndItsNegationAreNothing(long seed) {
        Samples samples = new Samples(seed);
        RowSchema schema = samples.schema();
        Batch batch = random(samples, schema, 100, new ModelSet());
        BatchBuilder negated = new BatchBuilder(schema);
        for (BatchCursor cursor = batch.cursor(); cursor.valid(); cursor.next()) {
            negated.addRow(cursor, cursor.hash(), -cursor.weight());
        }
        assertThat(BatchMerge.merge(schema, List.of(batch, negated.build())).rowCount())
                .isZero();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void slicesByShardAreTheBatchOnceAndWithoutCopies(long seed) {
        Samples samples = new Samples(seed);
        RowSchema schema = samples.schema();
        ModelSet model = new ModelSet();
        Batch batch = random(samples, schema, 300, model);
        int shards = 1 << samples.random().nextInt(5);
        ModelSet sum = new ModelSet();
        for (int shard = 0; shard < shards; shard++) {
            HashRange range = HashRange.ofShards(shard, shard + 1, shards);
            Batch slice = batch.slice(range);
            assertThat(slice.identity()).isSameAs(batch.identity());
            for (BatchCursor cursor = slice.cursor(); cursor.valid(); cursor.next()) {
                assertThat(HashRange.shardOf(cursor.hash(), shards)).isEqualTo(shard);
                assertThat(range.contains(cursor.hash())).isTrue();
            }
            sum.add(ModelSet.read(schema, slice.cursor()));
            Batch sent = BatchFormat.decode(BatchFormat.encode(slice), "slice");
            assertThat(ModelSet.read(schema, sent.cursor())).isEqualTo(ModelSet.read(schema, slice.cursor()));
        }
        assertThat(sum).isEqualTo(model);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aSeekFindsTheRowsOfItsKeyAndNoOthers(long seed) {
        Samples samples = new Samples(seed);
        RowSchema schema = samples.schema();
        ModelSet model = new ModelSet();
        List<Batch> parts = List.of(
                random(samples, schema, 150, model),
                random(samples, schema, 10, model),
                random(samples, schema, 0, model));
        MergedCursor cursor = new MergedCursor(parts, null);
        for (int i = 0; i < 50; i++) {
            List<Object> probe = samples.row(schema);
            BatchBuilder single = new BatchBuilder(schema);
            ModelSet.add(single, probe, 1);
            BatchCursor key = single.build().cursor();
            List<Object> wanted = ModelSet.row(schema, key).subList(0, schema.keyCount());
            ModelSet expected =
                    model.where(row -> row.subList(0, schema.keyCount()).equals(wanted));
            boolean found = cursor.seekKey(key.hash(), key);
            assertThat(found).isEqualTo(!expected.weights().isEmpty());
            assertThat(found).isEqualTo(cursor.valid());
            assertThat(ModelSet.read(schema, cursor)).isEqualTo(expected);

            cursor.seek(key.hash());
            long least = key.hash();
            assertThat(cursor.valid() ? Long.compareUnsigned(cursor.hash(), least) : 0)
                    .isGreaterThanOrEqualTo(0);
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void manyBatchesAreWalkedAsTheirSumInOrderEachRowOnce(long seed) {
        Samples samples = new Samples(seed);
        ColumnType bigint = ColumnType.of(TypeKind.BIGINT);
        RowSchema schema = new RowSchema(List.of(bigint), List.of(bigint));
        ModelSet model = new ModelSet();
        List<Batch> parts = new ArrayList<>();
        for (int part = samples.random().nextInt(21); part > 0; part--) {
            BatchBuilder builder = new BatchBuilder(schema);
            for (int i = samples.random().nextInt(60); i > 0; i--) {
                List<Object> row = List.of((long) samples.random().nextInt(4), (long)
                        samples.random().nextInt(12));
                long weight = samples.random().nextInt(5) - 2L;
                ModelSet.add(builder, row, weight);
                model.add(row, weight);
            }
            parts.add(builder.build());
        }
        ModelSet walked = new ModelSet();
        List<Object> last = null;
        long hash = 0;
        for (MergedCursor cursor = new MergedCursor(parts, null); cursor.valid(); cursor.next()) {
            List<Object> row = ModelSet.row(schema, cursor);
            if (last != null) {
                boolean isSameKey = row.get(0).equals(last.get(0));
                assertThat(Long.compareUnsigned(hash, cursor.hash())).isEqualTo(isSameKey ? 0 : -1);
                assertThat(!isSameKey || (Long) last.get(1) < (Long) row.get(1)).isTrue();
            }
            last = row;
            hash = cursor.hash();
            walked.add(row, cursor.weight());
        }
        assertThat(walked).isEqualTo(model);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void goingBackShowsTheRowsOfTheKeyOnceMore(long seed) {
        Samples samples = new Samples(seed);
        RowSchema schema = samples.schema();
        ModelSet model = new ModelSet();
        List<Batch> parts = List.of(random(samples, schema, 150, model), random(samples, schema, 30, model));
        int ordered = Math.min(1, schema.columnCount() - schema.keyCount());
        MergedCursor cursor = MergedCursor.probe(parts, null);
        for (BatchCursor key = parts.get(0).cursor(); key.valid(); key.next()) {
            cursor.seekKey(key.hash(), key);
            ModelSet expected = ModelSet.read(schema, cursor);
            for (int move = 0; move < 5; move++) {
                cursor.rewind(null);
                switch (samples.random().nextInt(4)) {
                    case 0 -> cursor.seekValue(key, ordered);
                    case 1 -> cursor.seekBack(key, ordered, 1);
                    case 2 -> {
                        BatchCursor more = parts.get(0).probe();
                        more.seekKey(key.hash(), key);
                        cursor.rewind(more);
                    }
                    default -> ModelSet.read(schema, cursor);
                }
                cursor.rewind(null);
                assertThat(ModelSet.read(schema, cursor)).isEqualTo(expected);
            }
        }
    }

    @Test
    void aSeekLandsOnTheFirstRowFromTheHashOn() {
        RowSchema schema = RowSchema.ofKey(ColumnType.of(TypeKind.BIGINT));
        BatchBuilder builder = new BatchBuilder(schema);
        for (int i = 0; i < 20_000; i++) {
            builder.setLong(0, i);
            builder.add(1);
        }
        Batch batch = builder.build();
        List<Long> hashes = new ArrayList<>();
        for (BatchCursor cursor = batch.cursor(); cursor.valid(); cursor.next()) {
            hashes.add(cursor.hash());
        }
        assertThat(hashes).hasSize(20_000);
        BatchCursor cursor = batch.cursor();
        Samples samples = new Samples(1);
        for (int i = 0; i < 5_000; i++) {
            int at = samples.random().nextInt(hashes.size());
            cursor.seek(hashes.get(at));
            assertThat(cursor.hash()).isEqualTo(hashes.get(at));
            cursor.seek(hashes.get(at) + 1);
            if (at + 1 < hashes.size()) {
                assertThat(cursor.hash()).isEqualTo(hashes.get(at + 1));
            } else {
                assertThat(cursor.valid()).isFalse();
            }
        }
    }

    @Test
    void storedRowsTakeLittleMoreThanTheirBytes() {
        RowSchema schema = new RowSchema(
                List.of(ColumnType.of(TypeKind.BIGINT)),
                List.of(ColumnType.of(TypeKind.INTEGER), ColumnType.of(TypeKind.VARCHAR)));
        BatchBuilder builder = new BatchBuilder(schema);
        for (int i = 0; i < 100_000; i++) {
            builder.setLong(0, i * 977L);
            builder.setLong(1, i % 1000);
            builder.setString(2, "name-" + i);
            builder.add(1);
        }
        Batch batch = builder.build();
        // 8 for the key, 4 for the integer, 10 for the text, 8 for the hash by which everything is found.
        assertThat(batch.byteCount()).isLessThan(100_000L * 30);
    }

    @Test
    void weightsThatDoNotFitAreAnError() {
        RowSchema schema = RowSchema.ofKey();
        BatchBuilder builder = new BatchBuilder(schema);
        builder.add(Long.MAX_VALUE);
        builder.add(1);
        assertThatThrownBy(builder::build).isInstanceOf(ArithmeticException.class);
    }

    static Batch random(Samples samples, RowSchema schema, int rows, ModelSet model) {
        BatchBuilder builder = new BatchBuilder(schema);
        for (int i = 0; i < rows; i++) {
            List<Object> row = samples.row(schema);
            long weight = samples.random().nextInt(-3, 4);
            ModelSet.add(builder, row, weight);
            model.add(row, weight);
        }
        return builder.build();
    }

    private static void assertOrder(RowSchema schema, Batch batch) {
        BatchCursor left = batch.cursor();
        BatchCursor right = batch.cursor();
        for (int i = 0; i + 1 < batch.rowCount(); i++) {
            right.next();
            int order = Long.compareUnsigned(left.hash(), right.hash());
            assertThat(order).isLessThanOrEqualTo(0);
            if (order == 0) {
                assertThat(RowOrder.compare(schema.storages(), left, right, 0, schema.columnCount()))
                        .isNegative();
            }
            assertThat(left.hash()).isEqualTo(RowHash.ofKey(schema, left));
            left.next();
        }
    }
}
