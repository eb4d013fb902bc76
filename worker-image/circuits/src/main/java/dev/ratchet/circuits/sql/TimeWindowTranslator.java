/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import dev.ratchet.circuits.expression.Expression.Literal;
import dev.ratchet.circuits.instruction.WrittenStream;
import dev.ratchet.circuits.type.TypeKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.calcite.rel.core.TableFunctionScan;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;

/** The table functions TUMBLE, HOP and SESSION: each row with the start and the end of each window that it is in. */
final class TimeWindowTranslator {

    /** A row in more windows than this is taken for a mistake. */
    private static final long WINDOWS_MAX = 10_000;

    private final PlanTranslator plans;
    private final RexTranslator expressions;

    TimeWindowTranslator(PlanTranslator plans, RexTranslator expressions) {
        this.plans = plans;
        this.expressions = expressions;
    }

    WrittenStream translate(TableFunctionScan scan) {
        RexCall call = (RexCall) scan.getCall();
        String name = call.getOperator().getName().toUpperCase(Locale.ROOT);
        List<RexNode> operands = call.getOperands();
        WrittenStream input = plans.translate(scan.getInput(0));
        List<Integer> times = columns(operands.get(0));
        if (times.size() != 1 || input.columns().get(times.get(0)).kind() != TypeKind.TIMESTAMP) {
            throw new UnsupportedSqlException(name, "DESCRIPTOR needs one column of type TIMESTAMP");
        }
        int time = times.get(0);
        List<Integer> keys = new ArrayList<>();
        List<Long> intervals = new ArrayList<>();
        for (RexNode operand : operands.subList(1, operands.size())) {
            if (operand.getKind() == SqlKind.DESCRIPTOR) {
                keys.addAll(columns(operand));
            } else {
                intervals.add(micros(operand, name));
            }
        }
        return switch (name) {
            case "TUMBLE" -> hop(input, time, intervals, 1, name);
            case "HOP" -> hop(input, time, intervals, 2, name);
            case "SESSION" -> input.sessions(keys, time, intervals.get(0));
            default ->
                throw new UnsupportedSqlException(
                        call.getOperator().getName(),
                        name + " is not among the table functions; TUMBLE, HOP and SESSION are");
        };
    }

    private static WrittenStream hop(WrittenStream input, int time, List<Long> intervals, int count, String name) {
        long slide = intervals.get(0);
        long size = intervals.get(count - 1);
        long offset = intervals.size() > count ? intervals.get(count) : 0;
        if (size / slide > WINDOWS_MAX) {
            throw new UnsupportedSqlException(name, name + " puts a row into more than " + WINDOWS_MAX + " windows");
        }
        return input.hop(time, slide, size, offset);
    }

    private static List<Integer> columns(RexNode descriptor) {
        return ((RexCall) descriptor)
                .getOperands().stream()
                        .map(operand -> ((RexInputRef) operand).getIndex())
                        .toList();
    }

    private long micros(RexNode interval, String name) {
        if (expressions.translate(interval) instanceof Literal literal
                && literal.type().kind() == TypeKind.INTERVAL_MICROS
                && literal.value() instanceof Long micros
                && micros > 0) {
            return micros;
        }
        throw new UnsupportedSqlException(
                name, name + " needs constant intervals of days, hours, minutes or seconds, over 0");
    }
}
