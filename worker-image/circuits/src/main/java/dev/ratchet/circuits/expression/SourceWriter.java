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
import dev.ratchet.circuits.expression.function.IntegerFunctions;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.TypeKind;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;

/**
 * Writes the Java statements that compute expressions over a {@code RowView in}. Every value is a pair of variables: is
 * it NULL, and what is it where it is not. Statements that need not run are inside the branch that needs them.
 */
final class SourceWriter {

    /** What holds a computed value: source of a boolean, and of the value. */
    record Value(String isNull, String value) {}

    /** What is not in it is a function of the program, which may throw anything. */
    private static final String OWN_FUNCTIONS = IntegerFunctions.class.getPackageName();

    private final StringBuilder out = new StringBuilder();
    private final List<Object> constants;
    private final List<String> constantTypes;
    private final BitSet columnsRead = new BitSet();

    /** The variables of the items that are computed of, the innermost last. */
    private final List<String> items = new ArrayList<>();

    private int variables;

    /**
     * @param constants takes up the objects that the code reads from fields of its own
     * @param constantTypes takes up the types of those fields
     */
    SourceWriter(List<Object> constants, List<String> constantTypes) {
        this.constants = constants;
        this.constantTypes = constantTypes;
    }

    /** The columns of {@code in} that what was written so far reads. */
    BitSet columnsRead() {
        return columnsRead;
    }

    @Override
    public String toString() {
        return out.toString();
    }

    SourceWriter line(String statement) {
        out.append(statement).append('\n');
        return this;
    }

    /** Writes the statements of an expression; the value holds behind them. */
    Value write(Expression expression) {
        return switch (expression) {
            case Column column -> column(column);
            case Literal literal -> literal(literal);
            case Call call -> call(call);
            case And and -> connect(and.parts(), false);
            case Or or -> connect(or.parts(), true);
            case IsNull isNull -> new Value("false", "(" + write(isNull.value()).isNull() + ")");
            case InSet in -> inSet(in);
            case Case choice -> choice(choice);
            case Nested nested -> nested(nested);
            case Try attempt -> attempt(attempt);
            case Retyped other -> write(other.value());
            case OverItems each -> overItems(each);
            case Item one -> item(one);
        };
    }

    private Value column(Column column) {
        columnsRead.set(column.index());
        JavaType java = JavaType.of(column.type());
        String isNull = variable("n");
        String value = variable("v");
        line("boolean " + isNull + " = in.isNull(" + column.index() + ");");
        line(java.source() + " " + value + " = " + isNull + " ? " + java.initial() + " : " + read(column) + ";");
        return new Value(isNull, value);
    }

    private String read(Column column) {
        ColumnType type = column.type();
        int index = column.index();
        return switch (JavaType.of(type)) {
            case BOOLEAN -> "in.longAt(" + index + ") != 0L";
            case LONG -> "in.longAt(" + index + ")";
            case DOUBLE -> "in.doubleAt(" + index + ")";
            case TEXT -> "in.stringAt(" + index + ")";
            case DECIMAL ->
                type.precision() <= ColumnType.LONG_PRECISION_MAX
                        ? "java.math.BigDecimal.valueOf(in.longAt(" + index + "), " + type.scale() + ")"
                        : "RowAccess.decimal(in, " + index + ", " + type.scale() + ")";
            case BYTES -> "RowAccess.bytes(in, " + index + ")";
            case LIST -> "RowAccess.list(in, " + index + ", " + constant("ColumnType", type) + ")";
            case MAP -> "RowAccess.map(in, " + index + ", " + constant("ColumnType", type) + ")";
        };
    }

    private Value literal(Literal literal) {
        JavaType java = JavaType.of(literal.type());
        Object value = literal.value();
        if (value == null) {
            return new Value("true", "((" + java.source() + ") " + java.initial() + ")");
        }
        String source =
                switch (java) {
                    case BOOLEAN -> value.toString();
                    case LONG -> longSource((Long) value);
                    case DOUBLE ->
                        "Double.longBitsToDouble(" + longSource(Double.doubleToLongBits((Double) value)) + ")";
                    default -> constant(java.source(), value);
                };
        return new Value("false", source);
    }

    private static String longSource(long value) {
        return value == Long.MIN_VALUE ? "Long.MIN_VALUE" : "(" + value + "L)";
    }

