/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.Cursor;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.ObjectValues;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.RowWriter;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;

/**
 * PERCENTILE_CONT and PERCENTILE_DISC: what lies behind a share of the values of a group. Reads all of its different
 * values, as any of them may have to be counted.
 */
final class Percentile {

    /** A value and how many are equal or before it. */
    private record Ranked(Object value, long upTo) {}

    private final AggregateCall call;
    private final ColumnType type;
    private final int argument;
    private final BigDecimal share;

    Percentile(AggregateCall call, ColumnType type, int argument) {
        this.call = call;
        this.type = type;
        this.argument = argument;
        this.share = new BigDecimal(call.constant());
    }

    /** Sets the result from rows in the order of the argument, on the first; none of them is NULL. */
    void result(Cursor rows, RowView view, RowWriter out, int column) {
        List<Ranked> ranked = new ArrayList<>();
        long count = 0;
        for (; rows.valid(); rows.next()) {
            Object value = ObjectValues.read(type, view, argument);
            long weight = call.distinct() ? Math.min(1, rows.weight()) : rows.weight();
            if (weight > 0 && value != null) {
                count = Math.addExact(count, weight);
                ranked.add(new Ranked(value, count));
            }
        }
        if (count == 0) {
            out.setNull(column);
        } else if (call.kind() == AggregateKind.PERCENTILE_DISC) {
            BigDecimal behind = share.multiply(BigDecimal.valueOf(count)).setScale(0, RoundingMode.CEILING);
            ObjectValues.write(call.result(), at(ranked, Math.max(1, behind.longValueExact())), out, column);
        } else {
            between(ranked, share.multiply(BigDecimal.valueOf(count - 1)), out, column);
        }
    }

    /** Sets the result to what lies so many values, and a part of the way to the next, behind the first. */
    private void between(List<Ranked> ranked, BigDecimal place, RowWriter out, int column) {
        long whole = place.setScale(0, RoundingMode.FLOOR).longValueExact();
        BigDecimal part = place.subtract(BigDecimal.valueOf(whole));
        Object lower = at(ranked, whole + 1);
        Object upper = part.signum() == 0 ? lower : at(ranked, whole + 2);
        if (isFinite(lower) && isFinite(upper)) {
            BigDecimal from = new BigDecimal(lower.toString());
            BigDecimal to = new BigDecimal(upper.toString());
            BigDecimal value = from.add(to.subtract(from).multiply(part));
            Numbers.write(call.result(), value, call.kind().name(), out, column);
        } else {
            double from = ((Number) lower).doubleValue();
            double to = ((Number) upper).doubleValue();
            double value = from == to ? from : from * (1 - part.doubleValue()) + to * part.doubleValue();
            Numbers.writeDouble(call.result(), value, out, column);
        }
    }

    private static boolean isFinite(Object value) {
        return !(value instanceof Double number) || Double.isFinite(number);
    }

    /** The value of a rank, from 1. */
    private static Object at(List<Ranked> ranked, long rank) {
        int from = 0;
        int to = ranked.size() - 1;
        while (from < to) {
            int middle = (from + to) >>> 1;
            if (ranked.get(middle).upTo() < rank) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return ranked.get(from).value();
    }
}
