/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import dev.ratchet.circuits.builder.Stream;
import dev.ratchet.circuits.expression.Expression;
import dev.ratchet.circuits.expression.Expression.Column;
import dev.ratchet.circuits.operator.AggregateCall;
import dev.ratchet.circuits.operator.AggregateKind;
import dev.ratchet.circuits.operator.SortColumn;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.TypeKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.apache.calcite.rel.RelCollation;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.sql.SqlKind;
import org.jspecify.annotations.Nullable;

/** Groups and their aggregates. */
final class AggregateTranslator {

    private static final Set<String> GROUPING = Set.of("GROUPING", "GROUPING_ID", "GROUP_ID");

    private final PlanTranslator plans;
    private final RexTranslator expressions;

    AggregateTranslator(PlanTranslator plans, RexTranslator expressions) {
        this.plans = plans;
        this.expressions = expressions;
    }

    Stream translate(Aggregate aggregate) {
        Stream input = plans.translate(aggregate.getInput());
        List<Integer> group = aggregate.getGroupSet().asList();
        if (aggregate.getGroupType() != Aggregate.Group.SIMPLE) {
            throw new UnsupportedSqlException("GROUPING SETS", "Grouping sets here; write a UNION ALL of groups");
        }
        List<AggregateCall> calls = new ArrayList<>();
        List<@Nullable Expression> literals = new ArrayList<>();
        for (org.apache.calcite.rel.core.AggregateCall call : aggregate.getAggCallList()) {
            if (call.getAggregation().getKind() == SqlKind.LITERAL_AGG) {
                literals.add(expressions.translate(call.rexList.get(0)));
            } else if (GROUPING.contains(call.getAggregation().getName())) {
                // Of the only grouping set there is here.
                literals.add(new Expression.Literal(RexTranslator.type(call.getType()), 0L));
            } else {
                literals.add(null);
                calls.add(call(call, aggregate.getInput()));
            }
        }
        if (calls.isEmpty() && group.isEmpty()) {
            calls.add(AggregateCall.countRows(ColumnType.of(TypeKind.BIGINT).orNull()));
        }
        Stream groups = calls.isEmpty() ? input.project(group).distinct() : input.aggregate(group, calls);
        return groups.columns().size() == group.size() + literals.size()
                        && !literals.stream().anyMatch(Objects::nonNull)
                ? groups
                : withLiterals(groups, group.size(), literals);
    }

    /** The columns of the groups and aggregates, with the constants between them that rewriting has put there. */
    private Stream withLiterals(Stream groups, int groupColumns, List<@Nullable Expression> literals) {
        List<Expression> columns = new ArrayList<>();
        for (int i = 0; i < groupColumns; i++) {
            columns.add(new Column(i, groups.columns().get(i)));
        }
        int next = groupColumns;
        for (Expression literal : literals) {
            if (literal == null) {
                columns.add(new Column(next, groups.columns().get(next)));
                next++;
            } else {
                columns.add(literal);
            }
        }
        return plans.map(groups, columns, columns.stream().map(Expression::type).toList());
    }

    private static AggregateCall call(org.apache.calcite.rel.core.AggregateCall call, RelNode input) {
        String name = call.getAggregation().getName().toUpperCase(Locale.ROOT);
        List<Integer> arguments = call.getArgList();
        AggregateKind kind = kind(call.getAggregation().getName());
        if (arguments.size() > 1 && kind != AggregateKind.LISTAGG) {
            throw new UnsupportedSqlException(
                    call.getAggregation().getName(), name + " of several columns; make a ROW of them");
        }
        boolean isOfRows = arguments.isEmpty() || name.equals("COUNTIF");
        int filter = name.equals("COUNTIF")
                ? arguments.get(0)
                : call.filterArg < 0 ? AggregateCall.NO_COLUMN : call.filterArg;
        if (name.equals("COUNTIF") && call.filterArg >= 0) {
            throw new UnsupportedSqlException("COUNTIF", "COUNTIF with FILTER; put both into one condition");
        }
        return new AggregateCall(
                kind,
                isOfRows ? AggregateCall.NO_COLUMN : arguments.get(0),
                call.isDistinct(),
                filter,
                order(call.getCollation()),
                kind == AggregateKind.LISTAGG ? separator(arguments, input) : "",
                RexTranslator.type(call.getType()));
    }

    /** The aggregate that SQL calls so. */
    static AggregateKind kind(String function) {
        String name = function.toUpperCase(Locale.ROOT);
        return switch (name) {
            case "COUNT", "COUNTIF" -> AggregateKind.COUNT;
            case "SUM", "$SUM0" -> AggregateKind.SUM;
            case "AVG" -> AggregateKind.AVG;
            case "MIN", "ANY_VALUE" -> AggregateKind.MIN;
            case "MAX" -> AggregateKind.MAX;
            case "VAR_POP" -> AggregateKind.VAR_POP;
            case "VAR_SAMP", "VARIANCE" -> AggregateKind.VAR_SAMP;
            case "STDDEV_POP" -> AggregateKind.STDDEV_POP;
            case "STDDEV_SAMP", "STDDEV" -> AggregateKind.STDDEV_SAMP;
            case "EVERY", "BOOL_AND", "LOGICAL_AND" -> AggregateKind.EVERY;
            case "SOME", "BOOL_OR", "LOGICAL_OR" -> AggregateKind.SOME;
            case "SINGLE_VALUE" -> AggregateKind.SINGLE_VALUE;
            case "ARRAY_AGG" -> AggregateKind.ARRAY_AGG;
            case "LISTAGG", "STRING_AGG" -> AggregateKind.LISTAGG;
            default ->
                throw new UnsupportedSqlException(
                        function, name + " is not among the aggregates here; docs/sql.md lists them");
        };
    }

    static List<SortColumn> order(RelCollation collation) {
        return collation.getFieldCollations().stream()
                .map(AggregateTranslator::order)
                .toList();
    }

    private static SortColumn order(RelFieldCollation field) {
        boolean descending = field.getDirection().isDescending();
        boolean nullsFirst =
                switch (field.nullDirection) {
                    case FIRST -> true;
                    case LAST -> false;
                    default -> descending;
                };
        return new SortColumn(field.getFieldIndex(), descending, nullsFirst);
    }

    private static String separator(List<Integer> arguments, RelNode input) {
        if (arguments.size() < 2) {
            return "";
        }
        if (input instanceof Project project
                && project.getProjects().get(arguments.get(1)) instanceof RexLiteral literal) {
            String text = RexLiteral.stringValue(literal);
            return text == null ? "" : text;
        }
        throw new UnsupportedSqlException("LISTAGG", "LISTAGG needs a constant separator");
    }
}
