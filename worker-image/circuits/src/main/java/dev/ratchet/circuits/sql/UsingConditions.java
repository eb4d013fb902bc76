/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import org.apache.calcite.sql.JoinConditionType;
import org.apache.calcite.sql.JoinType;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlStarExclude;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/**
 * Conditions of joins that are USING columns of a FULL or RIGHT join before them, written as ON: such a column is that
 * of either table, of which the planner would compare the first alone. What can not be written so is refused.
 */
final class UsingConditions {

    private static final int CONDITION_TYPE = 4;
    private static final int CONDITION = 5;

    private UsingConditions() {}

    static void write(SqlJoin from, SqlNodeList selected) {
        if (isOfEither(from) && count(from, true) > 0 && count(from, false) > 1) {
            throw QueryRewrites.refused(
                    from, "NATURAL joins of more than two tables, one FULL or RIGHT; say the columns by USING or ON");
        }
        boolean isWritten = writeAll(from);
        for (SqlNode item : selected) {
            boolean isAll = item instanceof SqlStarExclude
                    || (item instanceof SqlIdentifier name && name.isStar() && name.names.size() == 1);
            if (isWritten && isAll) {
                throw QueryRewrites.refused(
                        item, "* over a join USING columns of a FULL or RIGHT one before it; name the columns");
            }
        }
    }

    /** From the outside in: a join that is written out is USING nothing any more. */
    private static boolean writeAll(SqlJoin join) {
        boolean isWritten = (isOfEither(join.getLeft()) || isOfEither(join.getRight())) && write(join);
        isWritten |= join.getLeft() instanceof SqlJoin left && writeAll(left);
        isWritten |= join.getRight() instanceof SqlJoin right && writeAll(right);
        return isWritten;
    }

    private static boolean write(SqlJoin join) {
        if (!(join.getCondition() instanceof SqlNodeList columns)) {
            return false;
        }
        SqlNode condition = null;
        SqlNode other = null;
        for (SqlNode column : columns) {
            SqlNode left = UsingColumns.columnOf(join.getLeft(), (SqlIdentifier) column);
            SqlNode right = UsingColumns.columnOf(join.getRight(), (SqlIdentifier) column);
            if (left == null || right == null) {
                other = column;
            } else {
                SqlParserPos place = column.getParserPosition();
                SqlNode equal = SqlStdOperatorTable.EQUALS.createCall(place, left, right);
                condition = condition == null ? equal : SqlStdOperatorTable.AND.createCall(place, condition, equal);
            }
        }
        if (condition == null) {
            return false;
        }
        if (other != null) {
            throw QueryRewrites.refused(
                    other, "USING columns of which a FULL or RIGHT join is USING some; write ON, with tables");
        }
        join.setOperand(CONDITION_TYPE, JoinConditionType.ON.symbol(join.getParserPosition()));
        join.setOperand(CONDITION, condition);
        return true;
    }

    /** Whether a side has columns that are those of either of its tables. */
    private static boolean isOfEither(SqlNode side) {
        if (!(side instanceof SqlJoin join)) {
            return false;
        }
        boolean isOuter = join.getJoinType() == JoinType.RIGHT || join.getJoinType() == JoinType.FULL;
        return (isOuter && isOne(join)) || isOfEither(join.getLeft()) || isOfEither(join.getRight());
    }

    private static boolean isOne(SqlJoin join) {
        return join.isNatural() || join.getConditionType() == JoinConditionType.USING;
    }

    /** How many joins make one column of two, or do so by NATURAL. */
    private static int count(@Nullable SqlNode side, boolean ofNatural) {
        if (!(side instanceof SqlJoin join)) {
            return 0;
        }
        boolean isCounted = ofNatural ? join.isNatural() : isOne(join);
        return (isCounted ? 1 : 0) + count(join.getLeft(), ofNatural) + count(join.getRight(), ofNatural);
    }
}
