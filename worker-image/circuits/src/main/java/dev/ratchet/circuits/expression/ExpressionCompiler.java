/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.expression;

import dev.ratchet.circuits.expression.SourceWriter.Value;
import dev.ratchet.circuits.operator.RowFilter;
import dev.ratchet.circuits.operator.RowMapper;
import dev.ratchet.circuits.type.ColumnType;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import org.codehaus.commons.compiler.CompileException;

/**
 * Makes Java classes of expressions, one per condition or row, so that the loops over them stay monomorphic and numbers
 * stay primitive. The classes hold no state; threads may share their objects. Used by one thread.
 */
public final class ExpressionCompiler {

    /** More expressions in one method would not be compiled to machine code. */
    private static final int COLUMNS_PER_METHOD = 8;

    private final ClassLoader functions;
    private String place = "";

    /** @param functions sees the classes of all methods called, and this one */
    public ExpressionCompiler(ClassLoader functions) {
        this.functions = functions;
    }

    /** Says where the program has the expressions that follow, for people; no id depends on it. */
    public void at(String placeInProgram) {
        place = placeInProgram;
    }

    /** A condition; NULL counts as false. */
    public RowFilter filter(Expression condition) {
        List<Object> constants = new ArrayList<>();
        List<String> types = new ArrayList<>();
        SourceWriter code = new SourceWriter(constants, types);
        Value value = code.write(condition);
        code.line("return !(" + value.isNull() + ") && " + value.value() + ";");
        String body = placed(code.toString(), List.of(condition), List.of(condition.type()), constants, types);
        String method = "public boolean test(RowView in) {\n" + body + "}\n"
                + columnsRead(code.columnsRead(), constants, types)
                + isTotal(List.of(condition), List.of(condition.type()))
                + getter("java.util.List", "atMost", ComparedColumns.atMost(condition), constants, types)
                + getter("java.util.List", "following", ComparedColumns.following(condition), constants, types);
        return (RowFilter)
                instantiate("RowFilter", condition.toString(), SqlWriter.sql(condition), method, constants, types);
    }

    /** A row of expressions over another row, column by column; each type is that of its column. */
    public RowMapper mapper(List<Expression> columns, List<ColumnType> types) {
        List<Object> constants = new ArrayList<>();
        List<String> constantTypes = new ArrayList<>();
        StringBuilder methods = new StringBuilder();
        BitSet read = new BitSet();
        StringBuilder calls = new StringBuilder();
        for (int start = 0; start < columns.size(); start += COLUMNS_PER_METHOD) {
            SourceWriter code = new SourceWriter(constants, constantTypes);
            int end = Math.min(columns.size(), start + COLUMNS_PER_METHOD);
            for (int column = start; column < end; column++) {
                code.line("{").store(column, types.get(column), columns.get(column));
                code.line("}");
            }
            methods.append("private void from").append(start).append("(RowView in, RowWriter out) {\n");
            methods.append(code).append("}\n");
            read.or(code.columnsRead());
            calls.append("from").append(start).append("(in, out);\n");
        }
        methods.append("public void map(RowView in, RowWriter out) {\n")
                .append(placed(calls.toString(), columns, types, constants, constantTypes))
                .append("}\n");
        methods.append(getter("java.util.List", "monotone", MonotoneColumns.of(columns), constants, constantTypes));
        methods.append(columnsRead(read, constants, constantTypes));
        int[] copied = IntStream.range(0, types.size())
                .map(column -> SourceWriter.copied(columns.get(column), types.get(column)))
                .toArray();
        methods.append(getter("int[]", "columnsCopied", copied, constants, constantTypes));
        methods.append(isTotal(columns, types));
        return (RowMapper) instantiate(
                "RowMapper", columns.toString(), SqlWriter.list(columns), methods.toString(), constants, constantTypes);
    }

    private static String isTotal(List<Expression> expressions, List<ColumnType> types) {
        return "public boolean isTotal() { return " + areTotal(expressions, types) + "; }\n";
    }

    private static boolean areTotal(List<Expression> expressions, List<ColumnType> types) {
        return IntStream.range(0, types.size())
                .allMatch(column -> TotalExpressions.isTotal(expressions.get(column), types.get(column)));
    }

    /** What can fail says where the program has it. */
    private String placed(
            String body,
            List<Expression> expressions,
            List<ColumnType> types,
            List<Object> constants,
            List<String> constantTypes) {
        if (place.isEmpty() || areTotal(expressions, types)) {
            return body;
        }
        constants.add(place);
        constantTypes.add("String");
        return "try {\n" + body + "} catch (ArithmeticException e) {\n"
                + "throw new dev.ratchet.circuits.circuit.ExpressionFailedException(e, constant"
                + (constants.size() - 1) + ");\n}\n";
    }

    private static String columnsRead(BitSet read, List<Object> constants, List<String> types) {
        return getter("java.util.BitSet", "columnsRead", read, constants, types);
    }

    private static String getter(String type, String name, Object value, List<Object> constants, List<String> types) {
        constants.add(value);
        types.add(type);
        return "public " + type + " " + name + "() { return constant" + (constants.size() - 1) + "; }\n";
    }

    private Object instantiate(
            String type, String description, String text, String methods, List<Object> constants, List<String> types) {
        String named = getter("String", "description", description, constants, types)
                + getter("String", "text", text, constants, types);
        StringBuilder source = new StringBuilder("package dev.ratchet.circuits.expression;\n"
                + "import dev.ratchet.circuits.type.*;\nimport dev.ratchet.circuits.expression.function.*;\n"
                + "import dev.ratchet.circuits.operator.*;\n"
                + "public final class Compiled implements " + type + " {\n");
        for (int i = 0; i < types.size(); i++) {
            source.append("private final ")
                    .append(types.get(i))
                    .append(" constant")
                    .append(i)
                    .append(";\n");
        }
        source.append("public Compiled(Object[] constants) {\n");
        for (int i = 0; i < types.size(); i++) {
            source.append("constant" + i + " = (" + types.get(i) + ") constants[" + i + "];\n");
        }
        source.append("}\n").append(named).append(methods).append("}\n");
        try {
            return GeneratedClasses.of("dev.ratchet.circuits.expression.Compiled", source.toString(), functions)
                    .getConstructor(Object[].class)
                    .newInstance((Object) constants.toArray());
        } catch (CompileException | ReflectiveOperationException e) {
            Throwable cause = e instanceof InvocationTargetException ? e.getCause() : e;
            throw new IllegalStateException("Generated code does not compile:\n" + source, cause);
        }
    }
}
