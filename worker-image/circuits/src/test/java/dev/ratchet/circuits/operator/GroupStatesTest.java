/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.circuits.batch.BatchMerge;
import dev.ratchet.circuits.circuit.CacheShares;
import dev.ratchet.circuits.sample.ModelSet;
import dev.ratchet.circuits.sample.Samples;
import dev.ratchet.circuits.trace.Trace;
import dev.ratchet.circuits.trace.TraceSettings;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowBuffer;
import dev.ratchet.circuits.type.RowHash;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.RowWriter;
import dev.ratchet.circuits.type.TypeKind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
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

    static LongStream seeds() {
        return Samples.seeds(2);
    }

    private final Trace trace = new Trace(SCHEMA, TraceSettings.IN_MEMORY);
    private final GroupStates groups = new GroupStates(trace, null, new CacheShares(CACHE_BYTES));
    private final Map<Long, Long> model = new HashMap<>();
    private final RowBuffer key = new RowBuffer(1);

    @ParameterizedTest
    @MethodSource("seeds")
    void everyGroupHasTheStateLastWrittenWhereverItLies(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int change = 1; change <= CHANGES; change++) {
            // Some groups change again and again, others once.
            long group = random.nextBoolean() ? random.nextInt(100) : random.nextInt(GROUPS);
            key.setLong(0, group);
            RowView found = groups.find(RowHash.ofKey(SCHEMA, key), key);
            assertThat(found == null ? null : found.longAt(1)).isEqualTo(model.get(group));
            write(group, change, random.nextInt(5) != 0);
            if (random.nextInt(50) == 0) {
                groups.endStep();
            }
            if (random.nextInt(CHANGES / 3) == 0) {
                assertStored();
            }
        }
        groups.endStep();
        assertStored();
    }

    private void write(long group, long value, boolean present) {
        RowWriter out = groups.write();
        if (groups.isNew()) {
            out.setLong(0, group);
        }
        out.setLong(1, value);
        out.setString(2, "state " + value);
        groups.written(present);
        if (present) {
            model.put(group, value);
        } else {
            model.remove(group);
        }
    }

    /** Whoever reads the trace as a whole sees every group once, as it was last written. */
    private void assertStored() {
        ModelSet expected = new ModelSet();
        model.forEach((group, value) -> expected.add(List.of(group, value, "state " + value), 1));
        var stored = BatchMerge.merge(SCHEMA, trace.batches());
        assertThat(ModelSet.read(SCHEMA, stored.cursor())).isEqualTo(expected);
    }
}
