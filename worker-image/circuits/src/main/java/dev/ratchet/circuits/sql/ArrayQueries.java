/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlUtil;
import org.apache.calcite.sql.fun.SqlLibraryOperators;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.util.Litmus;

/**
 * ARRAY(query): what ARRAY_AGG makes of the rows of the query, in its order, and an array without items where there is
 * no row. The planner has a node of its own for it, which no rule joins to the rows around it.
 */
final class ArrayQueries {

    private final SqlParserPos place;
    private final SqlSelect select;
    private final SqlNode item;

    /** The item and, behind it, what else the query is ordered by. */
    private final SqlNodeList columns;

    private ArrayQueries(SqlParserPos place, SqlSelect select) {
        this.place = place;
        this.select = select;
        this.item = select.getSelectList().get(0);
        this.columns = new SqlNodeList(List.of(SqlUtil.stripAs(item)), place);
    }

    static SqlNode collect(SqlCall array) {
        SqlParserPos place = array.getParserPosition();
        SqlNode query = array.operand(0);
        SqlNode rows = query instanceof SqlOrderBy ordered ? ordered.query : query;
        if (rows instanceof SqlSelect select && select.getSelectList().size() == 1 && !isStar(select)) {
            ArrayQueries queries = new ArrayQueries(place, select);
            return query instanceof SqlOrderBy ordered ? queries.ordered(ordered) : queries.of(select, List.of());
        }
        throw QueryRewrites.refused(
                array, "ARRAY(query) needs a SELECT of one column; put anything else into a subquery in its FROM");
    }

    private static boolean isStar(SqlSelect select) {
        return select.getSelectList().get(0) instanceof SqlIdentifier name && name.isStar();
    }

    private SqlNode ordered(SqlOrderBy ordered) {
        List<SqlNode> order = new ArrayList<>();
        SqlNodeList inside = new SqlNodeList(ordered.orderList.getParserPosition());
        for (SqlNode key : ordered.orderList) {
            order.add(outside(key));
            inside.add(QueryRewrites.inKey(key, this::meant));
        }
        boolean isCut = ordered.fetch != null || ordered.offset != null;
        return of(isCut ? new SqlOrderBy(place, select, inside, ordered.offset, ordered.fetch) : select, order);
    }

    /** A key of the order by the name that it has outside of the query. */
    private SqlNode outside(SqlNode key) {
        return QueryRewrites.inKey(key, value -> {
            SqlNode meant = meant(value);
            int known = 0;
            while (known < columns.size() && !columns.get(known).equalsDeep(meant, Litmus.IGNORE)) {
                known++;
            }
            if (known == columns.size()) {
                if (select.isDistinct()) {
                    throw QueryRewrites.refused(key, "ARRAY(SELECT DISTINCT …) is ordered by what it selects");
                }
                columns.add(meant);
            }
            return name(known);
        });
    }

    /** What a key means: the item, by its number or its name, or the key itself. */
    private SqlNode meant(SqlNode key) {
        boolean isItem = (key instanceof SqlNumericLiteral number && number.intValue(true) == 1)
                || (key instanceof SqlIdentifier name
                        && name.isSimple()
                        && item.getKind() == SqlKind.AS
                        && ((SqlCall) item).operand(1) instanceof SqlIdentifier alias
                        && alias.getSimple().equalsIgnoreCase(name.getSimple()));
        return isItem ? columns.get(0) : key;
    }

    private SqlIdentifier name(int column) {
        return new SqlIdentifier("item" + column, place);
    }

    private SqlNode of(SqlNode rows, List<SqlNode> order) {
        select.setSelectList(columns);
        List<SqlNode> renamed = new ArrayList<>(List.of(rows, new SqlIdentifier("items", place)));
        for (int i = 0; i < columns.size(); i++) {
            renamed.add(name(i));
        }
        SqlNode collected = order.isEmpty()
                ? SqlLibraryOperators.ARRAY_AGG.createCall(place, name(0))
                : SqlLibraryOperators.ARRAY_AGG.createCall(place, name(0), new SqlNodeList(order, place));
        SqlSelect all = new SqlSelect(
                place,
                null,
                new SqlNodeList(List.of(collected), place),
                SqlStdOperatorTable.AS.createCall(place, renamed),
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null);
        return Operators.ITEMS.createCall(place, all);
    }
}
