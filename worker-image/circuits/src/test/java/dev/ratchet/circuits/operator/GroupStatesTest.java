/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.BatchBuilder;
import dev.ratchet.circuits.batch.BatchFile;
import dev.ratchet.circuits.batch.BatchMerge;
import dev.ratchet.circuits.batch.StoredAt;
import dev.ratchet.circuits.circuit.CacheShares;
import dev.ratchet.circuits.sample.ModelSet;
import dev.ratchet.circuits.sample.Samples;
import dev.ratchet.circuits.trace.Fragment;
import dev.ratchet.circuits.trace.Trace;
import dev.ratchet.circuits.trace.TraceSettings;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowBuffer;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.RowWriter;
import dev.ratchet.circuits.type.TypeKind;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class GroupStatesTest {

    private static final ColumnType BIGINT = ColumnType.of(TypeKind.BIGINT);
    private static final ColumnType TEXT = ColumnType.of(TypeKind.VARCHAR).orNull();
    private static final RowSchema SCHEMA = new RowSchema(List.of(BIGINT), List.of(BIGINT, TEXT));

    private static final long CACHE_BYTES = 1 << 20;

    /** More groups than the tables hold, so that they go into the trace several times. */
    private static final int GROUPS = 20_000;

    private static final int CHANGES = 60_000;

    /** Where fragments are said to lie; nobody reads it. */
    private static final BatchFile NOWHERE = new BatchFile() {
        @Override
        public String name() {
            return "nowhere";
        }

        @Override
        public void read(long position, byte[] into) {
            throw new AssertionError("read at " + position);
        }
    };

    static LongStream seeds() {
        return Samples.seeds(2);
    }

    private final Trace trace = new Trace(SCHEMA, TraceSettings.IN_MEMORY);
    private final RowBuffer initial = new RowBuffer(3);
    private final GroupStates groups = new GroupStates(trace, initial, null, new CacheShares(CACHE_BYTES));
    private final Map<Long, Long> model = new HashMap<>();

    /** What commits have written of fragments, which do not hold it themselves any more. */
    private final Map<Fragment, Batch> written = new HashMap<>();

    private final BatchBuilder rows = new BatchBuilder(new RowSchema(List.of(BIGINT), List.of()));

    @ParameterizedTest
    @MethodSource("seeds")
    void everyGroupHasTheStateLastWrittenWhereverItLies(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        initial.setLong(1, -1);
        initial.setNull(2);
        for (int change = 1; change <= CHANGES; ) {
            List<Long> changed = new ArrayList<>();
            for (int count = 1 + random.nextInt(100); count > 0; count--) {
                // Some groups change again and again, others once.
                changed.add((long) (random.nextBoolean() ? random.nextInt(100) : random.nextInt(GROUPS)));
                rows.setLong(0, changed.getLast());
                rows.add(1);
            }
            int[] numbers = groups.find(rows.unconsolidated());
            for (int i = 0; i < numbers.length; i++) {
                long group = changed.get(i);
                RowView found = groups.rows().row(numbers[i]);
                assertThat(found.longAt(0)).isEqualTo(group);
                assertThat(groups.isPresent(numbers[i])).isEqualTo(model.containsKey(group));
                assertThat(found.longAt(1)).isEqualTo(model.getOrDefault(group, -1L));
                assertThat(found.isNull(2)).isEqualTo(!model.containsKey(group));
                if (random.nextInt(4) != 0) {
                    write(group, numbers[i], change++, random.nextInt(5) != 0);
                }
            }
            groups.endStep();
            List<Batch> lying = trace.inserted();
            long states = trace.statistics().rows();
            assertThat(trace.inserted())
                    .as("nothing moves because it is counted")
                    .isEqualTo(lying);
            assertThat(states).isGreaterThanOrEqualTo(model.size());
            if (random.nextInt(CHANGES / 50 / 3) == 0) {
                assertStored();
            }
            if (random.nextInt(CHANGES / 50 / 6) == 0) {
                assertTakenByACommit(random.nextBoolean());
            }
        }
        assertStored();
    }

    /** What a version costs the thread of the steps, told by the memory it takes for copies. */
    @Test
    void takingAVersionIsTheSameWorkHoweverManyGroupsHaveChanged() {
        bytesOfTaking(1_000);
        assertThat(bytesOfTaking(100_000)).isBetween(1L, bytesOfTaking(1_000) + 1_000);
    }

    private static long bytesOfTaking(int changed) {
        GroupStatesTest test = new GroupStatesTest();
        GroupStates states = new GroupStates(test.trace, test.initial, null, new CacheShares(1L << 30));
        test.initial.setLong(1, -1);
        test.initial.setNull(2);
        for (long round = 0; round < 2; round++) {
            for (long group = 0; group < changed; group++) {
                test.rows.setLong(0, group);
                test.rows.add(1);
            }
            for (int number : states.find(test.rows.unconsolidated())) {
                states.touch(number);
                states.rows().writeOver(number).setLong(1, round);
                states.rows().written();
                states.changed(number, true);
            }
            states.endStep();
        }
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        List<Fragment> fragments = test.trace.fragments();
        long bytes = threads.getCurrentThreadAllocatedBytes() - before;
        assertThat(fragments.stream()
                        .mapToLong(fragment -> fragment.rows().rowCount())
                        .sum())
                .isEqualTo(changed);
        return bytes;
    }

    private void write(long group, int number, long value, boolean present) {
        groups.touch(number);
        RowWriter out = groups.rows().writeOver(number);
        out.setLong(1, value);
        out.setString(2, "state " + value);
        groups.rows().written();
        groups.changed(number, present);
        if (present) {
            model.put(group, value);
        } else {
            model.remove(group);
        }
    }

    /**
     * What a commit stores is every group as it was last written, whatever was stored before; some are stored while
     * groups go on, some when they are needed.
     */
    private void assertTakenByACommit(boolean isStoredAtOnce) {
        List<Batch> taken = new ArrayList<>();
        for (Fragment fragment : trace.fragments()) {
            Batch rows = written.computeIfAbsent(fragment, Fragment::rows);
            taken.add(rows);
            fragment.freeze();
            if (isStoredAtOnce && fragment.place() == null && !rows.isEmpty()) {
                fragment.store(new StoredAt(NOWHERE, 0, 1), rows.rowCount());
            }
        }
        assertModel(BatchMerge.merge(SCHEMA, taken));
    }

    /** Whoever reads the trace as a whole sees every group once, as it was last written. */
    private void assertStored() {
        assertModel(BatchMerge.merge(SCHEMA, trace.batches()));
    }

    private void assertModel(Batch stored) {
        ModelSet expected = new ModelSet();
        model.forEach((group, value) -> expected.add(List.of(group, value, "state " + value), 1));
        assertThat(ModelSet.read(SCHEMA, stored.cursor())).isEqualTo(expected);
    }
}
