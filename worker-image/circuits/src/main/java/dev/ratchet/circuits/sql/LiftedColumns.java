/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLambda;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlShuttle;
import org.apache.calcite.util.Litmus;
import org.jspecify.annotations.Nullable;

/**
 * What the body of {@code f(a, x -> x + c)} reads beside its item, as further arguments and parameters, {@code f(a, c,
 * (x, $0) -> x + $0)}: the planner lets a body read its parameters alone. Bodies inside of others come first, so that
 * what they read of those is an argument there.
 */
final class LiftedColumns extends SqlShuttle {

    private static final String PREFIX = "$";

    private final String item;

    /** That of parameters; a quoted name of the item may begin like it. */
    private final String prefix;

    private final List<SqlNode> columns = new ArrayList<>();
    private final List<SqlNode> parameters = new ArrayList<>();

    private LiftedColumns(SqlNode item) {
        this.item = item.toString();
        this.prefix = this.item.startsWith(PREFIX) ? this.item + PREFIX : PREFIX;
        this.parameters.add(item);
    }

    static SqlCall lift(SqlCall call) {
        boolean isOfItems = call.operandCount() == 2
                && call.operand(1) instanceof SqlLambda lambda
                && lambda.getParameters().size() == 1;
        if (!isOfItems) {
            return call;
        }
        SqlLambda lambda = call.operand(1);
        LiftedColumns lifted = new LiftedColumns(lambda.getParameters().get(0));
        SqlNode body = lambda.getExpression().accept(lifted);
        if (body == null || lifted.columns.isEmpty()) {
            return call;
        }
        List<SqlNode> operands = new ArrayList<>(List.of(call.operand(0)));
        operands.addAll(lifted.columns);
        SqlParserPos place = lambda.getParserPosition();
        operands.add(new SqlLambda(place, new SqlNodeList(lifted.parameters, place), body));
        return call.getOperator().createCall(call.getFunctionQuantifier(), call.getParserPosition(), operands);
    }

    /** Whether a parameter stands for a column. */
    static boolean isColumn(SqlNode parameter) {
        return parameter.toString().startsWith(PREFIX);
    }

    @Override
    public @Nullable SqlNode visit(SqlIdentifier name) {
        if (name.names.get(0).equalsIgnoreCase(item)) {
            if (!name.isSimple()) {
                throw QueryRewrites.refused(
                        name, name + " behind ->; UNNEST the array to compute with parts of its items");
            }
            return name;
        }
        int known = 0;
        while (known < columns.size() && !columns.get(known).equalsDeep(name, Litmus.IGNORE)) {
            known++;
        }
        SqlIdentifier parameter = new SqlIdentifier(prefix + known, name.getParserPosition());
        if (known == columns.size()) {
            columns.add(name);
            parameters.add(parameter);
        }
        return parameter;
    }

    @Override
    public @Nullable SqlNode visit(SqlCall call) {
        if (call.isA(SqlKind.QUERY)) {
            throw QueryRewrites.refused(
                    call, "A query in the expression behind ->; UNNEST the array, and join with the query");
        }
        return call instanceof SqlLambda ? call : super.visit(call);
    }
}
