/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.RowWriter;
import dev.ratchet.circuits.type.TypeKind;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Covariances, correlation and the regressions of the SQL standard, from the exact sums of y, x and their products;
 * only the result is rounded.
 */
final class PairsAccumulator extends Accumulator {

    private static final List<ColumnType> COLUMNS = columnsStored();

    private final AggregateCall call;
    private final ColumnType typeY;
    private final ColumnType typeX;
    private final ExactNumber sumY = new ExactNumber();
    private final ExactNumber sumX = new ExactNumber();
    private final ExactNumber sumYY = new ExactNumber();
    private final ExactNumber sumXX = new ExactNumber();
    private final ExactNumber sumXY = new ExactNumber();
    private final List<ExactNumber> sums = List.of(sumY, sumX, sumYY, sumXX, sumXY);
    private long count;

    PairsAccumulator(AggregateCall call, List<ColumnType> columns) {
        this.call = call;
        this.typeY = columns.get(call.argument());
        this.typeX = columns.get(call.second());
    }

    private static List<ColumnType> columnsStored() {
        List<ColumnType> columns = new ArrayList<>(List.of(ColumnType.of(TypeKind.BIGINT)));
        for (int i = 0; i < 5; i++) {
            columns.add(ColumnType.of(TypeKind.VARBINARY));
        }
        return List.copyOf(columns);
    }

    @Override
    List<ColumnType> columns() {
        return COLUMNS;
    }

    @Override
    void clear() {
        count = 0;
        sums.forEach(ExactNumber::clear);
    }

    @Override
    void merge(RowView state, int at) {
        count = Math.addExact(count, state.longAt(at));
        int column = at + 1;
        for (ExactNumber sum : sums) {
            sum.add(state.bytesAt(column), state.offsetAt(column), state.lengthAt(column));
            column++;
        }
    }

    @Override
    void add(RowView row, long weight) {
        count = Math.addExact(count, weight);
        sumY.addProduct(typeY, row, call.argument(), null, 0, weight);
        sumX.addProduct(typeX, row, call.second(), null, 0, weight);
        sumYY.addProduct(typeY, row, call.argument(), typeY, call.argument(), weight);
        sumXX.addProduct(typeX, row, call.second(), typeX, call.second(), weight);
        sumXY.addProduct(typeY, row, call.argument(), typeX, call.second(), weight);
    }

    @Override
    boolean isZero() {
        return count == 0 && sums.stream().allMatch(ExactNumber::isZero);
    }

    @Override
    void store(RowWriter out, int at) {
        out.setLong(at, count);
        int column = at + 1;
        for (ExactNumber sum : sums) {
            byte[] bytes = sum.toBytes();
            out.setBytes(column++, bytes, 0, bytes.length);
        }
    }

    @Override
    void result(RowWriter out, int column) {
        if (call.kind() == AggregateKind.REGR_COUNT) {
            out.setLong(column, count);
        } else if (count <= 0) {
            out.setNull(column);
        } else if (!sums.stream().allMatch(ExactNumber::isFinite)) {
            Numbers.writeDouble(call.result(), Double.NaN, out, column);
        } else {
            BigDecimal value = value();
            if (value == null) {
                out.setNull(column);
            } else {
                Numbers.write(call.result(), value, call.kind().name(), out, column);
            }
        }
    }

    private @Nullable BigDecimal value() {
        BigDecimal rows = BigDecimal.valueOf(count);
        BigDecimal y = sumY.exact().movePointLeft(typeY.scale());
        BigDecimal x = sumX.exact().movePointLeft(typeX.scale());
        BigDecimal yy = sumYY.exact().movePointLeft(2 * typeY.scale());
        BigDecimal xx = sumXX.exact().movePointLeft(2 * typeX.scale());
        BigDecimal xy = sumXY.exact().movePointLeft(typeX.scale() + typeY.scale());
        // Each is the sum of products of deviations from the means, times the number of rows.
        BigDecimal spreadY = rows.multiply(yy).subtract(y.multiply(y));
        BigDecimal spreadX = rows.multiply(xx).subtract(x.multiply(x));
        BigDecimal together = rows.multiply(xy).subtract(x.multiply(y));
        return switch (call.kind()) {
            case COVAR_POP -> quotient(together, rows.multiply(rows));
            case COVAR_SAMP -> quotient(together, rows.multiply(BigDecimal.valueOf(count - 1)));
            case CORR -> {
                BigDecimal both = spreadX.multiply(spreadY);
                yield both.signum() == 0 ? null : quotient(together, both.sqrt(ExactNumber.DIGITS));
            }
            case REGR_AVGX -> quotient(x, rows);
            case REGR_AVGY -> quotient(y, rows);
            case REGR_SXX -> quotient(spreadX, rows);
            case REGR_SYY -> quotient(spreadY, rows);
            case REGR_SXY -> quotient(together, rows);
            case REGR_SLOPE -> quotient(together, spreadX);
            case REGR_INTERCEPT -> quotient(y.multiply(spreadX).subtract(x.multiply(together)), rows.multiply(spreadX));
            case REGR_R2 ->
                spreadX.signum() != 0 && spreadY.signum() == 0
                        ? BigDecimal.ONE
                        : quotient(together.multiply(together), spreadX.multiply(spreadY));
            default -> throw new IllegalStateException(call.kind() + " is none of pairs");
        };
    }

    /** NULL where the divisor is zero, as the standard says of each. */
    private static @Nullable BigDecimal quotient(BigDecimal dividend, BigDecimal divisor) {
        return divisor.signum() == 0 ? null : dividend.divide(divisor, ExactNumber.DIGITS);
    }
}
