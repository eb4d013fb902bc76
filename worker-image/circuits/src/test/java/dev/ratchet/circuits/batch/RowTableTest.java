/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.circuits.sample.ModelSet;
import dev.ratchet.circuits.sample.Samples;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowBuffer;
import dev.ratchet.circuits.type.RowHash;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.TypeKind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RowTableTest {

    private static final int STEPS = 12;
    private static final int KEYS_MAX = 40;

    /** Hashes with so few bits that keys that differ share theirs. */
    private static final long FEW = 7;

    static LongStream seeds() {
        return Samples.seeds(100);
    }

    /** Beside a map of keys as objects. */
    @ParameterizedTest
    @MethodSource("seeds")
    void keysHaveOneNumberEachInTheOrderInWhichTheyCame(long seed) {
        Samples samples = new Samples(seed);
        RowSchema schema = new RowSchema(samples.schema().columns(), List.of(ColumnType.of(TypeKind.BIGINT)));
        long mask = seed % 2 == 0 ? -1 : FEW;
        RowBuffer initial = new RowBuffer(schema.columnCount());
        RowTable table = new RowTable(schema);
        Map<List<Object>, Integer> known = new HashMap<>();
        BatchBuilder builder = new BatchBuilder(schema);
        BatchBuilder hashed = new BatchBuilder(schema);
        for (int step = 0; step < STEPS; step++) {
            for (int key = samples.random().nextInt(KEYS_MAX); key > 0; key--) {
                ModelSet.add(builder, samples.row(schema), 1);
            }
            for (UnconsolidatedCursor row = builder.unconsolidated().cursor(); row.valid(); row.next()) {
                hashed.addRow(row, RowHash.ofKey(schema, row) & mask, 1);
            }
            UnconsolidatedRows keys = hashed.unconsolidated();
            initial.setLong(schema.keyCount(), step);
            int[] numbers = new int[keys.rowCount()];
            table.enterAll(keys, initial, numbers);
            int place = 0;
            for (UnconsolidatedCursor row = keys.cursor(); row.valid(); row.next()) {
                List<Object> key = ModelSet.row(schema, row).subList(0, schema.keyCount());
                int next = known.size();
                boolean isNew = known.putIfAbsent(key, next) == null;
                int number = numbers[place++];
                assertThat(number).isEqualTo(known.get(key));
                assertThat(ModelSet.row(schema, table.row(number)).subList(0, schema.keyCount()))
                        .isEqualTo(key);
                assertThat(!isNew || table.row(number).longAt(schema.keyCount()) == step)
                        .isTrue();
            }
            assertThat(table.size()).isEqualTo(known.size());
        }
    }
}
