/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import dev.ratchet.circuits.expression.Expression;
import dev.ratchet.circuits.expression.Expression.Branch;
import dev.ratchet.circuits.expression.Expression.Case;
import dev.ratchet.circuits.expression.Expression.IsNull;
import dev.ratchet.circuits.expression.Expression.Literal;
import dev.ratchet.circuits.expression.Functions;
import dev.ratchet.circuits.expression.function.JsonFunctions;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.TypeKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlJsonConstructorNullClause;
import org.apache.calcite.sql.SqlJsonValueEmptyOrErrorBehavior;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/** The functions over JSON text, whose behaviour on NULL, on empty and on errors is part of their syntax. */
final class JsonCalls {

    private static final ColumnType TEXT = ColumnType.of(TypeKind.VARCHAR).orNull();

    /** What gives JSON, which is put into other JSON as it is. */
    private static final Set<String> JSON_ALREADY = Set.of("JSON_OBJECT", "JSON_ARRAY", "JSON_QUERY", "FORMAT JSON");

    private static final String IS = "IS JSON ";
    private static final String IS_NOT = "IS NOT JSON ";

    private JsonCalls() {}

    static @Nullable Expression call(RexTranslator translator, String name, RexCall call, ColumnType type) {
        if (name.startsWith(IS)) {
            return isJson(translator.operand(call, 0), name.substring(IS.length()));
        }
        if (name.startsWith(IS_NOT)) {
            return RexTranslator.not(isJson(translator.operand(call, 0), name.substring(IS_NOT.length())));
        }
        return switch (name) {
            case "JSON_VALUE" -> value(translator, call, type);
            case "JSON_QUERY" -> {
                List<Expression> arguments = path(translator, call);
                for (RexNode flag :
                        call.getOperands().subList(2, call.getOperands().size())) {
                    arguments.add(text(word(flag)));
                }
                yield Functions.call(JsonFunctions.class, "query", type, arguments);
            }
            case "JSON_EXISTS" -> {
                List<Expression> arguments = path(translator, call);
                arguments.add(text(
                        call.getOperands().size() > 2 ? word(call.getOperands().get(2)) : "FALSE"));
                yield Functions.call(JsonFunctions.class, "exists", type, arguments);
            }
            case "JSON_TYPE" ->
                Functions.call(JsonFunctions.class, "type", type, translator.translate(call.getOperands()));
            case "JSON_LENGTH" ->
                Functions.call(
                        JsonFunctions.class,
                        call.getOperands().size() == 1 ? "length" : "lengthAt",
                        type,
                        translator.translate(call.getOperands()));
            case "JSON_OBJECT", "JSON_ARRAY" -> construct(translator, name, call, type);
            case "FORMAT JSON" -> translator.operand(call, 0);
            default -> null;
        };
    }

    private static Expression isJson(Expression json, String kind) {
        return Functions.test(JsonFunctions.class, "isJson", List.of(json, text(kind)));
    }

    private static List<Expression> path(RexTranslator translator, RexCall call) {
        return new ArrayList<>(translator.translate(call.getOperands().subList(0, 2)));
    }

    private static Literal text(String value) {
        return new Literal(TEXT, value);
    }

    private static String word(RexNode flag) {
        return flag instanceof RexLiteral literal && literal.getValue() instanceof Enum<?> word
                ? word.name()
                : String.valueOf(flag);
    }

