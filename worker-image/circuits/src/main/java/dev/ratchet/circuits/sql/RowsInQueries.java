/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.calcite.sql.SqlBinaryOperator;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlShuttle;
import org.jspecify.annotations.Nullable;

/**
 * {@code (a, b) IN (query)} where it matters whether it is FALSE or NULL. The planner takes it for NULL wherever a or b
 * is; it is FALSE where each row of the query differs in a column that is NULL on neither side, so that {@code NOT IN}
 * lost rows. {@code = SOME} and {@code <> ALL} mean the same. Written out it is TRUE where a row is equal, NULL where
 * one with a NULL, or any where a or b is NULL, may be, and FALSE otherwise: only rows with NULLs are compared with all
 * others.
 */
final class RowsInQueries {

    private RowsInQueries() {}

    static boolean is(SqlCall call) {
        return (isNoneOf(call)
                        || call.getKind() == SqlKind.IN
                        || call.getOperator().equals(SqlStdOperatorTable.SOME_EQ))
                && call.operand(0).getKind() == SqlKind.ROW
                && ((SqlCall) call.operand(0)).operandCount() > 1
                && call.operand(1).isA(SqlKind.QUERY);
    }

    private static boolean isNoneOf(SqlCall call) {
        return call.getKind() == SqlKind.NOT_IN || call.getOperator().equals(SqlStdOperatorTable.ALL_NE);
    }

    /** The parts of a condition of rows for which FALSE and NULL are the same. */
    static void addPlain(@Nullable SqlNode condition, Collection<SqlNode> plain) {
        if (condition instanceof SqlCall call && (call.getKind() == SqlKind.AND || call.getKind() == SqlKind.OR)) {
            call.getOperandList().forEach(part -> addPlain(part, plain));
        } else if (condition != null && condition.getKind() == SqlKind.IN) {
            plain.add(condition);
        }
    }

    static SqlNode write(SqlCall in) {
        SqlParserPos place = in.getParserPosition();
        SqlCall row = in.operand(0);
        SqlNode equal = SqlStdOperatorTable.IS_TRUE.createCall(
                place, SqlStdOperatorTable.IN.createCall(place, row, in.operand(1)));
        SqlNode unknown = all(
                SqlStdOperatorTable.AND,
                List.of(
                        SqlLiteral.createUnknown(place),
                        all(SqlStdOperatorTable.OR, List.of(mayBeIn(in, true), mayBeIn(in, false)))));
        SqlNode is = all(SqlStdOperatorTable.OR, List.of(equal, unknown));
        return isNoneOf(in) ? SqlStdOperatorTable.NOT.createCall(place, is) : is;
    }

    /** Whether the query has a row that may be equal, of those with a NULL, or any where the row asked for has one. */
    private static SqlNode mayBeIn(SqlCall in, boolean ofQuery) {
        SqlParserPos place = in.getParserPosition();
        List<SqlNode> row = ((SqlCall) copy(in.operand(0))).getOperandList();
        List<SqlNode> renamed = new ArrayList<>(List.of(copy(in.operand(1)), new SqlIdentifier("$in", place)));
        List<SqlNode> isNull = new ArrayList<>();
        List<SqlNode> conditions = new ArrayList<>();
        for (int i = 0; i < row.size(); i++) {
            SqlIdentifier column = new SqlIdentifier("$in" + i, place);
            renamed.add(column);
            SqlNode tested = ofQuery ? column : row.get(i);
            isNull.add(SqlStdOperatorTable.IS_NULL.createCall(place, copy(tested)));
            conditions.add(SqlStdOperatorTable.IS_NOT_FALSE.createCall(
                    place, SqlStdOperatorTable.EQUALS.createCall(place, row.get(i), copy(column))));
        }
        conditions.add(all(SqlStdOperatorTable.OR, isNull));
        SqlSelect rows = new SqlSelect(
                place,
                null,
                SqlNodeList.of(SqlLiteral.createExactNumeric("1", place)),
                SqlStdOperatorTable.AS.createCall(place, renamed),
                all(SqlStdOperatorTable.AND, conditions),
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null);
        return SqlStdOperatorTable.EXISTS.createCall(place, rows);
    }

    private static SqlNode all(SqlBinaryOperator operator, List<SqlNode> parts) {
        SqlNode all = parts.get(0);
        for (SqlNode part : parts.subList(1, parts.size())) {
            all = operator.createCall(part.getParserPosition(), all, part);
        }
        return all;
    }

    /** The planner keeps what it knows by the node, so that none may stand in two places. */
    private static SqlNode copy(SqlNode node) {
        SqlNode copy = node.accept(new SqlShuttle() {
            @Override
            public @Nullable SqlNode visit(SqlIdentifier name) {
                return name.clone(name.getParserPosition());
            }

            @Override
            public @Nullable SqlNode visit(SqlCall call) {
                CallCopyingArgHandler handler = new CallCopyingArgHandler(call, true);
                call.getOperator().acceptCall(this, call, false, handler);
                return handler.result();
            }
        });
        return copy == null ? node : copy;
    }
}