    private Value call(Call call) {
        List<String> arguments = new ArrayList<>();
        StringBuilder anyNull = new StringBuilder("false");
        Class<?>[] parameters = call.method().getParameterTypes();
        for (Expression argument : call.arguments()) {
            if (argument instanceof Literal literal && literal.value() == null) {
                // A NULL may be of any type, also of one that the function does not take.
                JavaType result = JavaType.of(call.type());
                return new Value("true", "((" + result.source() + ") " + result.initial() + ")");
            }
            Value value = write(argument);
            boolean boxed = parameters[arguments.size()] == Object.class;
            arguments.add(boxed ? object(argument.type(), value.value()) : value.value());
            if (!value.isNull().equals("false")) {
                anyNull.append(" || ").append(value.isNull());
            }
        }
        for (Object constant : call.constants()) {
            arguments.add(
                    switch (constant) {
                        case Integer number -> number.toString();
                        case Long number -> longSource(number);
                        default -> constant(constant.getClass().getSimpleName(), constant);
                    });
        }
        JavaType java = JavaType.of(call.type());
        Method method = call.method();
        String source = method.getDeclaringClass().getCanonicalName() + "." + method.getName() + "("
                + String.join(", ", arguments) + ")";
        String isNull = variable("n");
        String value = variable("v");
        line("boolean " + isNull + " = " + anyNull + ";");
        line(java.source() + " " + value + " = " + java.initial() + ";");
        boolean isOwn = method.getDeclaringClass().getPackageName().equals(OWN_FUNCTIONS);
        line("if (!" + isNull + ") {" + (isOwn ? "" : " try {"));
        if (java.isPrimitive() && method.getReturnType().isPrimitive()) {
            line(value + " = " + source + ";");
        } else if (method.getReturnType() == Object.class && java == JavaType.LONG) {
            String result = variable("r");
            line("Object " + result + " = " + source + ";");
            line(isNull + " = " + result + " == null;");
            String type = constant("ColumnType", call.type());
            line("if (!" + isNull + ") " + value + " = RowAccess.toLong(" + type + ", " + result + ");");
        } else {
            String result = variable("r");
            line(java.boxed() + " " + result + " = (" + java.boxed() + ") " + source + ";");
            line(isNull + " = " + result + " == null;");
            line("if (!" + isNull + ") " + value + " = " + java.unbox(result) + ";");
        }
        String path = method.getDeclaringClass().getName() + "." + method.getName();
        line("}" + (isOwn ? "" : " catch (Exception e) { throw RowAccess.failed(\"" + path + "\", e); } }"));
        return new Value(isNull, value);
    }

    /** AND where {@code decisive} is false, OR where it is true. */
    private Value connect(List<Expression> parts, boolean decisive) {
        String isNull = variable("n");
        String value = variable("v");
        line("boolean " + isNull + " = false;");
        line("boolean " + value + " = " + !decisive + ";");
        for (Expression part : parts) {
            line("if (" + value + " != " + decisive + ") {");
            Value next = write(part);
            line("if (" + next.isNull() + ") " + isNull + " = true;");
            line("else " + value + " = " + next.value() + ";");
            line("}");
        }
        line("if (" + value + " == " + decisive + ") " + isNull + " = false;");
        return new Value(isNull, value);
    }

    private Value inSet(InSet in) {
        Value value = write(in.value());
        String set = constant("java.util.Set", Set.copyOf(in.constants()));
        String boxed = JavaType.of(in.value().type()).box(value.value());
        return new Value(value.isNull(), "(!(" + value.isNull() + ") && " + set + ".contains(" + boxed + "))");
    }

    private Value choice(Case choice) {
        JavaType java = JavaType.of(choice.type());
        String isNull = variable("n");
        String value = variable("v");
        line("boolean " + isNull + " = true;");
        line(java.source() + " " + value + " = " + java.initial() + ";");
        for (Branch branch : choice.branches()) {
            Value condition = write(branch.condition());
            line("if (!(" + condition.isNull() + ") && " + condition.value() + ") {");
            assign(isNull, value, write(branch.value()));
            line("} else {");
        }
        assign(isNull, value, write(choice.otherwise()));
        line("}".repeat(choice.branches().size()));
        return new Value(isNull, value);
    }

    private Value attempt(Try attempt) {
        JavaType java = JavaType.of(attempt.type());
        String isNull = variable("n");
        String value = variable("v");
        line("boolean " + isNull + " = true;");
        line(java.source() + " " + value + " = " + java.initial() + ";");
        line("try {");
        assign(isNull, value, write(attempt.value()));
        line("} catch (ArithmeticException e) { " + isNull + " = true; }");
        return new Value(isNull, value);
    }

    private Value overItems(OverItems each) {
        boolean isTest = each.type().kind() == TypeKind.BOOLEAN;
        Value array = write(each.array());
        String isNull = variable("n");
        String value = variable("v");
        String all = variable("a");
        String at = variable("i");
        String item = variable("o");
        line("boolean " + isNull + " = " + array.isNull() + ";");
        JavaType java = JavaType.of(each.type());
        line(java.source() + " " + value + " = " + java.initial() + ";");
        line("if (!" + isNull + ") {");
        line("Object[] " + all + " = " + array.value() + ".toArray();");
        line("for (int " + at + " = 0; " + at + " < " + all + ".length" + (isTest ? " && !" + value : "") + "; " + at
                + "++) {");
        line("Object " + item + " = " + all + "[" + at + "];");
        items.add(item);
        Value result = write(each.body());
        items.removeLast();
        if (isTest) {
            line("if (" + result.isNull() + ") " + isNull + " = true; else " + value + " = " + result.value() + ";");
            line("}");
            line("if (" + value + ") " + isNull + " = false;");
        } else {
            line(all + "[" + at + "] = null;");
            String object = object(each.body().type(), result.value());
            line("if (!(" + result.isNull() + ")) " + all + "[" + at + "] = " + object + ";");
            line("}");
            line(value + " = RowAccess.listOf(" + all + ");");
        }
        line("}");
        return new Value(isNull, value);
    }