    /** Text, cast to the type of RETURNING; what is found in no scalar goes by ON EMPTY, what fails by ON ERROR. */
    private static Expression value(RexTranslator translator, RexCall call, ColumnType type) {
        List<Expression> path = path(translator, call);
        Expression onEmpty = new Literal(type, null);
        Expression onError = new Literal(type, null);
        boolean errorIsError = false;
        List<RexNode> rest = call.getOperands().subList(2, call.getOperands().size());
        for (int at = 0; at < rest.size(); ) {
            SqlJsonValueEmptyOrErrorBehavior behavior = SqlJsonValueEmptyOrErrorBehavior.valueOf(word(rest.get(at++)));
            Expression instead =
                    switch (behavior) {
                        case NULL -> new Literal(type, null);
                        case ERROR -> Casts.to(Functions.call(JsonFunctions.class, "neededValue", TEXT, path), type);
                        case DEFAULT -> Casts.to(translator.translate(rest.get(at++)), type);
                    };
            if (word(rest.get(at++)).endsWith("EMPTY")) {
                onEmpty = instead;
            } else {
                onError = instead;
                errorIsError = behavior == SqlJsonValueEmptyOrErrorBehavior.ERROR;
            }
        }
        Expression found = Functions.call(JsonFunctions.class, "value", TEXT, path);
        Expression converted = Casts.to(found, type);
        Expression whole = errorIsError
                ? converted
                : new Case(List.of(new Branch(new IsNull(new Expression.Try(converted)), onError)), converted, type);
        return new Case(
                List.of(
                        new Branch(new IsNull(path.get(0)), new Literal(type, null)),
                        new Branch(Functions.test(JsonFunctions.class, "isError", path), onError),
                        new Branch(new IsNull(found), onEmpty)),
                whole,
                type);
    }

    private static Expression construct(RexTranslator translator, String name, RexCall call, ColumnType type) {
        List<Expression> parts = new ArrayList<>();
        List<Boolean> json = new ArrayList<>();
        for (RexNode operand : call.getOperands().subList(1, call.getOperands().size())) {
            RexNode given = given(operand);
            boolean isNull = given instanceof RexLiteral literal && literal.isNull();
            parts.add(isNull ? new Literal(TEXT, null) : translator.translate(given));
            json.add(isJson(given));
        }
        boolean leaveOut = word(call.getOperands().get(0)).equals(SqlJsonConstructorNullClause.ABSENT_ON_NULL.name());
        return built(name.equals("JSON_OBJECT") ? "object" : "array", parts, json, leaveOut, type);
    }

    /** What is put into JSON, without the planner's casts to any type at all. */
    static RexNode given(RexNode part) {
        RexNode given = part;
        while (given instanceof RexCall cast
                && cast.getKind() == SqlKind.CAST
                && given.getType().getSqlTypeName() == SqlTypeName.ANY) {
            given = cast.getOperands().get(0);
        }
        return given;
    }

    /** Whether an expression gives JSON, which other JSON takes as it is. */
    static boolean isJson(@Nullable RexNode part) {
        return part != null
                && given(part) instanceof RexCall call
                && (JSON_ALREADY.contains(call.getOperator().getName())
                        || call.getType().getSqlTypeName() == SqlTypeName.ANY);
    }

    /** One element of an array, or name and value of a member of an object; NULL where it is left out. */
    static Expression member(List<Expression> parts, List<Boolean> json, boolean leaveOut) {
        return built(parts.size() == 2 ? "member" : "element", parts, json, leaveOut, TEXT);
    }

    private static Expression built(
            String function, List<Expression> parts, List<Boolean> json, boolean leaveOut, ColumnType type) {
        List<Expression> written = new ArrayList<>();
        List<ColumnType.Field> fields = new ArrayList<>();
        StringBuilder rest = new StringBuilder();
        for (int i = 0; i < parts.size(); i++) {
            Expression part = parts.get(i);
            TypeKind kind = part.type().kind();
            boolean isScalar = Arithmetic.isNumber(kind) || kind == TypeKind.BOOLEAN;
            written.add(isScalar ? part : Casts.to(part, TEXT));
            fields.add(new ColumnType.Field("p" + i, written.getLast().type()));
            rest.append(json.get(i) ? 'j' : '.');
        }
        rest.append(leaveOut ? "a" : "n");
        Expression all = new Expression.Nested(written, ColumnType.struct(fields));
        return Functions.call(JsonFunctions.class, function, type, List.of(all, text(rest.toString())));
    }
}
