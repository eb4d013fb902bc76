/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.BatchBuilder;
import dev.ratchet.circuits.batch.HashRange;
import dev.ratchet.circuits.batch.MergedCursor;
import dev.ratchet.circuits.sample.MemorySpill;
import dev.ratchet.circuits.sample.ModelSet;
import dev.ratchet.circuits.sample.Samples;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowBuffer;
import dev.ratchet.circuits.type.RowHash;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.TypeKind;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TraceTest {

    private static final ColumnType BIGINT = ColumnType.of(TypeKind.BIGINT);
    private static final RowSchema NUMBERS = new RowSchema(List.of(BIGINT), List.of(BIGINT));

    static LongStream seeds() {
        return Samples.seeds(100);
    }

    /** Law L30: merges, spills and idle work at any moment change nothing. */
    @ParameterizedTest
    @MethodSource("seeds")
    void aTraceIsTheSumOfWhatWasInserted(long seed) {
        Samples samples = new Samples(seed);
        RowSchema schema = samples.schema();
        MemorySpill spill = new MemorySpill();
        Trace trace = new Trace(
                schema,
                samples.random().nextBoolean()
                        ? TraceSettings.IN_MEMORY
                        : new TraceSettings(spill, samples.random().nextInt(20_000)));
        ModelSet model = new ModelSet();
        for (int step = 0; step < 60; step++) {
            trace.insert(random(samples, schema, samples.random().nextInt(step % 7 == 0 ? 200 : 5), model));
            if (samples.random().nextInt(3) == 0) {
                trace.work(samples.random().nextInt(100));
            }
            if (step % 5 == 0) {
                assertThat(ModelSet.read(schema, trace.cursor()))
                        .as("seed %d step %d", seed, step)
                        .isEqualTo(model);
            }
        }
        while (!trace.work(50)) {}
        assertThat(ModelSet.read(schema, trace.cursor())).isEqualTo(model);
        assertThat(spill.unfinished()).isZero();
        assertThat(spill.files()).isEqualTo((int) trace.batches().stream()
                .filter(batch -> batch.storedAt() != null)
                .count());
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void rowsBehindTheWatermarkAreGone(long seed) {
        Samples samples = new Samples(seed);
        Trace trace = new Trace(NUMBERS, new TraceSettings(new MemorySpill(), 5_000));
        WatermarkRetention retention = new WatermarkRetention(1);
        trace.retain(retention);
        ModelSet model = new ModelSet();
        for (long step = 0; step < 50; step++) {
            BatchBuilder builder = new BatchBuilder(NUMBERS);
            for (int i = 0; i < 100; i++) {
                List<Object> row = List.of(
                        (long) samples.random().nextInt(50),
                        step * 10 + samples.random().nextInt(20));
                ModelSet.add(builder, row, 1);
                model.add(row, 1);
            }
            trace.insert(builder.build());
            retention.advance(step * 10 - 30);
            ModelSet visible = model.where(row -> (Long) row.get(1) >= retention.bound());
            assertThat(ModelSet.read(NUMBERS, trace.cursor())).isEqualTo(visible);
        }
        assertThat(trace.statistics().rows()).as("of 5000 rows, 500 are kept").isLessThan(3_000);
    }

    @Test
    void whatStaysInATraceIsInProportionToWhatIsKept() {
        Trace trace = new Trace(NUMBERS, TraceSettings.IN_MEMORY);
        WatermarkRetention retention = new WatermarkRetention(1);
        trace.retain(retention);
        BatchBuilder builder = new BatchBuilder(NUMBERS);
        for (long i = 0; i < 300_000; i++) {
            builder.setLong(0, i);
            builder.setLong(1, i);
            builder.add(1);
            if (i % 100 == 99) {
                trace.insert(builder.build());
                retention.advance(i - 1_000);
            }
        }
        assertThat(trace.statistics().rows()).isLessThan(20_000);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shardsCanBeDroppedAndRestored(long seed) {
        Samples samples = new Samples(seed);
        RowSchema schema = samples.schema();
        Trace trace = new Trace(schema, TraceSettings.IN_MEMORY);
        ModelSet model = new ModelSet();
        for (int step = 0; step < 20; step++) {
            trace.insert(random(samples, schema, 30, model));
        }
        int shard = samples.random().nextInt(4);
        HashRange range = HashRange.ofShards(shard, shard + 1, 4);
        List<Batch> moved =
                trace.batches().stream().map(batch -> batch.slice(range)).toList();
        trace.drop(range);
        for (MergedCursor cursor = trace.cursor(); cursor.valid(); cursor.next()) {
            assertThat(range.contains(cursor.hash())).isFalse();
        }
        trace.insert(random(samples, schema, 30, model));
        trace.restore(moved);
        assertThat(ModelSet.read(schema, trace.cursor())).isEqualTo(model);
    }

    /** Law L29, and the argument in the class comment: what one insertion costs does not depend on what is stored. */
    @Test
    void anInsertionPaysForItsShareOfMergesAndNoMore() {
        Trace trace = new Trace(NUMBERS, TraceSettings.IN_MEMORY);
        BatchBuilder builder = new BatchBuilder(NUMBERS);
        long mergedBefore = 0;
        long inserted = 0;
        Samples samples = new Samples(4);
        while (inserted < 300_000) {
            int rows = 1 + samples.random().nextInt(200);
            for (int i = 0; i < rows; i++) {
                builder.setLong(0, inserted++);
                builder.setLong(1, 0);
                builder.add(1);
            }
            trace.insert(builder.build());
            long merged = trace.statistics().rowsMerged();
            assertThat(merged - mergedBefore).isLessThanOrEqualTo((long) Trace.WORK_PER_ROW * rows * 10);
            mergedBefore = merged;
            assertThat(trace.fullest()).isLessThanOrEqualTo(2 * Trace.FAN_IN);
        }
        assertThat((double) trace.statistics().rowsMerged() / inserted)
                .as("write amplification")
                .isLessThan(10);
    }

    @Test
    void theSeeksOfAStepDependOnTheChangeAndNotOnTheState() {
        assertThat(seeksPerKey(1_000)).isLessThan(40);
        assertThat(seeksPerKey(200_000)).isLessThan(40);
    }

    private static double seeksPerKey(int stored) {
        Trace trace = new Trace(NUMBERS, TraceSettings.IN_MEMORY);
        BatchBuilder builder = new BatchBuilder(NUMBERS);
        for (int i = 0; i < stored; i++) {
            builder.setLong(0, i);
            builder.setLong(1, i);
            builder.add(1);
            if (i % 500 == 499) {
                trace.insert(builder.build());
            }
        }
        MergedCursor probe = trace.probe();
        RowBuffer key = new RowBuffer(2);
        for (int i = 0; i < 100; i++) {
            key.setLong(0, i * 3L);
            assertThat(probe.seekKey(RowHash.ofKey(NUMBERS, key), key)).isTrue();
            assertThat(probe.longAt(1)).isEqualTo(i * 3L);
        }
        return probe.seeks() / 100.0;
    }

    @Test
    void aBatchOfAnotherSchemaIsRefused() {
        Trace trace = new Trace(NUMBERS, TraceSettings.IN_MEMORY);
        assertThatThrownBy(() -> trace.insert(Batch.empty(RowSchema.ofKey(BIGINT))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("BIGINT");
    }

    private static Batch random(Samples samples, RowSchema schema, int rows, ModelSet model) {
        BatchBuilder builder = new BatchBuilder(schema);
        for (int i = 0; i < rows; i++) {
            List<Object> row = samples.row(schema);
            long weight = samples.random().nextInt(-2, 3);
            ModelSet.add(builder, row, weight);
            model.add(row, weight);
        }
        return builder.build();
    }
}
