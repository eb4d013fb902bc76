/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.ShownSql;
import dev.ratchet.circuits.type.TypeKind;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Calls of an aggregate over the distinct values of one column, each with a filter of its own or none. They share
 * {@link DistinctFlags} in front, by group and value, which say for each filter whether one of the rows with the value
 * meets it; what changes of that is all they need to see.
 *
 * @param argument the column
 * @param calls numbers of the calls
 * @param filters BOOLEAN columns that the calls name, each once, at most {@value #FILTERS_MAX}
 */
public record DistinctValues(int argument, List<Integer> calls, List<Integer> filters) {

    /** With one more for whether the value is there at all, the bits of a number but for its sign. */
    private static final int FILTERS_MAX = Long.SIZE - 2;

    private static final ColumnType FLAG = ColumnType.of(TypeKind.BOOLEAN);

    /** The calls over one column, those with further filters apart from each other. */
    static List<DistinctValues> of(int argument, List<Integer> numbers, List<AggregateCall> calls) {
        List<DistinctValues> all = new ArrayList<>();
        List<Integer> together = new ArrayList<>();
        SortedSet<Integer> filters = new TreeSet<>();
        for (int number : numbers) {
            int filter = calls.get(number).filter();
            if (filters.size() == FILTERS_MAX && filter >= 0 && !filters.contains(filter)) {
                all.add(new DistinctValues(argument, List.copyOf(together), List.copyOf(filters)));
                together.clear();
                filters.clear();
            }
            together.add(number);
            if (filter >= 0) {
                filters.add(filter);
            }
        }
        all.add(new DistinctValues(argument, List.copyOf(together), List.copyOf(filters)));
        return all;
    }

    /** Rows with a value, as the flags in front read them: the group, the value, the filters. */
    public List<PipeStage> stages(Aggregate.Spec spec) {
        List<Integer> columns = new ArrayList<>();
        IntStream.range(0, spec.keyCount()).forEach(columns::add);
        columns.add(argument);
        columns.addAll(filters);
        if (!spec.input().get(argument).nullable()) {
            return List.of(new PipeStage.Project(columns));
        }
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
            public int[] columnsPresent() {
                return new int[] {argument};
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

    /** What {@link #stages} end in: the group and the value as key, then the filters. */
    public RowSchema rows(Aggregate.Spec spec) {
        List<ColumnType> key = new ArrayList<>(spec.input().subList(0, spec.keyCount()));
        key.add(spec.input().get(argument));
        return new RowSchema(key, filters.stream().map(spec.input()::get).toList());
    }

    /** What the flags in front give: the group as key, the value, and a flag for each filter and for being there. */
    public RowSchema changes(Aggregate.Spec spec) {
        List<ColumnType> value = new ArrayList<>(List.of(spec.input().get(argument)));
        value.addAll(Collections.nCopies(filters.size() + 1, FLAG));
        return new RowSchema(spec.input().subList(0, spec.keyCount()), value);
    }

    /** One of the calls, over what the flags in front give. */
    AggregateCall over(Aggregate.Spec spec, AggregateCall call) {
        int filter = call.filter() < 0 ? filters.size() : filters.indexOf(call.filter());
        return AggregateCall.of(call.kind(), spec.keyCount(), call.result()).where(spec.keyCount() + 1 + filter);
    }

    /** Whether a call counts all values. */
    boolean isAny(List<AggregateCall> of) {
        return calls.stream().anyMatch(number -> of.get(number).filter() < 0);
    }
}
