/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import dev.ratchet.circuits.expression.Expression;
import dev.ratchet.circuits.expression.Expression.Branch;
import dev.ratchet.circuits.expression.Expression.Case;
import dev.ratchet.circuits.expression.Expression.Column;
import dev.ratchet.circuits.expression.Expression.IsNull;
import dev.ratchet.circuits.expression.Expression.Item;
import dev.ratchet.circuits.expression.Expression.Literal;
import dev.ratchet.circuits.expression.Expression.Nested;
import dev.ratchet.circuits.expression.Expression.OverItems;
import dev.ratchet.circuits.expression.Functions;
import dev.ratchet.circuits.expression.function.IntegerFunctions;
import dev.ratchet.circuits.expression.function.NestedFunctions;
import dev.ratchet.circuits.expression.function.TimeText;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.TypeKind;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLambda;
import org.apache.calcite.rex.RexLambdaRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.DateString;
import org.apache.calcite.util.NlsString;
import org.apache.calcite.util.TimeString;
import org.apache.calcite.util.TimestampString;
import org.jspecify.annotations.Nullable;

/** Expressions of a plan as expressions that can be compiled. Every result may be NULL, whatever the plan infers. */
final class RexTranslator {

    /** From so many constants on, IN becomes a set. */
    private static final int SET_MIN = 4;

    private static final ColumnType BOOLEAN = ColumnType.of(TypeKind.BOOLEAN).orNull();

    private final UserFunctions functions;

    /** The body that what is translated is in; null outside of all. */
    private @Nullable Body body;

    /** How many bodies are around what is translated, also where that is said outside of some of them. */
    private int depth;

    RexTranslator(UserFunctions functions) {
        this.functions = functions;
    }

    List<Expression> translate(List<? extends RexNode> nodes) {
        return nodes.stream().map(this::translate).toList();
    }

    Expression translate(RexNode node) {
        return switch (node) {
            case RexInputRef reference -> new Column(reference.getIndex(), type(reference.getType()));
            case RexLiteral literal -> literal(literal);
            case RexFieldAccess access -> field(access);
            case RexLambdaRef parameter -> parameter(parameter);
            case RexSubQuery query ->
                throw new UnsupportedSqlException(
                        query.getOperator().getName(),
                        "A subquery stands here of which the plan makes no join, such as one under ON of an outer join"
                                + " that is asked of columns of both sides; ask it under WHERE of an inner join, or"
                                + " select it in a subquery in FROM");
            case RexCall call -> call(call);
            default ->
                throw new UnsupportedSqlException(
                        "", "The expression " + node + " can not be computed from one row; write it as a join");
        };
    }

    /** The column type of an expression, with NULL. */
    static ColumnType type(RelDataType type) {
        ColumnType column = SqlTypes.columnType(type);
        if (column == null) {
            throw new UnsupportedSqlException(
                    "", "Values of type " + type + " can not be computed; cast to another type");
        }
        return column.orNull();
    }

    private static Expression literal(RexLiteral literal) {
        ColumnType type = type(literal.getType());
        return new Literal(type, literal.isNull() ? null : value(literal, type));
    }

    private static Object value(RexLiteral literal, ColumnType type) {
        return switch (type.kind()) {
            case BOOLEAN -> RexLiteral.booleanValue(literal);
            case REAL, DOUBLE -> decimal(literal).doubleValue();
            case DECIMAL -> decimal(literal).setScale(type.scale());
            case VARCHAR -> {
                NlsString text = literal.getValueAs(NlsString.class);
                yield text == null ? "" : text.getValue();
            }
            case VARBINARY -> {
                ByteString bytes = literal.getValueAs(ByteString.class);
                yield bytes == null ? new byte[0] : bytes.getBytes();
            }
            case DATE -> {
                DateString date = literal.getValueAs(DateString.class);
                yield date == null ? 0L : (long) date.getDaysSinceEpoch();
            }
            case TIME -> {
                TimeString time = literal.getValueAs(TimeString.class);
                yield time == null ? 0L : TimeText.toTime(time.toString());
            }
            case TIMESTAMP -> {
                TimestampString time = literal.getValueAs(TimestampString.class);
                yield time == null ? 0L : TimeText.toTimestamp(time.toString());
            }
            case INTERVAL_MICROS ->
                TimeUnit.MILLISECONDS.toMicros(decimal(literal).longValueExact());
            case TINYINT, SMALLINT, INTEGER, BIGINT, INTERVAL_MONTHS ->
                decimal(literal).longValueExact();
            default ->
                throw new UnsupportedSqlException(
                        "", "A constant of type " + type + "; build it from its parts, as ARRAY[1, 2]");
        };
    }

