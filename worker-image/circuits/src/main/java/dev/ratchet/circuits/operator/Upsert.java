/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.BatchBuilder;
import dev.ratchet.circuits.batch.BatchCursor;
import dev.ratchet.circuits.batch.MergedCursor;
import dev.ratchet.circuits.circuit.Node;
import dev.ratchet.circuits.circuit.Operator;
import dev.ratchet.circuits.circuit.WorkerThreadContext;
import dev.ratchet.circuits.trace.Trace;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowBuffer;
import dev.ratchet.circuits.type.RowOrder;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.ShownSql;
import dev.ratchet.circuits.type.Storage;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The changes of a table in which a row takes the place of the one with its key. It remembers the row of each key,
 * once. Of the rows of a step with one key the last by position counts: with a weight over 0 it is there, under 0 none
 * is.
 */
public final class Upsert extends Operator {

    private final RowSchema source;
    private final Storage[] storages;
    private final Storage[] columns;
    private final int[] places;
    private final Trace trace;
    private final BatchBuilder states;
    private final BatchBuilder results;
    private final RowBuffer last;

    private Upsert(Node input, int[] places, WorkerThreadContext context, RowSchema target, List<Operator> inputs) {
        super(target, inputs);
        this.source = input.schema();
        this.places = places;
        RowSchema kept = new RowSchema(
                source.key(), source.value().subList(1, source.value().size()));
        this.storages = kept.storages();
        this.columns = target.storages();
        this.trace = context.trace("rows", kept);
        this.states = new BatchBuilder(kept);
        this.results = new BatchBuilder(target);
        this.last = new RowBuffer(storages.length);
    }

    /**
     * Gives what rows change.
     *
     * @param input the rows by key, their positions, then the other columns in their order; in the worker threads that
     *     own the keys
     * @param key the columns of the key by their numbers in the table, in their order in the input
     * @param table types of the table's columns
     */
    public static Node of(Node input, List<Integer> key, List<ColumnType> table) {
        List<Integer> order = new ArrayList<>(key);
        IntStream.range(0, table.size()).filter(column -> !key.contains(column)).forEach(order::add);
        int[] places = IntStream.range(0, table.size()).map(order::indexOf).toArray();
        RowSchema target = new RowSchema(table, List.of());
        return new Node(
                        "upsert",
                        key.toString(),
                        List.of(input),
                        target,
                        (context, inputs) -> new Upsert(input, places, context, target, inputs))
                .keepsState()
                .shownAs(() -> ShownSql.byKey(input.schema()) + "; the last row of each");
    }

    @Override
    protected void evaluate() {
        MergedCursor known = trace.probe();
        BatchCursor rows = input(0).output().cursor();
        while (rows.valid()) {
            long hash = rows.hash();
            long weight = 0;
            for (boolean isFirst = true;
                    rows.valid() && (isFirst || (rows.hash() == hash && Rows.sameKey(source, rows, last)));
                    rows.next()) {
                isFirst = false;
                weight = rows.weight();
                copyLast(rows);
            }
            replace(known, hash, weight > 0);
        }
        count(known);
        trace.insert(states.build());
        emit(results.unconsolidated());
    }

    private void copyLast(RowView row) {
        int position = source.keyCount();
        for (int column = 0; column < storages.length; column++) {
            last.copy(column, storages[column], row, column < position ? column : column + 1);
        }
    }

    private void replace(MergedCursor known, long hash, boolean isThere) {
        boolean wasThere = known.seekKey(hash, last);
        if (wasThere && isThere && RowOrder.compare(storages, known, last, 0, storages.length) == 0) {
            return;
        }
        if (wasThere) {
            give(known, hash, -1);
        }
        if (isThere) {
            give(last, hash, 1);
        }
    }

    private void give(RowView row, long hash, long weight) {
        states.addRow(row, hash, weight);
        for (int column = 0; column < places.length; column++) {
            results.copy(column, columns[column], row, places[column]);
        }
        results.add(weight);
    }
}
