/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.RowTable;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.RowWriter;
import dev.ratchet.circuits.type.Storage;
import dev.ratchet.circuits.type.TypeKind;
import dev.ratchet.circuits.type.Wide;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;

/** SUM and AVG of integers and decimals, in 128 bits. */
final class ExactSumAccumulator extends Accumulator {

    private static final List<ColumnType> COLUMNS =
            List.of(ColumnType.of(TypeKind.BIGINT), ColumnType.decimal(ColumnType.PRECISION_MAX, 0));

    /** Every whole number up to it is a double. */
    private static final long EXACT_MAX = 1L << 53;

    private final AggregateCall call;
    private final ColumnType type;
    private final int argument;
    private long count;
    private long high;
    private long low;

    ExactSumAccumulator(AggregateCall call, ColumnType type) {
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
        high = 0;
        low = 0;
    }

    @Override
    void merge(RowView state, int at) {
        count = Math.addExact(count, state.longAt(at));
        addWide(state.highAt(at + 1), state.longAt(at + 1));
    }

    @Override
    void add(RowView row, long weight) {
        count = Math.addExact(count, weight);
        if (type.storage() == Storage.LONG) {
            long value = row.longAt(argument);
            addWide(Math.multiplyHigh(value, weight), value * weight);
        } else {
            BigInteger product = Numbers.unscaledAt(type, row, argument).multiply(BigInteger.valueOf(weight));
            if (product.bitLength() > 127) {
                throw overflow();
            }
            addWide(Wide.high(product), Wide.low(product));
        }
    }

    private void addWide(long moreHigh, long moreLow) {
        long sumLow = low + moreLow;
        long carry = Long.compareUnsigned(sumLow, low) < 0 ? 1 : 0;
        long sumHigh = high + moreHigh + carry;
        boolean sameSigns = (high ^ moreHigh) >= 0;
        if (sameSigns && (high ^ sumHigh) < 0) {
            throw overflow();
        }
        high = sumHigh;
        low = sumLow;
    }

    private ArithmeticException overflow() {
        return new ArithmeticException(call.kind() + " of " + type + " exceeds 128 bits; sum smaller numbers");
    }

    @Override
    void addAll(GroupedRows rows, RowTable states, int at) {
        if (type.storage() != Storage.LONG) {
            super.addAll(rows, states, at);
            return;
        }
        long[] counts = states.columns().longs(at);
        long[] highs = states.columns().highs(at + 1);
        long[] lows = states.columns().longs(at + 1);
        long[] values = rows.columns.longs(argument);
        for (int i = 0; i < rows.count(); i++) {
            int group = rows.groups[i];
            long weight = rows.weights[rows.rows[i]];
            long value = values[rows.rows[i]];
            counts[group] = Math.addExact(counts[group], weight);
            high = highs[group];
            low = lows[group];
            addWide(Math.multiplyHigh(value, weight), value * weight);
            highs[group] = high;
            lows[group] = low;
        }
    }

    @Override
    boolean isZero() {
        return (count | high | low) == 0;
    }

    @Override
    void store(RowWriter out, int at) {
        out.setLong(at, count);
        out.setWide(at + 1, high, low);
    }

    /** Whether sum and count are doubles, whose quotient is then rounded once, and no two doubles are as near to it. */
    private boolean isExactDouble() {
        boolean isLong = high == low >> 63 && low >= -EXACT_MAX;
        return isLong && low <= EXACT_MAX && count <= EXACT_MAX;
    }

    @Override
    void result(RowWriter out, int column) {
        if (count <= 0) {
            out.setNull(column);
            return;
        }
        ColumnType wanted = call.result();
        boolean sum = call.kind() == AggregateKind.SUM;
        if (sum && wanted.kind() == TypeKind.BIGINT && type.scale() == 0 && high == low >> 63) {
            out.setLong(column, low);
            return;
        }
        if (!sum && wanted.kind() == TypeKind.DOUBLE && type.scale() == 0 && isExactDouble()) {
            out.setDouble(column, (double) low / count);
            return;
        }
        BigDecimal exact = new BigDecimal(Wide.toBigInteger(high, low), type.scale());
        BigDecimal value = sum ? exact : Quotients.divide(exact, BigDecimal.valueOf(count), wanted);
        Numbers.write(wanted, value, call.kind().name(), out, column);
    }
}
