/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import dev.ratchet.circuits.sql.SqlText.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlSyntax;
import org.apache.calcite.sql.SqlUtil;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.sql.validate.SqlNameMatchers;
import org.apache.calcite.util.Util;
import org.jspecify.annotations.Nullable;

/**
 * GROUP BY ALL: by every selected expression that has no aggregate in it. The grammar takes ALL there for the opposite
 * of DISTINCT and wants columns behind it, so the word is made a name before the query is parsed.
 */
final class GroupByAll {

    private static final String NAME = "*";

    /** As long as the word, so that places stay. */
    private static final String MARK = '"' + NAME + '"';

    private static final Set<String> BEHIND = Set.of(
            "HAVING",
            "WINDOW",
            "QUALIFY",
            "ORDER",
            "LIMIT",
            "OFFSET",
            "FETCH",
            "UNION",
            "INTERSECT",
            "EXCEPT",
            "MINUS");

    private GroupByAll() {}

    /** The query with a name in place of each such ALL. */
    static String mark(String query) {
        List<Token> tokens = new SqlText(query).tokens();
        StringBuilder marked = new StringBuilder(query);
        for (int i = 2; i + 1 < tokens.size(); i++) {
            Token next = tokens.get(i + 1);
            boolean ends = next.kind() == SqlText.Kind.END
                    || next.isSymbol(")")
                    || BEHIND.stream().anyMatch(next::isWord);
            Token all = tokens.get(i);
            if (ends
                    && all.isWord("ALL")
                    && tokens.get(i - 1).isWord("BY")
                    && tokens.get(i - 2).isWord("GROUP")) {
                marked.replace(all.start(), all.end(), MARK);
            }
        }
        return marked.toString();
    }

    /** The query with the expressions in place of the name. */
    static SqlSelect expand(SqlSelect select) {
        SqlNodeList groups = select.getGroup();
        boolean ofAll = groups != null
                && groups.size() == 1
                && groups.get(0) instanceof SqlIdentifier name
                && name.isSimple()
                && name.getSimple().equals(NAME);
        if (groups == null || !ofAll) {
            return select;
        }
        List<SqlNode> keys = new ArrayList<>();
        for (SqlNode item : select.getSelectList()) {
            SqlNode value = SqlUtil.stripAs(item);
            if (value instanceof SqlIdentifier name && name.isStar()) {
                throw QueryRewrites.refused(value, "GROUP BY ALL beside *; name the columns");
            }
            if (!(value instanceof SqlLiteral) && !holdsAggregate(value)) {
                keys.add(value);
            }
        }
        select.setGroupBy(new SqlNodeList(keys, groups.getParserPosition()));
        return select;
    }

    /** Whether there is an aggregate or a window outside of subqueries. */
    private static boolean holdsAggregate(SqlNode node) {
        try {
            node.accept(new SqlBasicVisitor<@Nullable Void>() {
                @Override
                public @Nullable Void visit(SqlCall call) {
                    if (call.getKind().belongsTo(SqlKind.QUERY)) {
                        return null;
                    }
                    if (call.getKind() == SqlKind.OVER || isAggregate(call.getOperator())) {
                        throw Util.FoundOne.NULL;
                    }
                    return super.visit(call);
                }
            });
            return false;
        } catch (Util.FoundOne found) {
            return true;
        }
    }

    private static boolean isAggregate(SqlOperator operator) {
        SqlIdentifier name = operator.getNameAsId();
        List<SqlOperator> known = new ArrayList<>();
        Operators.TABLE.lookupOperatorOverloads(
                name,
                SqlFunctionCategory.USER_DEFINED_FUNCTION,
                SqlSyntax.FUNCTION,
                known,
                SqlNameMatchers.withCaseSensitive(false));
        return operator.isAggregator() || known.stream().anyMatch(SqlOperator::isAggregator);
    }
}
