/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import java.util.List;
import org.apache.calcite.sql.JoinConditionType;
import org.apache.calcite.sql.JoinType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlShuttle;
import org.jspecify.annotations.Nullable;

/**
 * Columns that joins are USING, by their name alone under WHERE, as the column of the side that always has it; the
 * planner knows such names under SELECT and GROUP BY and takes them for ambiguous here. Subqueries keep their names.
 */
final class UsingColumns {

    private UsingColumns() {}

    static SqlSelect resolve(SqlSelect select) {
        SqlNode where = select.getWhere();
        if (select.getFrom() instanceof SqlJoin from && where != null) {
            select.setWhere(where.accept(new SqlShuttle() {
                @Override
                public @Nullable SqlNode visit(SqlIdentifier name) {
                    SqlNode column = name.isSimple() ? columnOf(from, name) : null;
                    return column == null ? name : column;
                }

                @Override
                public @Nullable SqlNode visit(SqlCall call) {
                    return call.isA(SqlKind.QUERY) ? call : super.visit(call);
                }
            }));
        }
        return select;
    }

    /** What a name means that a join is USING; null where it is none. */
    private static @Nullable SqlNode columnOf(SqlJoin join, SqlIdentifier name) {
        if (!isUsing(join, name)) {
            return null;
        }
        SqlNode left = columnOf(join.getLeft(), name);
        SqlNode right = columnOf(join.getRight(), name);
        if (left == null || right == null) {
            return null;
        }
        SqlParserPos place = name.getParserPosition();
        return join.getJoinType() == JoinType.FULL
                ? SqlStdOperatorTable.COALESCE.createCall(place, left, right)
                : join.getJoinType() == JoinType.RIGHT ? right : left;
    }

    private static @Nullable SqlNode columnOf(SqlNode side, SqlIdentifier name) {
        return switch (side) {
            case SqlJoin join -> columnOf(join, name);
            case SqlIdentifier table -> column(table.names.getLast(), name);
            case SqlCall call
            when call.getKind() == SqlKind.AS && call.operand(1) instanceof SqlIdentifier alias ->
                column(alias.getSimple(), name);
            default -> null;
        };
    }

    private static SqlIdentifier column(String table, SqlIdentifier name) {
        return new SqlIdentifier(List.of(table, name.getSimple()), name.getParserPosition());
    }

    private static boolean isUsing(SqlJoin join, SqlIdentifier name) {
        return join.getConditionType() == JoinConditionType.USING
                && join.getCondition() instanceof SqlNodeList columns
                && columns.stream()
                        .anyMatch(column -> column instanceof SqlIdentifier known
                                && known.getSimple().equalsIgnoreCase(name.getSimple()));
    }
}
