/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import dev.ratchet.circuits.expression.Expression;
import dev.ratchet.circuits.expression.Expression.Literal;
import dev.ratchet.circuits.expression.Functions;
import dev.ratchet.circuits.expression.NamedFunction;
import dev.ratchet.circuits.expression.function.DecimalFunctions;
import dev.ratchet.circuits.expression.function.DoubleFunctions;
import dev.ratchet.circuits.expression.function.IntegerFunctions;
import dev.ratchet.circuits.expression.function.LikePattern;
import dev.ratchet.circuits.expression.function.NestedFunctions;
import dev.ratchet.circuits.expression.function.TextFunctions;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.TypeKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.calcite.avatica.util.TimeUnitRange;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlLikeOperator;
import org.apache.calcite.sql.fun.SqlTrimFunction;
import org.jspecify.annotations.Nullable;

/** Functions that SQL names, by name. */
final class StandardFunctions {

    private static final ColumnType DOUBLE = ColumnType.of(TypeKind.DOUBLE).orNull();
    private static final ColumnType BIGINT = ColumnType.of(TypeKind.BIGINT).orNull();

    private StandardFunctions() {}

    static Expression call(RexTranslator translator, RexCall call, ColumnType type) {
        String name = call.getOperator().getName().toUpperCase(Locale.ROOT);
        Expression found = JsonCalls.call(translator, name, call, type);
        if (found != null) {
            return found;
        }
        Flags flags = Flags.split(translator, call);
        List<Expression> arguments = flags.arguments();
        found = named(name, arguments, type);
        if (found == null) {
            found = text(name, call, arguments, flags, type);
        }
        if (found == null) {
            found = number(name, arguments, flags, type);
        }
        if (found == null) {
            found = TimeCalls.call(name, arguments, flags.flag(), type);
        }
        if (found == null) {
            found = NestedCalls.call(name, arguments, type);
        }
        if (found == null) {
            throw new UnsupportedSqlException(
                    call.getOperator().getName(),
                    call.getOperator().isDeterministic() && !call.getOperator().isDynamicFunction()
                            ? name
                                    + " is not among the functions here; docs/functions.md lists them, and CREATE"
                                    + " FUNCTION adds others"
                            : name + " is not the same twice; put its value into the input");
        }
        return found;
    }

    /** The operands that are values, and the one that is a word of the syntax. */
    private record Flags(
            List<Expression> arguments, @Nullable Enum<?> flag) {

        static Flags split(RexTranslator translator, RexCall call) {
            List<Expression> arguments = new ArrayList<>();
            Enum<?> flag = null;
            for (RexNode operand : call.getOperands()) {
                if (operand instanceof RexLiteral literal && literal.getValue() instanceof Enum<?> word) {
                    flag = word;
                } else {
                    arguments.add(translator.translate(operand));
                }
            }
            return new Flags(arguments, flag);
        }
    }

    private static @Nullable Expression named(String name, List<Expression> arguments, ColumnType type) {
        NamedFunction function = NamedFunction.of(name);
        if (function == null) {
            return null;
        }
        return switch (function.arguments()) {
            case AS_GIVEN -> Functions.call(function.owner(), function.method(), type, arguments);
            case TO_DOUBLES -> ofDoubles(function, arguments, type);
            case ARRAY -> NestedCalls.ofArray(function, arguments, type);
            case ARRAY_AND_ITEM -> NestedCalls.ofItem(function, arguments, type);
        };
    }

    private static Expression ofDoubles(NamedFunction function, List<Expression> arguments, ColumnType type) {
        List<Expression> doubles =
                arguments.stream().map(value -> Casts.to(value, DOUBLE)).toList();
        ColumnType result = type.kind() == TypeKind.BOOLEAN ? type : DOUBLE;
        return Casts.to(Functions.call(function.owner(), function.method(), result, doubles), type);
    }