    private Value item(Item one) {
        ColumnType type = one.type();
        String item = items.get(items.size() - 1 - one.out());
        JavaType java = JavaType.of(type);
        String read = java == JavaType.LONG
                ? "RowAccess.toLong(" + constant("ColumnType", type) + ", " + item + ")"
                : java.unbox("((" + java.boxed() + ") " + item + ")");
        String isNull = variable("n");
        String value = variable("v");
        line("boolean " + isNull + " = " + item + " == null;");
        line(java.source() + " " + value + " = " + isNull + " ? " + java.initial() + " : " + read + ";");
        return new Value(isNull, value);
    }

    private void assign(String isNull, String value, Value from) {
        line(isNull + " = " + from.isNull() + ";");
        line(value + " = " + from.value() + ";");
    }

    private Value nested(Nested nested) {
        String items = variable("a");
        line("Object[] " + items + " = new Object[" + nested.parts().size() + "];");
        for (int i = 0; i < nested.parts().size(); i++) {
            Expression part = nested.parts().get(i);
            ColumnType type = part.type();
            Value value = write(part);
            String object = object(type, value.value());
            line("if (!(" + value.isNull() + ")) " + items + "[" + i + "] = " + object + ";");
        }
        String make = nested.type().kind() == TypeKind.MAP ? "RowAccess.mapOf" : "RowAccess.listOf";
        return new Value("false", make + "(" + items + ")");
    }

    /** The object that stands for a value inside nested values; not called for NULL. */
    private String object(ColumnType type, String value) {
        return JavaType.of(type) == JavaType.LONG
                ? "RowAccess.toObject(" + constant("ColumnType", type) + ", " + value + ")"
                : JavaType.of(type).box(value);
    }

    /** Writes a value into a column of {@code RowWriter out}. */
    void store(int column, ColumnType type, Expression expression) {
        if (copied(expression, type) >= 0 && expression instanceof Column from) {
            columnsRead.set(from.index());
            line("if (in.isNull(" + from.index() + ")) out.setNull(" + column + ");");
            line("else " + copy(column, from));
            return;
        }
        Value value = write(expression);
        line("if (" + value.isNull() + ") out.setNull(" + column + ");");
        String what = value.value();
        line("else "
                + switch (JavaType.of(type)) {
                    case BOOLEAN -> "out.setLong(" + column + ", " + what + " ? 1L : 0L);";
                    case LONG -> "out.setLong(" + column + ", " + what + ");";
                    case DOUBLE ->
                        "out.setDouble(" + column + ", " + (type.kind() == TypeKind.REAL ? "(float) " : "") + what
                                + ");";
                    case TEXT -> "out.setString(" + column + ", " + what + ");";
                    case DECIMAL ->
                        "RowAccess.setDecimal(out, " + column + ", " + what + ", " + type.precision() + ", "
                                + type.scale() + ");";
                    case BYTES -> "out.setBytes(" + column + ", " + what + ", 0, " + what + ".length);";
                    case LIST, MAP ->
                        "RowAccess.setNested(out, " + column + ", " + constant("ColumnType", type) + ", " + what + ");";
                });
    }

    /** The column whose value an expression is as it is stored, in a column of this type; -1 where it is computed. */
    static int copied(Expression expression, ColumnType type) {
        return expression instanceof Column from && from.type().storage() == type.storage() && sameDigits(from, type)
                ? from.index()
                : -1;
    }

    private static boolean sameDigits(Column from, ColumnType to) {
        return from.type().scale() == to.scale()
                && !to.kind().isNested()
                && from.type().precision() <= to.precision();
    }

    private static String copy(int column, Column from) {
        int index = from.index();
        return switch (from.type().storage()) {
            case LONG -> "out.setLong(" + column + ", in.longAt(" + index + "));";
            case WIDE -> "out.setWide(" + column + ", in.highAt(" + index + "), in.longAt(" + index + "));";
            case BYTES ->
                "out.setBytes(" + column + ", in.bytesAt(" + index + "), in.offsetAt(" + index + "), in.lengthAt("
                        + index + "));";
        };
    }

    private String constant(String type, Object value) {
        constants.add(value);
        constantTypes.add(type);
        return "constant" + (constants.size() - 1);
    }

    private String variable(String prefix) {
        return prefix + variables++;
    }
}
