/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.circuits.sample.ModelSet;
import dev.ratchet.circuits.sample.Samples;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowHash;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.TypeKind;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class WriteBufferTest {

    private static final int STEPS = 30;
    private static final RowSchema NUMBERS =
            new RowSchema(List.of(ColumnType.of(TypeKind.BIGINT)), List.of(ColumnType.of(TypeKind.BIGINT)));

    static LongStream seeds() {
        return Samples.seeds(60);
    }

    /** Beside sets of rows: what was before each step, what is after it, and what is taken at the end. */
    @ParameterizedTest
    @MethodSource("seeds")
    void rowsAreFoundByKeyAsTheyWereBeforeAStepAndAfterIt(long seed) {
        Samples samples = new Samples(seed);
        SplittableRandom random = samples.random();
        RowSchema schema = samples.schema();
        List<List<Object>> pool = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            pool.add(samples.row(schema));
        }
        WriteBuffer recent = new WriteBuffer(schema);
        BatchBuilder builder = new BatchBuilder(schema);
        BatchBuilder probes = new BatchBuilder(schema);
        pool.forEach(row -> ModelSet.add(probes, row, 1));
        Batch keys = probes.build();
        ModelSet before = new ModelSet();
        for (int step = 0; step < STEPS; step++) {
            ModelSet after = new ModelSet();
            after.add(before);
            for (int row = random.nextInt(12); row > 0; row--) {
                List<Object> values = pool.get(random.nextInt(pool.size()));
                long weight = random.nextInt(-2, 3);
                after.add(values, weight);
                ModelSet.add(builder, values, weight);
            }
            if (random.nextBoolean()) {
                recent.addAll(builder.unconsolidated());
            } else {
                recent.addAll(builder.build());
            }
            assertThat(found(recent, schema, keys, true)).as("step %d", step).isEqualTo(before);
            assertThat(found(recent, schema, keys, false)).as("step %d", step).isEqualTo(after);
            recent.endStep();
            before = after;
            if (random.nextInt(STEPS / 2) == 0) {
                recent.leave(null);
                while (!recent.work(1 + random.nextInt(9))) {
                    assertThat(found(recent, schema, keys, true)).as("leaving").isEqualTo(before);
                    assertThat(found(recent, schema, keys, false)).as("leaving").isEqualTo(before);
                }
                assertThat(ModelSet.read(schema, recent.taken().cursor())).isEqualTo(before);
                assertThat(recent.isEmpty()).isTrue();
                before = new ModelSet();
            }
        }
        assertThat(ModelSet.read(schema, taken(recent, null).cursor())).isEqualTo(before);
    }

    private static Batch taken(WriteBuffer recent, @Nullable RowPredicate kept) {
        recent.leave(kept);
        assertThat(recent.work(Long.MAX_VALUE)).isTrue();
        return recent.taken();
    }

    private static ModelSet found(WriteBuffer recent, RowSchema schema, Batch keys, boolean beforeStep) {
        ModelSet found = new ModelSet();
        ModelSet sought = new ModelSet();
        for (BatchCursor key = keys.cursor(); key.valid(); key.next()) {
            List<Object> columns = ModelSet.row(schema, key).subList(0, schema.keyCount());
            if (sought.weights().containsKey(columns)) {
                continue;
            }
            sought.add(columns, 1);
            for (int row = recent.find(RowHash.ofKey(schema, key), key); row >= 0; row = recent.findOlder(row)) {
                long weight = beforeStep ? recent.weightBefore(row) : recent.weight(row);
                found.add(ModelSet.row(schema, recent.row(row)), weight);
            }
        }
        return found;
    }

    private static void add(WriteBuffer recent, long key, long value, long weight) {
        BatchBuilder builder = new BatchBuilder(NUMBERS);
        ModelSet.add(builder, List.of(key, value), weight);
        recent.addAll(builder.unconsolidated());
    }

    @Test
    void aKeyWhoseRowChangesInEveryStepHasOneRow() {
        WriteBuffer recent = new WriteBuffer(NUMBERS);
        add(recent, 7, 0, 1);
        for (long step = 1; step <= 5_000; step++) {
            recent.endStep();
            add(recent, 7, step, 1);
            add(recent, 7, step - 1, -1);
        }
        recent.endStep();
        List<Integer> found = numbersOfSeven(recent);
        assertThat(found).hasSize(1);
        assertThat(recent.row(found.getFirst()).longAt(1)).isEqualTo(5_000);
        assertThat(recent.isFull(Long.MAX_VALUE)).isFalse();
    }

    @Test
    void rowsTakenBackThatAreNotHereMakeItFull() {
        WriteBuffer recent = new WriteBuffer(NUMBERS);
        for (long row = 0; row < 2_000; row++) {
            add(recent, row, row, -1);
        }
        assertThat(recent.isFull(Long.MAX_VALUE)).isTrue();
        taken(recent, null);
        assertThat(recent.isFull(Long.MAX_VALUE)).isFalse();
    }

    /** The numbers of rows with key 7, the newest first. */
    private static List<Integer> numbersOfSeven(WriteBuffer recent) {
        BatchBuilder probe = new BatchBuilder(NUMBERS);
        ModelSet.add(probe, List.of(7L, 0L), 1);
        BatchCursor row = probe.build().cursor();
        List<Integer> numbers = new ArrayList<>();
        for (int found = recent.find(row.hash(), row); found >= 0; found = recent.findOlder(found)) {
            numbers.add(found);
        }
        return numbers;
    }

    @Test
    void anyOfTheSixtyFourNewestRowsOfAKeyIsCancelledWhereItLies() {
        for (long gone : List.of(0L, 1L, 30L, 63L)) {
            WriteBuffer recent = new WriteBuffer(NUMBERS);
            for (long row = 0; row < 64; row++) {
                add(recent, 7, row, 1);
            }
            recent.endStep();
            add(recent, 7, gone, -1);
            recent.endStep();
            assertThat(numbersOfSeven(recent)).hasSize(63).doesNotContain((int) gone);
        }
    }

    @Test
    void rowsThatAreLetGoAreNotTaken() {
        WriteBuffer recent = new WriteBuffer(NUMBERS);
        for (long row = 0; row < 9; row++) {
            add(recent, 7, row, 1);
        }
        recent.endStep();
        Batch taken = taken(recent, row -> row.longAt(1) > 6);
        assertThat(ModelSet.read(NUMBERS, taken.cursor()).weights().keySet())
                .containsExactlyInAnyOrder(List.of(7L, 7L), List.of(7L, 8L));
    }

    @Test
    void theRowsOfAStepCanBeLeftToOthers() {
        WriteBuffer recent = new WriteBuffer(NUMBERS);
        add(recent, 1, 1, 1);
        recent.endStep();
        add(recent, 1, 2, 1);
        assertThat(recent.depth()).isEqualTo(2);
        recent.leaveBeforeStep(null);
        assertThat(recent.work(Long.MAX_VALUE)).isTrue();
        Batch before = recent.taken();
        assertThat(before.rowCount()).isEqualTo(1);
        assertThat(before.cursor().longAt(1)).isEqualTo(1);
        assertThat(recent.depth()).isZero();
    }
}
