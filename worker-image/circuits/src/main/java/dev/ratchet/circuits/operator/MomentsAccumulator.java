/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.RowWriter;
import dev.ratchet.circuits.type.TypeKind;
import java.math.BigDecimal;
import java.util.List;

/** Variance and standard deviation from the exact sums of values and squares; only the result is rounded. */
final class MomentsAccumulator extends Accumulator {

    private static final ColumnType BYTES = ColumnType.of(TypeKind.VARBINARY);
    private static final List<ColumnType> COLUMNS = List.of(ColumnType.of(TypeKind.BIGINT), BYTES, BYTES);

    private final AggregateCall call;
    private final ColumnType type;
    private final int argument;
    private final ExactNumber sum = new ExactNumber();
    private final ExactNumber squares = new ExactNumber();
    private long count;

    MomentsAccumulator(AggregateCall call, ColumnType type) {
        this.call = call;
        this.type = type;
        this.argument = call.argument();
    }

    @Override
    List<ColumnType> columns() {
        return COLUMNS;
    }

    @Override
    void clear() {
        count = 0;
        sum.clear();
        squares.clear();
    }

    @Override
    void merge(RowView state, int at) {
        count = Math.addExact(count, state.longAt(at));
        sum.add(state.bytesAt(at + 1), state.offsetAt(at + 1), state.lengthAt(at + 1));
        squares.add(state.bytesAt(at + 2), state.offsetAt(at + 2), state.lengthAt(at + 2));
    }

    @Override
    void add(RowView row, long weight) {
        count = Math.addExact(count, weight);
        sum.addProduct(type, row, argument, null, 0, weight);
        squares.addProduct(type, row, argument, type, argument, weight);
    }

    @Override
    boolean isZero() {
        return count == 0 && sum.isZero() && squares.isZero();
    }

    @Override
    void store(RowWriter out, int at) {
        out.setLong(at, count);
        byte[] sumBytes = sum.toBytes();
        out.setBytes(at + 1, sumBytes, 0, sumBytes.length);
        byte[] squareBytes = squares.toBytes();
        out.setBytes(at + 2, squareBytes, 0, squareBytes.length);
    }

    @Override
    void result(RowWriter out, int column) {
        boolean sample = call.kind() == AggregateKind.VAR_SAMP || call.kind() == AggregateKind.STDDEV_SAMP;
        long divisor = sample ? count - 1 : count;
        if (count <= 0 || divisor == 0) {
            out.setNull(column);
            return;
        }
        if (!squares.isFinite()) {
            Numbers.writeDouble(call.result(), Double.NaN, out, column);
            return;
        }
        // n·Σx² − (Σx)², over n·divisor and, for decimals, over the square of their unit.
        BigDecimal rows = BigDecimal.valueOf(count);
        BigDecimal total = sum.exact();
        BigDecimal spread = rows.multiply(squares.exact()).subtract(total.multiply(total));
        BigDecimal variance = spread.movePointLeft(2 * type.scale())
                .divide(rows.multiply(BigDecimal.valueOf(divisor)), ExactNumber.DIGITS);
        boolean root = call.kind() == AggregateKind.STDDEV_POP || call.kind() == AggregateKind.STDDEV_SAMP;
        BigDecimal value = root ? variance.sqrt(ExactNumber.DIGITS) : variance;
        Numbers.write(call.result(), value, call.kind().name(), out, column);
    }
}
