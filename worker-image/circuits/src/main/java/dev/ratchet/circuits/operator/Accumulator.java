/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.RowTable;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.RowWriter;
import java.util.List;

/**
 * What a linear aggregate knows of one group: sums over the rows, each times its weight, so that rows can be taken back
 * as they were added; of rows that only come also extremes. One object serves group after group. One thread at a time.
 */
abstract class Accumulator {

    /** Columns of the stored form. */
    abstract List<ColumnType> columns();

    abstract void clear();

    /** Adds a stored form, which begins at this column. */
    abstract void merge(RowView state, int at);

    abstract void add(RowView row, long weight);

    /** Whether nothing is left, as in a group that never had a row. */
    abstract boolean isZero();

    abstract void store(RowWriter out, int at);

    abstract void result(RowWriter out, int column);

    // Of many groups at once, whose stored forms lie in a table. What is added often does so without coming here.

    /**
     * Adds rows to the stored forms of their groups.
     *
     * @param at the first column of the stored form
     */
    void addAll(GroupedRows rows, RowTable states, int at) {
        GroupedRows sorted = rows.byGroup();
        for (int i = 0; i < sorted.count(); ) {
            int group = sorted.groups[i];
            clear();
            merge(states.row(group), at);
            for (; i < sorted.count() && sorted.groups[i] == group; i++) {
                int row = sorted.rows[i];
                add(sorted.row(row), sorted.weights[row]);
            }
            store(states.writeOver(group), at);
            states.written();
        }
    }

    /**
     * Adds other stored forms to those of their groups.
     *
     * @param partials have them, with weights above 0
     * @param from their first column there
     * @param at the first column of the stored form of a group
     * @return the column behind them there
     */
    int mergeAll(GroupedRows partials, int from, RowTable states, int at) {
        for (int i = 0; i < partials.count(); i++) {
            int group = partials.groups[i];
            int row = partials.rows[i];
            clear();
            merge(states.row(group), at);
            for (long times = partials.weights[row]; times > 0; times--) {
                merge(partials.row(row), from);
            }
            store(states.writeOver(group), at);
            states.written();
        }
        return from + columns().size();
    }

    /** Whether nothing is left in a stored form. */
    boolean isZero(RowView state, int at) {
        clear();
        merge(state, at);
        return isZero();
    }

    /** The column of the stored form that is the result as it is, or -1. */
    int resultColumn() {
        return -1;
    }

    /** The result of a stored form. */
    void result(RowView state, int at, RowWriter out, int column) {
        clear();
        merge(state, at);
        result(out, column);
    }

    /** The accumulator of a linear aggregate over rows of these columns, or of an extreme of rows that only come. */
    static Accumulator of(AggregateCall call, List<ColumnType> columns) {
        int argument = call.argument();
        boolean counting = call.kind() == AggregateKind.COUNT;
        Accumulator accumulator =
                switch (call.kind()) {
                    case COUNT, EVERY, SOME -> new CountAccumulator(call.kind(), argument);
                    case SUM, AVG ->
                        Numbers.isFloating(columns.get(argument))
                                ? new FloatingSumAccumulator(call, argument)
                                : new ExactSumAccumulator(call, columns.get(argument));
                    case MIN, MAX -> new ExtremeAccumulator(call, columns.get(argument));
                    case BIT_AND, BIT_OR, BIT_XOR -> new BitsAccumulator(call.kind(), argument);
                    case VAR_POP, VAR_SAMP, STDDEV_POP, STDDEV_SAMP ->
                        new MomentsAccumulator(call, columns.get(argument));
                    default -> new PairsAccumulator(call, columns);
                };
        return call.filter() < 0 && counting && argument < 0 ? accumulator : new Selected(accumulator, call);
    }

    /** Lets only rows through that the filter wants and whose arguments are not NULL. */
    private static final class Selected extends Accumulator {
        private final Accumulator inner;
        private final int argument;
        private final int second;
        private final int filter;

        Selected(Accumulator inner, AggregateCall call) {
            this.inner = inner;
            this.argument = call.argument();
            this.second = call.second();
            this.filter = call.filter();
        }

        @Override
        List<ColumnType> columns() {
            return inner.columns();
        }

        @Override
        void clear() {
            inner.clear();
        }

        @Override
        void merge(RowView state, int at) {
            inner.merge(state, at);
        }

        @Override
        void add(RowView row, long weight) {
            boolean wanted = filter < 0 || (!row.isNull(filter) && row.longAt(filter) != 0);
            if (wanted && (argument < 0 || !row.isNull(argument)) && (second < 0 || !row.isNull(second))) {
                inner.add(row, weight);
            }
        }

        @Override
        boolean isZero() {
            return inner.isZero();
        }

        @Override
        void store(RowWriter out, int at) {
            inner.store(out, at);
        }

        @Override
        void result(RowWriter out, int column) {
            inner.result(out, column);
        }

        @Override
        void addAll(GroupedRows rows, RowTable states, int at) {
            GroupedRows present = rows.where(-1, argument, second);
            boolean isCounted = filter >= 0
                    && inner instanceof CountAccumulator count
                    && count.addWhere(present, filter, states, at);
            if (!isCounted) {
                inner.addAll(present.where(filter), states, at);
            }
        }

        @Override
        boolean isZero(RowView state, int at) {
            return inner.isZero(state, at);
        }

        @Override
        int resultColumn() {
            return inner.resultColumn();
        }

        @Override
        void result(RowView state, int at, RowWriter out, int column) {
            inner.result(state, at, out, column);
        }
    }
}