    private static @Nullable Expression text(
            String name, RexCall call, List<Expression> arguments, Flags flags, ColumnType type) {
        return switch (name) {
            case "||", "CONCAT" -> concatenate(arguments, type);
            case "CONCAT_WS" -> joined(arguments, type);
            case "SUBSTRING", "SUBSTR" ->
                ofText(arguments.size() == 2 ? "substringFrom" : "substring", type, arguments);
            case "POSITION", "LOCATE" -> ofText(arguments.size() == 2 ? "position" : "positionFrom", type, arguments);
            case "STRPOS", "INSTR" -> ofText("position", type, arguments.reversed());
            case "TRANSLATE3" -> ofText("translate", type, arguments);
            case "SIMILAR TO" -> ofText("similar", type, arguments);
            case "OCTET_LENGTH" ->
                ofText(
                        arguments.get(0).type().kind() == TypeKind.VARCHAR ? "byteLength" : "lengthOfBytes",
                        type,
                        arguments);
            case "POSIX REGEX CASE SENSITIVE", "RLIKE" -> ofText("matches", type, arguments);
            case "NOT SIMILAR TO" -> RexTranslator.not(ofText("similar", type, arguments));
            case "NEGATED POSIX REGEX CASE SENSITIVE", "NOT RLIKE" ->
                RexTranslator.not(ofText("matches", type, arguments));
            case "OVERLAY" -> overlay(arguments, type);
            case "TRIM" -> trim(flags, type);
            case "LTRIM" -> ofText("trimLeading", type, List.of(blank(), arguments.get(0)));
            case "RTRIM" -> ofText("trimTrailing", type, List.of(blank(), arguments.get(0)));
            case "LPAD", "RPAD" -> {
                List<Expression> all = new ArrayList<>(arguments);
                if (all.size() == 2) {
                    all.add(blank());
                }
                yield ofText(name.equals("LPAD") ? "padLeft" : "padRight", type, all);
            }
            case "LIKE", "ILIKE", "NOT LIKE", "NOT ILIKE" -> like(call, arguments);
            default -> null;
        };
    }

    private static Expression blank() {
        return new Literal(ColumnType.of(TypeKind.VARCHAR), " ");
    }

    private static Expression ofText(String name, ColumnType type, List<Expression> arguments) {
        return Functions.call(TextFunctions.class, name, type, arguments);
    }

    static Expression concatenate(List<Expression> arguments, ColumnType type) {
        String name = type.kind() == TypeKind.VARBINARY ? "concatenateBytes" : "concatenate";
        Expression all = Casts.to(arguments.get(0), type);
        for (Expression next : arguments.subList(1, arguments.size())) {
            all = ofText(name, type, List.of(all, Casts.to(next, type)));
        }
        return all;
    }

    /** All texts but the first, with that between; NULLs among them are left out. */
    private static Expression joined(List<Expression> arguments, ColumnType type) {
        List<Expression> parts = arguments.subList(1, arguments.size());
        Expression all = new Expression.Nested(parts, ColumnType.array(type.orNull()));
        return Functions.call(NestedFunctions.class, "join", type, List.of(all, arguments.get(0)));
    }

    private static Expression overlay(List<Expression> arguments, ColumnType type) {
        List<Expression> all = new ArrayList<>(arguments);
        if (all.size() == 3) {
            all.add(ofText("length", BIGINT, List.of(arguments.get(1))));
        }
        return ofText("overlay", type, all);
    }

    private static Expression trim(Flags flags, ColumnType type) {
        Enum<?> side = flags.flag();
        String name = side == SqlTrimFunction.Flag.LEADING
                ? "trimLeading"
                : side == SqlTrimFunction.Flag.TRAILING ? "trimTrailing" : "trimBoth";
        return ofText(name, type, flags.arguments());
    }

    private static Expression like(RexCall call, List<Expression> arguments) {
        SqlLikeOperator operator = (SqlLikeOperator) call.getOperator();
        String escape = arguments.size() > 2 && arguments.get(2) instanceof Literal literal ? text(literal) : "";
        Expression test;
        if (arguments.get(1) instanceof Literal literal && literal.value() != null) {
            LikePattern pattern = new LikePattern(text(literal), escape, !operator.isCaseSensitive());
            test = Functions.test(TextFunctions.class, "like", List.of(arguments.get(0)), pattern);
        } else if (arguments.size() == 2 && operator.isCaseSensitive()) {
            test = Functions.test(TextFunctions.class, "likeText", arguments);
        } else {
            throw new UnsupportedSqlException(
                    operator.getName(), "ILIKE and ESCAPE need a constant pattern; use LOWER");
        }
        return operator.isNegated() ? RexTranslator.not(test) : test;
    }

    private static String text(Literal literal) {
        return String.valueOf(literal.value());
    }

