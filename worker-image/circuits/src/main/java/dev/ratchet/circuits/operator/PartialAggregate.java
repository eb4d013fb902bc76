/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.BatchBuilder;
import dev.ratchet.circuits.batch.RowTable;
import dev.ratchet.circuits.batch.UnconsolidatedRows;
import dev.ratchet.circuits.circuit.Node;
import dev.ratchet.circuits.circuit.Operator;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowBuffer;
import dev.ratchet.circuits.type.RowHash;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.TypeKind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * What the rows of a worker thread add in a step to an {@link Aggregate} without a group: one row of the stored forms
 * of its accumulators, which the worker thread that owns the aggregate merges. So one row of each worker thread is
 * sent, however many came. It keeps nothing: accumulators are sums, and the sum of a change is the change of the sum
 * (law L14).
 */
public final class PartialAggregate extends Operator {

    private static final ColumnType BIGINT = ColumnType.of(TypeKind.BIGINT);
    private static final RowView NO_KEY = new RowBuffer(0);
    private static final long HASH = RowHash.finish(RowHash.start());

    private final UnconsolidatedInput rows;
    private final List<Accumulator> accumulators;
    private final RowBuffer initial;
    private final RowTable sum;
    private final BatchBuilder partials;

    private PartialAggregate(List<Accumulator> accumulators, RowSchema target, List<Operator> inputs) {
        super(target, inputs);
        this.rows = new UnconsolidatedInput(inputs.get(0));
        this.accumulators = accumulators;
        this.initial = new RowBuffer(target.columnCount());
        this.sum = new RowTable(target);
        this.partials = new BatchBuilder(target);
        int place = 0;
        for (Accumulator accumulator : accumulators) {
            accumulator.clear();
            accumulator.store(initial, place);
            place += accumulator.columns().size();
        }
    }

    /** Of the rows of an aggregate. */
    public static Node ofRows(Aggregate.Spec spec, Node rows) {
        return of(() -> accumulators(spec), rows, spec.text());
    }

    /** Of what changes of the distinct values of a column. */
    public static Node ofValues(Aggregate.Spec spec, DistinctValues values, Node changes) {
        return of(() -> accumulators(spec, values), changes, spec.text());
    }

    /** Of the rows themselves: how many there are, then each call that is not over distinct values. */
    private static List<Accumulator> accumulators(Aggregate.Spec spec) {
        List<Accumulator> accumulators = new ArrayList<>(List.of(sizeOfGroup()));
        spec.calls().stream()
                .filter(call -> !Aggregate.isDistinct(call))
                .forEach(call -> accumulators.add(Accumulator.of(call, spec.input())));
        return accumulators;
    }

    /** Of calls over the distinct values of a column. */
    static List<Accumulator> accumulators(Aggregate.Spec spec, DistinctValues values) {
        List<ColumnType> columns = values.changes(spec).columns();
        return values.calls().stream()
                .map(call -> Accumulator.of(values.over(spec, spec.calls().get(call)), columns))
                .toList();
    }

    /** How many rows a group has. */
    static Accumulator sizeOfGroup() {
        return Accumulator.of(AggregateCall.countRows(BIGINT), List.of());
    }

    private static Node of(Supplier<List<Accumulator>> accumulators, Node rows, String text) {
        List<ColumnType> columns = new ArrayList<>();
        accumulators.get().forEach(accumulator -> columns.addAll(accumulator.columns()));
        RowSchema target = new RowSchema(List.of(), columns);
        return new Node(
                        "partial",
                        "",
                        List.of(rows),
                        target,
                        (context, inputs) -> new PartialAggregate(accumulators.get(), target, inputs))
                .unnamed()
                .shownAs(() -> text + " of each thread");
    }

    @Override
    protected void evaluate() {
        UnconsolidatedRows changes = rows.rows();
        if (changes.isEmpty()) {
            return;
        }
        sum.clear();
        int all = sum.enter(HASH, NO_KEY, initial);
        GroupedRows grouped = GroupedRows.of(changes, new int[changes.rowCount()]);
        int place = 0;
        for (Accumulator accumulator : accumulators) {
            accumulator.addAll(grouped, sum, place);
            place += accumulator.columns().size();
        }
        partials.addRow(sum.row(all), HASH, 1);
        emit(partials.unconsolidated());
    }
}
