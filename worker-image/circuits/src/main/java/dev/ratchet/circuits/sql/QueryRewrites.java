/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.calcite.avatica.util.TimeUnit;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCharStringLiteral;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.fun.SqlCase;
import org.apache.calcite.sql.fun.SqlLibraryOperators;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlShuttle;
import org.jspecify.annotations.Nullable;

/** What the parser reads and the planner does not know, written as what it knows. Places in the text stay. */
final class QueryRewrites extends SqlShuttle {

    private static final Set<SqlKind> PERCENTILES = Set.of(SqlKind.PERCENTILE_CONT, SqlKind.PERCENTILE_DISC);
    private static final Set<SqlKind> DIRECTIONS = Set.of(SqlKind.DESCENDING, SqlKind.NULLS_FIRST, SqlKind.NULLS_LAST);

    private QueryRewrites() {}

    /** A mistake at a place of the text, as the planner would tell it. */
    static CalciteContextException refused(SqlNode place, String message) {
        SqlParserPos at = place.getParserPosition();
        return new CalciteContextException(
                message,
                new IllegalArgumentException(message),
                at.getLineNum(),
                at.getColumnNum(),
                at.getEndLineNum(),
                at.getEndColumnNum());
    }

    static SqlNode apply(SqlNode query) {
        SqlNode rewritten = query.accept(new QueryRewrites());
        return rewritten == null ? query : rewritten;
    }

    @Override
    public @Nullable SqlNode visit(SqlCall call) {
        if (call instanceof SqlSelect select) {
            // Before its parts become subqueries, where the names would stay.
            UsingColumns.resolve(GroupByAll.expand(select));
        }
        SqlNode inside = super.visit(call instanceof SqlOrderBy ordered ? UsingColumns.resolve(ordered) : call);
        if (!(inside instanceof SqlCall rewritten)) {
            return inside;
        }
        if (rewritten.getOperator().equals(SqlLibraryOperators.DATE_PART) && rewritten.operandCount() == 2) {
            return extract(rewritten);
        }
        if (rewritten.getOperator().equals(SqlStdOperatorTable.TRANSLATE)
                || rewritten.getOperator().equals(SqlStdOperatorTable.CONVERT)) {
            throw refused(rewritten, "CONVERT … USING; text has one character set, Unicode, so leave CONVERT out");
        }
        if (rewritten.getOperator().getName().equalsIgnoreCase("CONVERT")) {
            return convert(rewritten);
        }
        return switch (rewritten.getKind()) {
            case IS_DISTINCT_FROM -> rewritten.operand(0).getKind() == SqlKind.ROW ? distinct(rewritten) : rewritten;
            case OVER -> over(rewritten);
            case SELECT -> NamedWindows.resolve((SqlSelect) rewritten);
            case ARRAY_QUERY_CONSTRUCTOR -> ArrayQueries.collect(rewritten);
            case FILTER -> percentile(rewritten);
            case PERCENTILE_CONT ->
                Operators.PERCENTILE_CONT.createCall(rewritten.getParserPosition(), rewritten.getOperandList());
            default -> LiftedColumns.lift(rewritten);
        };
    }

    /** Rows are distinct where a column is; the planner would have each column be. */
    private static SqlNode distinct(SqlCall rows) {
        SqlParserPos place = rows.getParserPosition();
        return SqlStdOperatorTable.NOT.createCall(
                place, SqlStdOperatorTable.IS_NOT_DISTINCT_FROM.createCall(place, rows.getOperandList()));
    }

    /** DATE_PART is EXTRACT, its unit a word or a string. */
    private static SqlNode extract(SqlCall part) {
        SqlNode unit = part.operand(0) instanceof SqlCharStringLiteral literal ? unit(literal) : part.operand(0);
        return SqlStdOperatorTable.EXTRACT.createCall(part.getParserPosition(), unit, part.operand(1));
    }

    /** CONVERT(type, value) is a CAST; a type of one word is read as a column. */
    private static SqlNode convert(SqlCall call) {
        boolean isNamed = call.operandCount() == 2 && call.operand(0) instanceof SqlIdentifier name && name.isSimple();
        SqlNode type = isNamed ? QueryPlanner.typeNamed(call.operand(0)) : null;
        return type == null
                ? call
                : SqlStdOperatorTable.CAST.createCall(call.getParserPosition(), call.operand(1), type);
    }

    private static SqlNode unit(SqlCharStringLiteral literal) {
        String name = TimeCalls.unit(literal.toValue());
        SqlParserPos place = literal.getParserPosition();
        return Arrays.stream(TimeUnit.values())
                .filter(unit -> unit.name().equals(name))
                .findFirst()
                .map(unit -> new SqlIntervalQualifier(unit, null, place))
                .orElseGet(() -> new SqlIntervalQualifier(name, place));
    }

    /** A FILTER of a percentile makes what is put in order NULL, which it passes over, where it is not TRUE. */
    private static SqlNode percentile(SqlCall filter) {
        if (!(filter.operand(0) instanceof SqlCall within)
                || within.getKind() != SqlKind.WITHIN_GROUP
                || !PERCENTILES.contains(within.operand(0).getKind())) {
            return filter;
        }
        SqlNodeList order = within.operand(1);
        SqlNodeList chosen = new SqlNodeList(order.getParserPosition());
        order.forEach(sort -> chosen.add(inKey(sort, value -> chosen(filter.operand(1), value))));
        return SqlStdOperatorTable.WITHIN_GROUP.createCall(filter.getParserPosition(), within.operand(0), chosen);
    }

    /** A key of an order with another value in the same direction. */
    static SqlNode inKey(SqlNode key, UnaryOperator<SqlNode> change) {
        return key instanceof SqlCall call && DIRECTIONS.contains(call.getKind())
                ? call.getOperator().createCall(call.getParserPosition(), inKey(call.operand(0), change))
                : change.apply(key);
    }

    private static SqlNode chosen(SqlNode condition, SqlNode value) {
        SqlParserPos place = value.getParserPosition();
        return new SqlCase(place, null, SqlNodeList.of(condition), SqlNodeList.of(value), SqlLiteral.createNull(place));
    }

    /** A FILTER in a window makes the argument of the aggregate NULL, which it passes over, where it is not TRUE. */
    private static SqlNode over(SqlCall over) {
        if (!(over.operand(0) instanceof SqlCall filter)
                || filter.getKind() != SqlKind.FILTER
                || !(filter.operand(0) instanceof SqlCall aggregate)
                || aggregate.operandCount() == 0
                || aggregate.getOperator().getName().equalsIgnoreCase("ARRAY_AGG")) {
            return over;
        }
        SqlParserPos place = aggregate.getParserPosition();
        SqlNode argument = aggregate.operand(0);
        boolean ofRows = argument instanceof SqlIdentifier name && name.isStar();
        SqlNode counted = ofRows ? SqlLiteral.createExactNumeric("1", place) : argument;
        SqlNode chosen = chosen(filter.operand(1), counted);
        List<SqlNode> operands = new ArrayList<>(aggregate.getOperandList());
        operands.set(0, chosen);
        SqlCall filtered =
                new SqlBasicCall(aggregate.getOperator(), operands, place, aggregate.getFunctionQuantifier());
        return SqlStdOperatorTable.OVER.createCall(over.getParserPosition(), filtered, over.operand(1));
    }
}