    private static @Nullable Expression number(String name, List<Expression> arguments, Flags flags, ColumnType type) {
        return switch (name) {
            case "LOG" -> {
                Expression whole = Casts.to(arguments.getLast(), DOUBLE);
                yield arguments.size() == 1
                        ? Functions.call(DoubleFunctions.class, "decimalLogarithm", type, List.of(whole))
                        : Functions.call(
                                DoubleFunctions.class,
                                "logarithm",
                                type,
                                List.of(Casts.to(arguments.get(0), DOUBLE), whole));
            }
            case "ABS" -> rounded("absolute", arguments, type, List.of());
            case "SIGN" -> rounded("sign", arguments, type, List.of());
            case "ROUND", "BROUND", "TRUNCATE", "TRUNC" -> {
                Expression digits = arguments.size() > 1 ? arguments.get(1) : new Literal(BIGINT, 0L);
                String function =
                        switch (name) {
                            case "ROUND" -> "round";
                            case "BROUND" -> "roundEven";
                            default -> "truncate";
                        };
                yield rounded(function, arguments, type, List.of(digits));
            }
            case "GREATEST_IGNORE_NULLS" ->
                RexTranslator.extremeOfPresent(SqlKind.GREATER_THAN_OR_EQUAL, arguments, type);
            case "LEAST_IGNORE_NULLS" -> RexTranslator.extremeOfPresent(SqlKind.LESS_THAN_OR_EQUAL, arguments, type);
            case "FLOOR", "CEIL", "CEILING" -> floor(name.equals("FLOOR"), arguments.get(0), flags.flag(), type);
            case "BITAND", "&" -> bits("bitAnd", arguments, type);
            case "BITOR" -> bits("bitOr", arguments, type);
            case "BITXOR", "^" -> bits("bitXor", arguments, type);
            case "BITNOT" -> bits("bitNot", arguments, type);
            case "BITCOUNT", "BIT_COUNT" -> bits("bitCount", arguments, type);
            case "LEFTSHIFT", "<<" -> bits("shiftLeft", arguments, type);
            case "RIGHTSHIFT" -> bits("shiftRight", arguments, type);
            case "FACTORIAL" -> Functions.call(IntegerFunctions.class, "factorial", type, arguments);
            default -> null;
        };
    }

    private static Expression bits(String name, List<Expression> arguments, ColumnType type) {
        for (Expression argument : arguments) {
            if (!Arithmetic.isInteger(argument.type().kind())) {
                throw new UnsupportedSqlException(
                        "", "Bits of " + argument.type() + "; only integers have bits here, cast to BIGINT");
            }
        }
        return Casts.to(Functions.call(IntegerFunctions.class, name, BIGINT, arguments), type);
    }

    private static Expression rounded(String name, List<Expression> arguments, ColumnType type, List<Expression> more) {
        List<Expression> all = new ArrayList<>();
        Expression value = arguments.get(0);
        if (Arithmetic.isInteger(type.kind())) {
            all.add(Casts.to(value, type));
            all.addAll(more);
            boolean checked = !name.equals("sign") && !name.equals("truncate");
            return checked
                    ? Functions.call(IntegerFunctions.class, name, type, all, Arithmetic.bits(type))
                    : Functions.call(IntegerFunctions.class, name, type, all);
        }
        if (Arithmetic.isFloat(type.kind())) {
            all.add(Casts.to(value, type));
            all.addAll(more);
            return Functions.call(DoubleFunctions.class, name, type, all);
        }
        all.add(Casts.toDecimal(value));
        all.addAll(more);
        return name.equals("absolute")
                ? Functions.call(DecimalFunctions.class, name, type, all)
                : Functions.call(DecimalFunctions.class, name, type, all, type.precision(), type.scale());
    }

    private static Expression floor(boolean down, Expression value, @Nullable Enum<?> unit, ColumnType type) {
        if (unit instanceof TimeUnitRange range) {
            return TimeCalls.cut(down, value, range, type);
        }
        List<Expression> one = List.of(value);
        if (Arithmetic.isInteger(value.type().kind())) {
            return Casts.to(value, type);
        }
        if (Arithmetic.isFloat(value.type().kind())) {
            return Functions.call(DoubleFunctions.class, down ? "floor" : "ceiling", type, one);
        }
        return Functions.call(
                DecimalFunctions.class, down ? "floor" : "ceiling", type, one, type.precision(), type.scale());
    }
}
