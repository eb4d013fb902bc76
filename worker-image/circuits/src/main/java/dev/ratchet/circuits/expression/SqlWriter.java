/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.expression;

import dev.ratchet.circuits.expression.Expression.And;
import dev.ratchet.circuits.expression.Expression.Branch;
import dev.ratchet.circuits.expression.Expression.Call;
import dev.ratchet.circuits.expression.Expression.Case;
import dev.ratchet.circuits.expression.Expression.Column;
import dev.ratchet.circuits.expression.Expression.InSet;
import dev.ratchet.circuits.expression.Expression.IsNull;
import dev.ratchet.circuits.expression.Expression.Item;
import dev.ratchet.circuits.expression.Expression.Literal;
import dev.ratchet.circuits.expression.Expression.Nested;
import dev.ratchet.circuits.expression.Expression.Or;
import dev.ratchet.circuits.expression.Expression.OverItems;
import dev.ratchet.circuits.expression.Expression.Retyped;
import dev.ratchet.circuits.expression.Expression.Try;
import dev.ratchet.circuits.expression.function.DecimalFunctions;
import dev.ratchet.circuits.expression.function.LikePattern;
import dev.ratchet.circuits.expression.function.TimePattern;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.ShownSql;
import dev.ratchet.circuits.type.TypeKind;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Writes expressions as SQL for people to read, with columns as {@code #number}. Function names are those of SQL where
 * {@link SqlNames} knows one, and conversions are casts. Parentheses stand around every operator inside of another.
 */
final class SqlWriter {

    private SqlWriter() {}

    static String list(List<Expression> expressions) {
        return expressions.stream().map(SqlWriter::sql).collect(Collectors.joining(", "));
    }

    static String sql(Expression expression) {
        return switch (expression) {
            case Column column -> ShownSql.column(column.index());
            case Literal literal -> ShownSql.constant(literal.type(), literal.value());
            case Call call -> call(call);
            case And and -> joined(and.parts(), " AND ");
            case Or or -> joined(or.parts(), " OR ");
            case IsNull test -> part(test.value()) + " IS NULL";
            case InSet in ->
                part(in.value()) + " IN ("
                        + ShownSql.items(in.constants().stream()
                                .map(constant -> ShownSql.constant(in.value().type(), constant))
                                .sorted()
                                .toList())
                        + ")";
            case Case choice -> choice(choice);
            case Try tried -> tried(sql(tried.value()));
            case Retyped retyped -> sql(retyped.value());
            case Nested nested -> nested(nested);
            case OverItems each ->
                (each.type().kind() == TypeKind.BOOLEAN ? "ARRAY_EXISTS(" : "TRANSFORM(") + sql(each.array())
                        + ", item -> " + sql(each.body()) + ")";
            case Item item -> "item" + (item.out() == 0 ? "" : " " + item.out() + " out");
        };
    }

    private static String tried(String value) {
        return value.startsWith("CAST(") ? "TRY_" + value : "TRY(" + value + ")";
    }

    private static String choice(Case choice) {
        StringBuilder text = new StringBuilder("CASE");
        for (Branch branch : choice.branches()) {
            text.append(" WHEN ").append(sql(branch.condition()));
            text.append(" THEN ").append(sql(branch.value()));
        }
        return text + " ELSE " + sql(choice.otherwise()) + " END";
    }

    private static String nested(Nested nested) {
        String parts = list(nested.parts());
        return switch (nested.type().kind()) {
            case MAP -> "MAP[" + parts + "]";
            case STRUCT -> "ROW(" + parts + ")";
            default -> "ARRAY[" + parts + "]";
        };
    }

    private static String joined(List<Expression> parts, String word) {
        return parts.stream()
                .map(part -> part instanceof And || part instanceof Or ? "(" + sql(part) + ")" : sql(part))
                .collect(Collectors.joining(word));
    }

    /** An expression inside of an operator. */
    private static String part(Expression expression) {
        String text = sql(expression);
        boolean isOperator =
                switch (expression) {
                    case And and -> true;
                    case Or or -> true;
                    case InSet in -> true;
                    case IsNull test -> true;
                    case Retyped retyped -> text.contains(" ");
                    case Call call -> isOperator(call);
                    default -> false;
                };
        return isOperator ? "(" + text + ")" : text;
    }

    private static boolean isOperator(Call call) {
        if (isSame(call)) {
            return !(call.arguments().get(0) instanceof Column)
                    && !(call.arguments().get(0) instanceof Literal)
                    && !(call.arguments().get(0) instanceof Call inner && !isOperator(inner));
        }
        return SqlNames.infix(call.method()) != null
                || name(call).equals("not")
                || name(call).equals("like");
    }

    private static String name(Call call) {
        return SqlNames.isOurs(call.method()) ? call.method().getName() : "";
    }

    /** Whether a call only says in another type what its argument says. */
    private static boolean isSame(Call call) {
        return call.method().getDeclaringClass() == DecimalFunctions.class
                && name(call).equals("ofLong");
    }

    private static String call(Call call) {
        List<Expression> arguments = call.arguments();
        String name = name(call);
        String infix = SqlNames.infix(call.method());
        if (isSame(call)) {
            return sql(arguments.get(0));
        } else if (infix != null) {
            return infix(infix, arguments.get(0), arguments.get(1));
        } else if (SqlNames.isCast(call.method())) {
            return cast(arguments.get(0), call.type().withNullable(true));
        }
        return switch (name) {
            case "not" -> not(arguments.get(0));
            case "negate" -> "-" + part(arguments.get(0));
            case "like" ->
                part(arguments.get(0)) + " " + ((LikePattern) call.constants().get(0)).sql();
            case "item", "valueAt" -> part(arguments.get(0)) + "[" + sql(arguments.get(1)) + "]";
            case "part" -> field(call);
            case "trimBoth" -> trim("BOTH", call);
            case "trimLeading" -> trim("LEADING", call);
            case "trimTrailing" -> trim("TRAILING", call);
            default -> SqlNames.isOfUnit(call.method()) ? ofUnit(call) : named(call);
        };
    }

    /** A conversion; the way over another one to the same type is not shown. */
    private static String cast(Expression value, ColumnType type) {
        boolean isAgain = value instanceof Call call
                && SqlNames.isCast(call.method())
                && call.type().withNullable(true).equals(type);
        return isAgain ? sql(value) : "CAST(" + sql(value) + " AS " + type + ")";
    }

    private static String trim(String where, Call call) {
        List<Expression> arguments = call.arguments();
        return "TRIM(" + where + " " + sql(arguments.get(0)) + " FROM " + sql(arguments.get(1)) + ")";
    }

    private static String ofUnit(Call call) {
        String name = SqlNames.name(call.method());
        String value = sql(call.arguments().get(0));
        return name
                + (name.equals("EXTRACT")
                        ? "(" + call.constants().get(0) + " FROM " + value + ")"
                        : "(" + value + " TO " + call.constants().get(0) + ")");
    }

    private static String field(Call call) {
        ColumnType struct = call.arguments().get(0).type();
        boolean isNamed = struct.kind() == TypeKind.STRUCT && call.constants().get(0) instanceof Integer;
        String field = isNamed
                ? struct.fields().get((Integer) call.constants().get(0)).name()
                : String.valueOf(call.constants());
        return part(call.arguments().get(0)) + "." + field;
    }

    private static String infix(String operator, Expression left, Expression right) {
        // A comparison is written from the column, as people write it.
        boolean turns = left instanceof Literal && !(right instanceof Literal);
        if (turns && operator.equals("<")) {
            return part(right) + " > " + part(left);
        }
        return turns && operator.equals("=")
                ? part(right) + " = " + part(left)
                : part(left) + " " + operator + " " + part(right);
    }

    private static String not(Expression value) {
        if (value instanceof IsNull test) {
            return part(test.value()) + " IS NOT NULL";
        }
        if (value instanceof Call call && name(call).equals("like")) {
            return part(call.arguments().get(0)) + " NOT "
                    + ((LikePattern) call.constants().get(0)).sql();
        }
        String infix = value instanceof Call call ? SqlNames.infix(call.method()) : null;
        if (infix != null && value instanceof Call call && (infix.equals("=") || infix.equals("<"))) {
            Expression left = call.arguments().get(0);
            Expression right = call.arguments().get(1);
            boolean turns = left instanceof Literal && !(right instanceof Literal);
            String opposite = infix.equals("=") ? "<>" : turns ? "<=" : ">=";
            return turns
                    ? part(right) + " " + opposite + " " + part(left)
                    : part(left) + " " + opposite + " " + part(right);
        }
        return "NOT " + part(value);
    }

    private static String named(Call call) {
        List<String> all =
                new ArrayList<>(call.arguments().stream().map(SqlWriter::sql).toList());
        if (SqlNames.showsConstants(call.method())) {
            for (Object constant : call.constants()) {
                if (constant instanceof String text) {
                    all.add(ShownSql.quoted(text));
                } else if (constant instanceof Number number) {
                    all.add(number.toString());
                } else if (constant instanceof TimePattern pattern) {
                    all.add(pattern.isJava() ? all.size() : 0, pattern.toString());
                }
            }
        }
        return SqlNames.name(call.method()) + "(" + String.join(", ", all) + ")";
    }
}
