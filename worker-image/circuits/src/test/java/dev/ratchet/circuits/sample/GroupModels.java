/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sample;

import dev.ratchet.circuits.operator.AggregateCall;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/** Aggregates by looking at every row of a group: of pairs, of bits, and those that depend on an order. */
final class GroupModels {

    private static final MathContext DIGITS = new MathContext(40);

    private GroupModels() {}

    /** The argument of the first row by the one order column of the call, and then by itself. */
    static Object first(AggregateCall call, List<List<Object>> rows, Comparator<Object> order) {
        int by = call.order().get(0).column();
        Comparator<Object> wanted = call.order().get(0).descending() ? order.reversed() : order;
        return rows.stream()
                .filter(row -> row.get(by) != null)
                .min(Comparator.comparing((List<Object> row) -> row.get(by), wanted)
                        .thenComparing(row -> row.get(call.argument()), order))
                .map(row -> row.get(call.argument()))
                .orElse(null);
    }

    /** The value that is most often in a sorted list. */
    static Object mode(List<Object> sorted) {
        return sorted.stream()
                .max(Comparator.comparingLong((Object value) ->
                                sorted.stream().filter(value::equals).count())
                        .thenComparing(Comparator.comparingInt(sorted::indexOf).reversed()))
                .orElseThrow();
    }

    static Object bits(AggregateCall call, List<Object> values) {
        return values.stream()
                .map(Long.class::cast)
                .reduce((a, b) -> switch (call.kind()) {
                    case BIT_AND -> a & b;
                    case BIT_OR -> a | b;
                    default -> a ^ b;
                })
                .orElseThrow();
    }

    static Object percentile(AggregateCall call, List<Object> sorted) {
        BigDecimal share = new BigDecimal(call.constant());
        BigDecimal size = BigDecimal.valueOf(sorted.size());
        if (call.kind().name().equals("PERCENTILE_DISC")) {
            int rank = share.multiply(size).setScale(0, RoundingMode.CEILING).intValue();
            return sorted.get(Math.max(1, rank) - 1);
        }
        BigDecimal place = share.multiply(size.subtract(BigDecimal.ONE));
        int below = place.intValue();
        BigDecimal from = BigDecimal.valueOf((Long) sorted.get(below));
        BigDecimal to = BigDecimal.valueOf((Long) sorted.get(Math.min(below + 1, sorted.size() - 1)));
        return from.add(to.subtract(from).multiply(place.subtract(BigDecimal.valueOf(below))))
                .doubleValue();
    }

    /** By sums over all pairs of rows, whose products of differences are the spreads times the number of rows. */
    static Object ofPairs(AggregateCall call, List<List<Object>> rows) {
        List<BigDecimal> ys = new ArrayList<>();
        List<BigDecimal> xs = new ArrayList<>();
        for (List<Object> row : rows) {
            if (row.get(call.argument()) != null && row.get(call.second()) != null) {
                ys.add(new BigDecimal(row.get(call.argument()).toString()));
                xs.add(new BigDecimal(row.get(call.second()).toString()));
            }
        }
        BigDecimal count = BigDecimal.valueOf(ys.size());
        BigDecimal y = ys.stream().reduce(BigDecimal.ZERO, BigDecimal::add);
        BigDecimal x = xs.stream().reduce(BigDecimal.ZERO, BigDecimal::add);
        BigDecimal yy = products(ys, ys);
        BigDecimal xx = products(xs, xs);
        BigDecimal xy = products(xs, ys);
        BigDecimal both = xx.multiply(yy);
        return switch (call.kind()) {
            case REGR_COUNT -> (long) ys.size();
            case COVAR_POP -> quotient(xy, count.multiply(count));
            case COVAR_SAMP -> quotient(xy, count.multiply(count.subtract(BigDecimal.ONE)));
            case CORR -> quotient(xy, both.sqrt(DIGITS));
            case REGR_AVGX -> quotient(x, count);
            case REGR_AVGY -> quotient(y, count);
            case REGR_SXX -> quotient(xx, count);
            case REGR_SYY -> quotient(yy, count);
            case REGR_SXY -> quotient(xy, count);
            case REGR_SLOPE -> quotient(xy, xx);
            case REGR_INTERCEPT -> quotient(y.multiply(xx).subtract(xy.multiply(x)), count.multiply(xx));
            case REGR_R2 -> xx.signum() != 0 && yy.signum() == 0 ? (Object) 1.0 : quotient(xy.multiply(xy), both);
            default -> throw new IllegalArgumentException(Objects.toString(call.kind()));
        };
    }

    private static BigDecimal products(List<BigDecimal> ones, List<BigDecimal> others) {
        BigDecimal sum = BigDecimal.ZERO;
        for (int i = 0; i < ones.size(); i++) {
            for (int j = 0; j < i; j++) {
                BigDecimal one = ones.get(i).subtract(ones.get(j));
                sum = sum.add(one.multiply(others.get(i).subtract(others.get(j))));
            }
        }
        return sum;
    }

    private static Object quotient(BigDecimal dividend, BigDecimal divisor) {
        return divisor.signum() == 0
                ? null
                : (Object) dividend.divide(divisor, DIGITS).doubleValue();
    }
}
