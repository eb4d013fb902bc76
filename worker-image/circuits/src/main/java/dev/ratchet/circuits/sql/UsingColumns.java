/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.apache.calcite.sql.JoinConditionType;
import org.apache.calcite.sql.JoinType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlStarExclude;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlShuttle;
import org.jspecify.annotations.Nullable;

/**
 * Columns that joins are USING, by their name alone, as what they mean: under WHERE the column of the side that always
 * has it, elsewhere the first that there is. The planner knows such names of two tables under SELECT and GROUP BY; of
 * more it reads the first two, and their case must be that of the table. Subqueries keep their names.
 */
final class UsingColumns extends SqlShuttle {

    private final SqlJoin from;
    private final BiFunction<SqlJoin, SqlIdentifier, @Nullable SqlNode> meaning;

    private UsingColumns(SqlJoin from, BiFunction<SqlJoin, SqlIdentifier, @Nullable SqlNode> meaning) {
        this.from = from;
        this.meaning = meaning;
    }

    static SqlSelect resolve(SqlSelect select) {
        if (!(select.getFrom() instanceof SqlJoin from)) {
            return select;
        }
        SqlNode where = select.getWhere();
        if (where != null) {
            select.setWhere(where.accept(new UsingColumns(from, UsingColumns::columnOf)));
        }
        UsingColumns present = new UsingColumns(from, UsingColumns::firstOf);
        present.resolveAll(select.getSelectList(), true);
        present.resolveAll(select.getGroup(), false);
        present.resolveAll(select.getWindowList(), false);
        SqlNode having = select.getHaving();
        select.setHaving(having == null ? null : having.accept(present));
        SqlNode qualify = select.getQualify();
        select.setQualify(qualify == null ? null : qualify.accept(present));
        UsingConditions.write(from, select.getSelectList());
        return select;
    }

    /** The order of a query by what joins are USING and it does not select; what it selects is ordered by as it is. */
    static SqlOrderBy resolve(SqlOrderBy ordered) {
        if (!(ordered.query instanceof SqlSelect select && select.getFrom() instanceof SqlJoin from)) {
            return ordered;
        }
        UsingColumns hidden = new UsingColumns(
                from, (join, name) -> isSelected(select.getSelectList(), name) ? null : firstOf(join, name));
        SqlNodeList keys = new SqlNodeList(ordered.orderList, ordered.orderList.getParserPosition());
        hidden.resolveAll(keys, false);
        return new SqlOrderBy(ordered.getParserPosition(), select, keys, ordered.offset, ordered.fetch);
    }

    private static boolean isSelected(SqlNodeList items, SqlIdentifier name) {
        return items.stream().anyMatch(item -> {
            SqlNode label = item.getKind() == SqlKind.AS ? ((SqlCall) item).operand(1) : item;
            return label instanceof SqlStarExclude
                    || (label instanceof SqlIdentifier column
                            && (column.isStar() || column.names.getLast().equalsIgnoreCase(name.getSimple())));
        });
    }

    /** @param named whether what is found keeps its name */
    private void resolveAll(@Nullable SqlNodeList items, boolean named) {
        for (int i = 0; items != null && i < items.size(); i++) {
            SqlNode item = items.get(i);
            SqlNode meant = item.accept(this);
            boolean isRenamed = named && meant != null && item instanceof SqlIdentifier && meant != item;
            items.set(i, isRenamed ? SqlStdOperatorTable.AS.createCall(item.getParserPosition(), meant, item) : meant);
        }
    }

    @Override
    public @Nullable SqlNode visit(SqlIdentifier name) {
        SqlNode meant = name.isSimple() ? meaning.apply(from, name) : null;
        return meant == null ? name : meant;
    }

    @Override
    public @Nullable SqlNode visit(SqlCall call) {
        if (call.isA(SqlKind.QUERY) || call instanceof SqlStarExclude) {
            return call;
        }
        if (call.getKind() == SqlKind.AS) {
            List<SqlNode> operands = new ArrayList<>(call.getOperandList());
            operands.set(0, operands.get(0).accept(this));
            return call.getOperator().createCall(call.getParserPosition(), operands);
        }
        return super.visit(call);
    }

    /** The first of all columns that a name means which is not NULL; null where joins are not USING it. */
    private static @Nullable SqlNode firstOf(SqlJoin join, SqlIdentifier name) {
        List<SqlNode> columns = new ArrayList<>();
        if (!addColumns(join, name, columns)) {
            return null;
        }
        // Two say all where no join adds rows of its right side alone, as for two tables.
        List<SqlNode> read = keepsLeft(join) ? columns.subList(0, 2) : columns;
        return SqlStdOperatorTable.COALESCE.createCall(name.getParserPosition(), read);
    }

    private static boolean addColumns(SqlNode side, SqlIdentifier name, List<SqlNode> columns) {
        if (side instanceof SqlJoin join) {
            return isUsing(join, name)
                    && addColumns(join.getLeft(), name, columns)
                    && addColumns(join.getRight(), name, columns);
        }
        SqlNode column = columnOf(side, name);
        return column != null && columns.add(column);
    }

    private static boolean keepsLeft(SqlNode side) {
        return !(side instanceof SqlJoin join)
                || (join.getJoinType() != JoinType.RIGHT
                        && join.getJoinType() != JoinType.FULL
                        && keepsLeft(join.getLeft())
                        && keepsLeft(join.getRight()));
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

    /** The same of one side of a join: of a table that the query names, its column. */
    static @Nullable SqlNode columnOf(SqlNode side, SqlIdentifier name) {
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
