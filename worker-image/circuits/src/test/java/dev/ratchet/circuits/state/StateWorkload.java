/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.state;

import dev.ratchet.circuits.batch.BatchBuilder;
import dev.ratchet.circuits.batch.HashRange;
import dev.ratchet.circuits.batch.HashRanges;
import dev.ratchet.circuits.sample.ModelSet;
import dev.ratchet.circuits.sample.Samples;
import dev.ratchet.circuits.trace.Trace;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.TypeKind;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Random use of a database by some threads' worth of traces: the same seed does the same to any implementation. */
final class StateWorkload {

    static final RowSchema NUMBERS =
            new RowSchema(List.of(ColumnType.of(TypeKind.BIGINT)), List.of(ColumnType.of(TypeKind.VARCHAR)));
    private static final RowSchema WHOLE = RowSchema.ofKey(ColumnType.of(TypeKind.INTEGER));
    private static final List<String> TABLES = List.of("op1/left", "op1/right", "op7/sum");

    private final Samples samples;
    private final SortedMap<String, List<Trace>> traces = new TreeMap<>();
    private OpenState state;
    private int threads;

    StateWorkload(long seed) {
        this.samples = new Samples(seed);
    }

    private static RowSchema schema(String table) {
        return table.equals("op7/sum") ? WHOLE : NUMBERS;
    }

    /** Takes the tables as a process with some number of threads does; now and then not all of them. */
    void open(OpenState opened) {
        state = opened;
        traces.clear();
        threads = 1 << samples.random().nextInt(3);
        for (String table : TABLES) {
            if (samples.random().nextInt(5) > 0) {
                List<Trace> slices = new ArrayList<>();
                for (int thread = 0; thread < threads; thread++) {
                    slices.add(state.trace(
                            table, schema(table), HashRanges.of(HashRange.ofShards(thread, thread + 1, threads))));
                }
                traces.put(table, slices);
            }
        }
    }

    /** Changes some rows. */
    void step() {
        traces.forEach((table, slices) -> {
            BatchBuilder builder = new BatchBuilder(schema(table));
            for (int i = samples.random().nextInt(40); i > 0; i--) {
                long number = samples.random().nextInt(60);
                ModelSet.add(
                        builder,
                        table.equals("op7/sum") ? List.of(number) : List.of(number, "value " + number % 7),
                        samples.random().nextInt(-2, 3));
            }
            var batch = builder.build();
            for (int thread = 0; thread < threads; thread++) {
                Trace trace = slices.get(thread);
                trace.insert(batch.slice(HashRange.ofShards(thread, thread + 1, threads)));
                trace.work(samples.random().nextInt(50));
            }
        });
    }

    StateRecord record(long step) {
        return new StateRecord(step, "program", new byte[] {(byte) step}, java.util.Map.of("output", "" + step * 10));
    }

    /** All rows of all tables as objects. */
    static SortedMap<String, ModelSet> content(OpenState state) {
        SortedMap<String, ModelSet> content = new TreeMap<>();
        for (OpenState.ShardPiece piece : state.exportShards(HashRange.ALL)) {
            content.computeIfAbsent(piece.table(), table -> new ModelSet())
                    .add(ModelSet.read(piece.rows().schema(), piece.rows().cursor()));
        }
        content.values().removeIf(rows -> rows.weights().isEmpty());
        return content;
    }
}
