/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.ShownSql;
import dev.ratchet.circuits.type.TypeKind;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * All calls of an aggregate over the distinct values of one column, each with a filter of its own or none. They share
 * one aggregate in front, by group and value, that says for each filter whether one of the rows with the value meets
 * it; what changes of that is all they need to see.
 *
 * @param argument the column
 * @param calls numbers of the calls
 * @param filters BOOLEAN columns that the calls name, each once
 */
public record DistinctValues(int argument, List<Integer> calls, List<Integer> filters) {

    private static final ColumnType FLAG = ColumnType.of(TypeKind.BOOLEAN).orNull();

    /** Rows with a value, as the aggregate in front reads them: the group, the value, the filters. */
    public List<PipeStage> stages(Aggregate.Spec spec) {
        List<Integer> columns = new ArrayList<>();
        IntStream.range(0, spec.keyCount()).forEach(columns::add);
        columns.add(argument);
        columns.addAll(filters);
        RowFilter present = new RowFilter() {
            @Override
            public boolean test(RowView row) {
                return !row.isNull(argument);
            }

            @Override
            public BitSet columnsRead() {
                BitSet read = new BitSet();
                read.set(argument);
                return read;
            }

            @Override
            public String description() {
                return "argument " + argument;
            }

            @Override
            public String text() {
                return ShownSql.column(argument) + " IS NOT NULL";
            }
        };
        return List.of(new PipeStage.Filter(present), new PipeStage.Project(columns));
    }

    /** The aggregate in front. */
    public Aggregate.Spec inFront(Aggregate.Spec spec) {
        List<ColumnType> input = new ArrayList<>(spec.input().subList(0, spec.keyCount()));
        input.add(spec.input().get(argument));
        List<AggregateCall> flags = new ArrayList<>();
        for (int filter : filters) {
            flags.add(AggregateCall.of(AggregateKind.SOME, input.size(), FLAG));
            input.add(spec.input().get(filter));
        }
        return new Aggregate.Spec(input, spec.keyCount() + 1, flags, spec.appendOnly());
    }

    /** Of what the aggregate in front gives: the group as key, then the value and one flag per filter. */
    public RowSchema changes(Aggregate.Spec spec) {
        List<ColumnType> columns = inFront(spec).output();
        return new RowSchema(columns.subList(0, spec.keyCount()), columns.subList(spec.keyCount(), columns.size()));
    }

    /** One of the calls, over what the aggregate in front gives. */
    AggregateCall over(Aggregate.Spec spec, AggregateCall call) {
        int filter = filters.indexOf(call.filter());
        return AggregateCall.of(call.kind(), spec.keyCount(), call.result())
                .where(filter < 0 ? AggregateCall.NO_COLUMN : spec.keyCount() + 1 + filter);
    }
}
