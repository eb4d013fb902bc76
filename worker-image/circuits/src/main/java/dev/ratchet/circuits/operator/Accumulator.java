/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

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
    }
}
