/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.BatchBuilder;
import dev.ratchet.circuits.batch.MergedCursor;
import dev.ratchet.circuits.batch.RowPredicate;
import dev.ratchet.circuits.batch.WriteBuffer;
import dev.ratchet.circuits.circuit.CacheShares;
import dev.ratchet.circuits.circuit.Operator;
import dev.ratchet.circuits.sample.ModelSet;
import dev.ratchet.circuits.sample.Samples;
import dev.ratchet.circuits.trace.Trace;
import dev.ratchet.circuits.trace.TraceSettings;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowBuffer;
import dev.ratchet.circuits.type.RowHash;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.TypeKind;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class HeldRowsTest {

    private static final ColumnType BIGINT = ColumnType.of(TypeKind.BIGINT);
    private static final RowSchema SCHEMA = new RowSchema(List.of(BIGINT), List.of(BIGINT));

    /** A set of so many bytes has some five hundred rows. */
    private static final long SMALL_BYTES = 8_000;

    private final Trace trace = new Trace(SCHEMA, TraceSettings.IN_MEMORY);
    private final BatchBuilder builder = new BatchBuilder(SCHEMA);
    private final Change change = new Change();

    static LongStream seeds() {
        return Samples.seeds(4);
    }

    /** Stands for the input of an arrangement. */
    private static final class Change extends Operator {
        Change() {
            super(SCHEMA, List.of());
        }

        void is(Batch rows) {
            emit(rows);
        }

        @Override
        protected void evaluate() {}
    }

    private boolean add(HeldRows held) {
        change.is(builder.build());
        boolean added = held.add(change);
        if (!added) {
            trace.insert(change.output());
        }
        return added;
    }

    /** What the trace and all sets have of some keys, as it was before the step or as it is. */
    private ModelSet found(HeldRows held, int keys, boolean beforeStep) {
        ModelSet found = new ModelSet();
        RowBuffer key = new RowBuffer(2);
        MergedCursor stored = trace.probe();
        for (long number = 0; number < keys; number++) {
            key.setLong(0, number);
            long hash = RowHash.ofKey(SCHEMA, key);
            for (stored.seekKey(hash, key); stored.valid(); stored.next()) {
                found.add(List.of(number, stored.longAt(1)), stored.weight());
            }
            for (WriteBuffer set : held.sets()) {
                for (int row = set.find(hash, key); row >= 0; row = set.findOlder(row)) {
                    long weight = beforeStep ? set.weightBefore(row) : set.weight(row);
                    found.add(List.of(number, set.row(row).longAt(1)), weight);
                }
            }
        }
        return found;
    }

    /** Beside a set of rows: nothing is missed or seen twice while sets leave. */
    @ParameterizedTest
    @MethodSource("seeds")
    void readersSeeAllRowsWhateverHasLeft(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        HeldRows held = new HeldRows(trace, null, new CacheShares(SMALL_BYTES), Integer.MAX_VALUE);
        trace.putBehind(held);
        ModelSet before = new ModelSet();
        boolean hasLeaving = false;
        for (int step = 0; step < 120; step++) {
            ModelSet after = new ModelSet();
            after.add(before);
            for (int row = random.nextInt(60); row > 0; row--) {
                List<Object> values = List.of((long) random.nextInt(20), (long) random.nextInt(500));
                long weight = random.nextInt(4) == 0 ? -1 : 1;
                after.add(values, weight);
                ModelSet.add(builder, values, weight);
            }
            assertThat(add(held)).isTrue();
            hasLeaving |= held.sets().size() == 2;
            assertThat(held.sets()).as("seed %d, step %d", seed, step).hasSizeBetween(1, 2);
            assertThat(found(held, 20, true)).as("seed %d, step %d", seed, step).isEqualTo(before);
            assertThat(found(held, 20, false))
                    .as("seed %d, step %d", seed, step)
                    .isEqualTo(after);
            held.endStep();
            before = after;
            List<Batch> lying = trace.inserted();
            long rows = trace.statistics().rows();
            assertThat(trace.inserted())
                    .as("nothing moves because it is counted")
                    .isEqualTo(lying);
            if (random.nextInt(40) == 0) {
                ModelSet stored = new ModelSet();
                trace.batches().forEach(batch -> stored.add(ModelSet.read(SCHEMA, batch.cursor())));
                assertThat(stored).as("seed %d, step %d", seed, step).isEqualTo(before);
                assertThat(trace.statistics().rows()).isBetween(1L, rows);
            }
        }
        assertThat(hasLeaving).isTrue();
    }

    /** Rows that are looked at, which is one of the things a row takes to leave, and rows of merges. */
    private static final class Counted implements RowPredicate {
        private long rows;

        @Override
        public boolean test(RowView row) {
            rows++;
            return true;
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void noStepDoesMoreThanItsShare(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Counted counted = new Counted();
        trace.retain(counted);
        HeldRows held = new HeldRows(trace, counted, new CacheShares(1 << 30), Integer.MAX_VALUE);
        long rows = 0;
        while (rows < 1_500_000) {
            int count = 1 + random.nextInt(2_000);
            for (int row = 0; row < count; row++) {
                builder.setLong(0, random.nextLong());
                builder.setLong(1, rows++);
                builder.add(1);
            }
            long before = counted.rows;
            assertThat(add(held)).isTrue();
            held.endStep();
            // A row of a merge is looked at once or twice, and two levels merge.
            assertThat(counted.rows - before)
                    .as("seed %d, %d rows after %d", seed, count, rows)
                    .isLessThanOrEqualTo((HeldRows.WORK_OF_SHARE + 4L * HeldRows.MERGED_OF_SHARE) * count);
        }
        assertThat(trace.isEmpty()).isFalse();
        assertThat(counted.rows).isGreaterThan(rows);
    }

    @Test
    void fromAKeyWithManyRowsOnRowsGoIntoTheTraceAndThoseThatCameLeaveInPieces() {
        HeldRows held = new HeldRows(trace, null, new CacheShares(1 << 30), 100);
        ModelSet model = new ModelSet();
        for (long row = 0; row < 60; row++) {
            for (long key = 0; key < 20; key++) {
                ModelSet.add(builder, List.of(key == 0 ? 0L : row * 20 + key, row * 20 + key), 1);
                model.add(List.of(key == 0 ? 0L : row * 20 + key, row * 20 + key), 1);
            }
            for (long again = 0; again < 3; again++) {
                ModelSet.add(builder, List.of(0L, -row * 3 - again - 1), 1);
                model.add(List.of(0L, -row * 3 - again - 1), 1);
            }
            assertThat(add(held)).isEqualTo(row < 25);
            assertThat(found(held, 60 * 20, false)).as("step %d", row).isEqualTo(model);
            held.endStep();
        }
        assertThat(held.isHolding()).isFalse();
        assertThat(held.sets()).isEmpty();
    }
}
