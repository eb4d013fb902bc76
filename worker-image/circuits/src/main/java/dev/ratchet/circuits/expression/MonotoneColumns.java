/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.expression;

import dev.ratchet.circuits.expression.Expression.Call;
import dev.ratchet.circuits.expression.Expression.Column;
import dev.ratchet.circuits.expression.Expression.Literal;
import dev.ratchet.circuits.expression.Expression.Retyped;
import dev.ratchet.circuits.operator.Monotone;
import dev.ratchet.circuits.type.Storage;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Finds the expressions that never fall while a column rises: copies of it, and functions of it and of constants that
 * rise with it. A watermark of the column is then one of the expression.
 */
final class MonotoneColumns {

    /** Functions that rise with their first argument, whatever the others are. */
    private static final Set<String> RISING = Set.of(
            "floor",
            "floorDate",
            "ceiling",
            "ceilingDate",
            "tumble",
            "dateOf",
            "midnight",
            "unitsSince1970",
            "fit",
            "add",
            "addMicros",
            "addMicrosToDate",
            "addMonthsToDate");

    /** Of those, the ones that rise with their second as well. */
    private static final Set<String> SYMMETRIC = Set.of("add", "addMicros");

    private static final String SUBTRACT = "subtract";
    private static final Set<String> SHIFTING = Set.of("add", "addMicros", SUBTRACT);
    private static final Set<String> SCALING = Set.of("multiply", "divide");

    private MonotoneColumns() {}

    /** Which of the expressions, by their places, rise with a column of LONG storage. */
    static List<Monotone> of(List<Expression> expressions) {
        List<Monotone> rising = new ArrayList<>();
        for (int column = 0; column < expressions.size(); column++) {
            Monotone monotone = of(column, expressions.get(column));
            if (monotone != null) {
                rising.add(monotone);
            }
        }
        return List.copyOf(rising);
    }

    /** A column of LONG storage with a constant added. */
    record Shifted(int column, long by) {

        /** What the column has at least where the whole has at least a value; the least number where none is known. */
        long columnOf(long value) {
            long least = value - by;
            return value == Long.MIN_VALUE || (by < 0) != (least > value) ? Long.MIN_VALUE : least;
        }
    }

    /** An expression as a column with a constant added; null where it is something else. */
    static @Nullable Shifted shifted(Expression expression) {
        if (expression.type().storage() != Storage.LONG) {
            return null;
        }
        if (expression instanceof Column column) {
            return new Shifted(column.index(), 0);
        }
        boolean isSum = expression instanceof Call call
                && SHIFTING.contains(call.method().getName())
                && movingArgument(call) >= 0
                && call.arguments().get(movingArgument(call)) instanceof Column;
        if (!isSum) {
            return null;
        }
        Call sum = (Call) expression;
        int moving = movingArgument(sum);
        long by = evaluate(sum, moving, 0);
        Column column = (Column) sum.arguments().get(moving);
        // Of numbers with digits behind the point a sum may be in other units.
        boolean isShift = column.type().storage() == Storage.LONG && evaluate(sum, moving, 1) == by + 1;
        return isShift ? new Shifted(column.index(), by) : null;
    }

    private static @Nullable Monotone of(int column, Expression expression) {
        if (expression.type().storage() != Storage.LONG) {
            return null;
        }
        return switch (expression) {
            case Column copied -> new Monotone(column, copied.index(), LongUnaryOperator.identity());
            case Retyped other -> of(column, other.value());
            case Call call -> of(column, call);
            default -> null;
        };
    }

    private static @Nullable Monotone of(int column, Call call) {
        int moving = movingArgument(call);
        Monotone inner = moving < 0 ? null : of(column, call.arguments().get(moving));
        return inner == null
                ? null
                : new Monotone(column, inner.from(), inner.bound().andThen(value -> evaluate(call, moving, value)));
    }

    /** The argument that the call rises with, all others being constants; -1 for none. */
    private static int movingArgument(Call call) {
        String name = call.method().getName();
        List<Expression> arguments = call.arguments();
        boolean isTime = call.method().getReturnType() == long.class && !arguments.isEmpty();
        if (!isTime) {
            return -1;
        }
        boolean restIsConstant = arguments.stream().skip(1).allMatch(argument -> constant(argument) != null);
        boolean scales = SCALING.contains(name) && restIsConstant && isPositive(arguments.getLast());
        if (restIsConstant && (RISING.contains(name) || name.equals(SUBTRACT) || scales)) {
            return 0;
        }
        return SYMMETRIC.contains(name) && constant(arguments.get(0)) != null ? 1 : -1;
    }

    private static boolean isPositive(Expression factor) {
        Long value = constant(factor);
        return value != null && value > 0;
    }

    /** The number that an expression of constants is. */
    private static @Nullable Long constant(Expression expression) {
        return switch (expression) {
            case Literal literal -> literal.value() instanceof Long value ? value : null;
            case Call call
            when call.method().getReturnType() == long.class
                    && call.arguments().stream().allMatch(argument -> constant(argument) != null) ->
                evaluate(call, -1, 0);
            default -> null;
        };
    }

    /** The call with a value in the place of one argument; the least number where it fails. */
    private static long evaluate(Call call, int moving, long value) {
        List<@Nullable Object> arguments = new ArrayList<>();
        for (int i = 0; i < call.arguments().size(); i++) {
            arguments.add(i == moving ? (Long) value : constant(call.arguments().get(i)));
        }
        arguments.addAll(call.constants());
        try {
            return (Long) call.method().invoke(null, arguments.toArray());
        } catch (InvocationTargetException | IllegalAccessException e) {
            return Long.MIN_VALUE;
        }
    }
}