    private static BigDecimal decimal(RexLiteral literal) {
        BigDecimal value = literal.getValueAs(BigDecimal.class);
        if (value == null) {
            throw new UnsupportedSqlException("", "The constant " + literal + " is not a number");
        }
        return value;
    }

    private Expression field(RexFieldAccess access) {
        Expression struct = translate(access.getReferenceExpr());
        return Functions.call(
                NestedFunctions.class,
                "part",
                type(access.getType()),
                List.of(struct),
                access.getField().getIndex());
    }

    private Expression call(RexCall call) {
        SqlKind kind = call.getKind();
        if (call.getType().getSqlTypeName() == SqlTypeName.ANY
                && !call.getOperands().isEmpty()) {
            // What the planner puts around the parts of JSON.
            return operand(call, 0);
        }
        try {
            return computed(call, kind);
        } catch (IllegalArgumentException e) {
            // What a function says of its arguments.
            String name = call.getOperator().getName();
            throw new UnsupportedSqlException(name, name + " " + e.getMessage());
        }
    }

    private Expression computed(RexCall call, SqlKind kind) {
        return switch (kind) {
            case AND -> new Expression.And(translate(call.getOperands()));
            case OR -> or(call);
            case NOT -> not(translate(call.getOperands().get(0)));
            case IS_NULL -> new IsNull(operand(call, 0));
            case IS_NOT_NULL -> not(new IsNull(operand(call, 0)));
            case IS_TRUE -> constantCase(operand(call, 0), true, false);
            case IS_NOT_TRUE -> constantCase(operand(call, 0), false, true);
            case IS_FALSE -> constantCase(not(operand(call, 0)), true, false);
            case IS_NOT_FALSE -> constantCase(not(operand(call, 0)), false, true);
            case CASE -> choice(call);
            case SEARCH ->
                translate(RexUtil.expandSearch(new org.apache.calcite.rex.RexBuilder(SqlTypes.FACTORY), null, call));
            case REINTERPRET -> Casts.reinterpret(operand(call, 0), type(call.getType()));
            case CAST, SAFE_CAST ->
                Casts.cast(operand(call, 0), type(call.getType()), call.getType(), kind == SqlKind.SAFE_CAST);
            case EQUALS,
                    NOT_EQUALS,
                    LESS_THAN,
                    LESS_THAN_OR_EQUAL,
                    GREATER_THAN,
                    GREATER_THAN_OR_EQUAL,
                    IS_DISTINCT_FROM,
                    IS_NOT_DISTINCT_FROM -> Comparisons.compare(kind, operand(call, 0), operand(call, 1));
            case PLUS, MINUS, TIMES, DIVIDE, MOD, CHECKED_PLUS, CHECKED_MINUS, CHECKED_TIMES, CHECKED_DIVIDE ->
                Arithmetic.calculate(kind, translate(call.getOperands()), type(call.getType()));
            case MINUS_PREFIX, CHECKED_MINUS_PREFIX -> Arithmetic.negate(operand(call, 0), type(call.getType()));
            case PLUS_PREFIX -> operand(call, 0);
            case ARRAY_VALUE_CONSTRUCTOR, MAP_VALUE_CONSTRUCTOR, ROW -> nested(call);
            case ITEM -> item(operand(call, 0), operand(call, 1), type(call.getType()));
            case COALESCE, NVL -> coalesce(translate(call.getOperands()), type(call.getType()));
            default -> named(call);
        };
    }

    /**
     * The body of a call over items.
     *
     * @param call the item's array, what else the body is given, and the body
     * @param item the type of the items
     * @param depth how many bodies are around it
     */
    private record Body(
            RexCall call,
            ColumnType item,
            int depth,
            @Nullable Body around) {}

    private Expression overItems(RexCall call, RexLambda lambda) {
        Expression array = operand(call, 0);
        ColumnType type = type(call.getType());
        Body around = body;
        body = new Body(call, array.type().fields().get(0).type().orNull(), depth, around);
        depth++;
        try {
            ColumnType result = type.kind() == TypeKind.BOOLEAN
                    ? type
                    : type.fields().get(0).type().orNull();
            return new OverItems(array, Casts.to(translate(lambda.getExpression()), result), type);
        } finally {
            depth--;
            body = around;
        }
    }

    /** The item of a body, or what else that is given: an expression of what is around it. */
    private Expression parameter(RexLambdaRef parameter) {
        Body of = body;
        if (of == null) {
            throw new IllegalArgumentException("has " + parameter + " outside of what is computed of items");
        }
        if (parameter.getIndex() == 0) {
            return new Item(depth - 1 - of.depth(), of.item());
        }
        body = of.around();
        try {
            return operand(of.call(), parameter.getIndex());
        } finally {
            body = of;
        }
    }

