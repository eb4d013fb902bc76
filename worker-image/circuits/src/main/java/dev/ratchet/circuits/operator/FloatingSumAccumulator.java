/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.RowWriter;
import dev.ratchet.circuits.type.TypeKind;
import java.math.BigDecimal;
import java.util.List;

/** SUM and AVG of doubles, without rounding until the result. */
final class FloatingSumAccumulator extends Accumulator {

    private static final List<ColumnType> COLUMNS =
            List.of(ColumnType.of(TypeKind.BIGINT), ColumnType.of(TypeKind.VARBINARY));

    private final AggregateCall call;
    private final int argument;
    private final ExactNumber sum = new ExactNumber();
    private long count;

    FloatingSumAccumulator(AggregateCall call, int argument) {
        this.call = call;
        this.argument = argument;
    }

    @Override
    List<ColumnType> columns() {
        return COLUMNS;
    }

    @Override
    void clear() {
        count = 0;
        sum.clear();
    }

    @Override
    void merge(RowView state, int at) {
        count = Math.addExact(count, state.longAt(at));
        sum.add(state.bytesAt(at + 1), state.offsetAt(at + 1), state.lengthAt(at + 1));
    }

    @Override
    void add(RowView row, long weight) {
        count = Math.addExact(count, weight);
        sum.add(row.doubleAt(argument), weight);
    }

    @Override
    boolean isZero() {
        return count == 0 && sum.isZero();
    }

    @Override
    void store(RowWriter out, int at) {
        out.setLong(at, count);
        byte[] bytes = sum.toBytes();
        out.setBytes(at + 1, bytes, 0, bytes.length);
    }

    @Override
    void result(RowWriter out, int column) {
        ColumnType wanted = call.result();
        if (count <= 0) {
            out.setNull(column);
        } else if (!sum.isFinite()) {
            Numbers.writeDouble(wanted, sum.special(), out, column);
        } else if (call.kind() == AggregateKind.SUM && Numbers.isFloating(wanted)) {
            Numbers.writeDouble(wanted, sum.toDouble(), out, column);
        } else {
            BigDecimal exact = sum.exact();
            boolean mean = call.kind() == AggregateKind.AVG;
            BigDecimal value = mean ? Quotients.divide(exact, BigDecimal.valueOf(count), wanted) : exact;
            Numbers.write(wanted, value, call.kind().name(), out, column);
        }
    }
}