    private Expression named(RexCall call) {
        if (!call.getOperands().isEmpty() && call.getOperands().getLast() instanceof RexLambda lambda) {
            return overItems(call, lambda);
        }
        ColumnType type = type(call.getType());
        return functions.defines(call)
                ? functions.call(call, translate(call.getOperands()), type)
                : StandardFunctions.call(this, call, type);
    }

    Expression operand(RexCall call, int number) {
        return translate(call.getOperands().get(number));
    }

    static Expression not(Expression value) {
        return Functions.test(IntegerFunctions.class, "not", List.of(value));
    }

    private static Expression constantCase(Expression condition, boolean then, boolean otherwise) {
        return new Case(
                List.of(new Branch(condition, new Literal(BOOLEAN, then))), new Literal(BOOLEAN, otherwise), BOOLEAN);
    }

    /** An OR of equalities of one expression with many constants is a look into a set. */
    private Expression or(RexCall call) {
        List<RexNode> operands = RexUtil.flattenOr(call.getOperands());
        @Nullable RexNode subject = null;
        Set<Object> constants = new HashSet<>();
        for (RexNode operand : operands) {
            boolean equality = operand instanceof RexCall part
                    && part.getKind() == SqlKind.EQUALS
                    && part.getOperands().get(1) instanceof RexLiteral literal
                    && !literal.isNull()
                    && (subject == null || subject.equals(part.getOperands().get(0)));
            if (!equality || operands.size() < SET_MIN) {
                return new Expression.Or(translate(operands));
            }
            RexCall part = (RexCall) operand;
            subject = part.getOperands().get(0);
            if (translate(part.getOperands().get(1)) instanceof Literal literal && literal.value() != null) {
                constants.add(literal.value());
            }
        }
        Expression value = subject == null ? new Literal(BOOLEAN, null) : translate(subject);
        Class<?> stored = Arithmetic.isInteger(value.type().kind()) ? Long.class : String.class;
        boolean ofOneType = stored == Long.class || value.type().kind() == TypeKind.VARCHAR;
        return ofOneType && constants.stream().allMatch(stored::isInstance)
                ? new Expression.InSet(value, constants)
                : new Expression.Or(translate(operands));
    }

    private static Expression item(Expression nested, Expression key, ColumnType type) {
        String name = nested.type().kind() == TypeKind.MAP ? "valueAt" : "item";
        Expression at = nested.type().kind() == TypeKind.MAP
                ? Casts.to(key, nested.type().fields().get(0).type().orNull())
                : key;
        return Functions.call(NestedFunctions.class, name, type, List.of(nested, at));
    }

    private Expression choice(RexCall call) {
        ColumnType type = type(call.getType());
        List<Branch> branches = new ArrayList<>();
        List<RexNode> operands = call.getOperands();
        for (int i = 0; i + 1 < operands.size(); i += 2) {
            branches.add(new Branch(translate(operands.get(i)), Casts.to(translate(operands.get(i + 1)), type)));
        }
        Expression otherwise = Casts.to(translate(operands.get(operands.size() - 1)), type);
        return new Case(branches, otherwise, type);
    }

    static Expression coalesce(List<Expression> values, ColumnType type) {
        List<Branch> branches = new ArrayList<>();
        for (Expression value : values.subList(0, values.size() - 1)) {
            branches.add(new Branch(not(new IsNull(value)), Casts.to(value, type)));
        }
        return new Case(branches, Casts.to(values.get(values.size() - 1), type), type);
    }

    /** The first value that none of those behind it is better than, where NULLs are passed over. */
    static Expression extremeOfPresent(SqlKind compare, List<Expression> given, ColumnType type) {
        List<Expression> values =
                given.stream().map(value -> Casts.to(value, type)).toList();
        List<Branch> branches = new ArrayList<>();
        for (int i = 0; i + 1 < values.size(); i++) {
            List<Expression> conditions = new ArrayList<>();
            for (Expression other : values.subList(i + 1, values.size())) {
                Expression isBest = Comparisons.compare(compare, values.get(i), other);
                conditions.add(new Expression.Or(List.of(new IsNull(other), isBest)));
            }
            branches.add(new Branch(new Expression.And(conditions), values.get(i)));
        }
        return branches.isEmpty() ? values.getLast() : new Case(branches, values.getLast(), type);
    }

    private Expression nested(RexCall call) {
        ColumnType type = type(call.getType());
        List<Expression> parts = new ArrayList<>();
        for (int i = 0; i < call.getOperands().size(); i++) {
            ColumnType wanted =
                    switch (type.kind()) {
                        case ARRAY -> type.fields().get(0).type();
                        case MAP -> type.fields().get(i % 2).type();
                        default -> type.fields().get(i).type();
                    };
            parts.add(Casts.to(operand(call, i), wanted.orNull()));
        }
        return new Nested(parts, type);
    }
}
