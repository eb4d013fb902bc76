/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlQuantifyOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/**
 * {@code (a, b) IN (query)} wherever more counts than that it is TRUE. The planner takes it for NULL wherever a or b
 * is, though it is FALSE where each row of the query differs in a column that is NULL on neither side, and pairs a row
 * with each of the query that may be equal. Written out it is TRUE where a row is equal, NULL where one with a NULL, or
 * any where a or b is NULL, may be, and FALSE otherwise: only rows with NULLs are compared with all others. {@code NOT
 * IN}, {@code = SOME} and {@code <> ALL} are this by then. Of rows that are compared otherwise, {@code (a, b) < SOME
 * (query)} or {@code = ALL}, which is not {@code <> SOME}, the planner reads the first column alone: they are written
 * out wherever they stand. Of single values it takes {@code <> SOME} for NULL over no rows, and loses some that differ:
 * it is {@code < SOME} or {@code > SOME}, which a least and a greatest value answer.
 */
final class RowsInQueries extends RelHomogeneousShuttle {

    private final RexShuttle inside = new RexShuttle() {
        @Override
        public RexNode visitSubQuery(RexSubQuery query) {
            RexNode inner = super.visitSubQuery(query.clone(query.rel.accept(RowsInQueries.this)));
            return inner instanceof RexSubQuery asked && isDifferent(asked) ? lessOrGreater(asked) : inner;
        }
    };

    private RowsInQueries() {}

    static RelNode write(RelNode plan) {
        return plan.accept(new RowsInQueries());
    }

    static boolean is(RexNode node) {
        return node instanceof RexSubQuery query
                && (query.getKind() == SqlKind.IN || query.getKind() == SqlKind.SOME)
                && query.getOperands().size() > 1;
    }

    /** Whether the planner does what this says where only TRUE counts. */
    private static boolean isPlannedWhere(RexNode node) {
        return is(node) && node.getKind() == SqlKind.IN;
    }

    private static boolean isDifferent(RexSubQuery query) {
        return query.getOperands().size() == 1
                && query.op instanceof SqlQuantifyOperator some
                && some.kind == SqlKind.SOME
                && some.comparisonKind == SqlKind.NOT_EQUALS;
    }

    private static RexNode lessOrGreater(RexSubQuery query) {
        ImmutableList<RexNode> asked = ImmutableList.copyOf(query.getOperands());
        RexBuilder rex = query.rel.getCluster().getRexBuilder();
        return rex.makeCall(
                SqlStdOperatorTable.OR,
                RexSubQuery.some(query.rel, asked, SqlStdOperatorTable.SOME_LT),
                RexSubQuery.some(FreshVariables.copy(query.rel), asked, SqlStdOperatorTable.SOME_GT));
    }

    @Override
    public RelNode visit(RelNode other) {
        RelNode below = super.visit(other).accept(inside);
        if (below instanceof Filter filter) {
            List<RexNode> parts = RelOptUtil.conjunctions(filter.getCondition());
            return parts.stream().anyMatch(part -> !isPlannedWhere(part) && asks(part))
                    ? filtered(filter, parts)
                    : filter;
        }
        return below instanceof Project project
                        && project.getProjects().stream().anyMatch(RowsInQueries::asks)
                ? computed(project)
                : below;
    }

    /** Whether a query is asked for rows, however deep in the expression. */
    static boolean asks(RexNode node) {
        List<RexNode> found = new ArrayList<>();
        node.accept(new RexShuttle() {
            @Override
            public RexNode visitSubQuery(RexSubQuery query) {
                if (is(query)) {
                    found.add(query);
                }
                return super.visitSubQuery(query);
            }
        });
        return !found.isEmpty();
    }

    private static RelNode filtered(Filter filter, List<RexNode> parts) {
        CorrelationId row = filter.getVariablesSet().stream().findFirst().orElseGet(() -> filter.getCluster()
                .createCorrel());
        Writer writer = new Writer(filter.getInput(), row);
        List<RexNode> written = parts.stream()
                .map(part -> isPlannedWhere(part) ? part : writer.writeWhere(part))
                .toList();
        RexNode condition = RexUtil.composeConjunction(filter.getCluster().getRexBuilder(), written);
        return LogicalFilter.create(filter.getInput(), condition, ImmutableSet.of(row));
    }

    private static RelNode computed(Project project) {
        CorrelationId row = project.getVariablesSet().stream().findFirst().orElseGet(() -> project.getCluster()
                .createCorrel());
        WindowsBelow below = new WindowsBelow(project.getInput());
        List<RexNode> columns =
                project.getProjects().stream().map(below::outOfRows).toList();
        Writer writer = new Writer(below.rows(), row);
        return LogicalProject.create(
                below.rows(),
                project.getHints(),
                columns.stream().map(column -> column.accept(writer)).toList(),
                project.getRowType(),
                ImmutableSet.of(row));
    }

    /** What is asked for may be computed over a window, which no query can read: such columns are computed before. */
    private static final class WindowsBelow extends RexShuttle {

        private final RelNode input;
        private final List<RexNode> columns;
        private final List<String> names;

        WindowsBelow(RelNode input) {
            this.input = input;
            this.columns = new ArrayList<>(input.getCluster().getRexBuilder().identityProjects(input.getRowType()));
            this.names = new ArrayList<>(input.getRowType().getFieldNames());
        }

        RexNode outOfRows(RexNode column) {
            return column.accept(new RexShuttle() {
                @Override
                public RexNode visitSubQuery(RexSubQuery query) {
                    return is(query) ? query.accept(WindowsBelow.this) : super.visitSubQuery(query);
                }
            });
        }

        @Override
        public RexNode visitOver(RexOver over) {
            columns.add(over);
            names.add("$over" + columns.size());
            return new RexInputRef(columns.size() - 1, over.getType());
        }

        RelNode rows() {
            return columns.size() == input.getRowType().getFieldCount()
                    ? input
                    : LogicalProject.create(input, List.of(), columns, names, ImmutableSet.of());
        }
    }

    /** Writes expressions over rows, which queries read as a variable. */
    private static final class Writer extends RexShuttle {

        private final RelNode rows;
        private final CorrelationId row;
        private final RexBuilder rex;

        Writer(RelNode rows, CorrelationId row) {
            this.rows = rows;
            this.row = row;
            this.rex = rows.getCluster().getRexBuilder();
        }

        /** A condition for which FALSE and NULL are the same. */
        RexNode writeWhere(RexNode condition) {
            if (condition instanceof RexCall call && (call.getKind() == SqlKind.AND || call.getKind() == SqlKind.OR)) {
                return call.clone(
                        call.getType(),
                        call.getOperands().stream().map(this::writeWhere).toList());
            }
            return is(condition) ? hasEqual((RexSubQuery) condition) : condition.accept(this);
        }

        @Override
        public RexNode visitCall(RexCall call) {
            return call.getKind() == SqlKind.IS_TRUE
                    ? call.clone(
                            call.getType(),
                            List.of(writeWhere(call.getOperands().get(0))))
                    : super.visitCall(call);
        }

        @Override
        public RexNode visitSubQuery(RexSubQuery query) {
            if (!is(query)) {
                return super.visitSubQuery(query);
            }
            List<RexNode> mayBe = new ArrayList<>();
            addMayBe(query, columnsOf(query), mayBe);
            addMayBe(query, asked(query), mayBe);
            if (mayBe.isEmpty()) {
                return hasEqual(query);
            }
            RexNode unknown =
                    rex.makeNullLiteral(rex.getTypeFactory().createTypeWithNullability(query.getType(), true));
            RexNode maybe = rex.makeCall(SqlStdOperatorTable.AND, unknown, RexUtil.composeDisjunction(rex, mayBe));
            // EXISTS would read two rows around it then, of which the decorrelator is asked as little as possible.
            boolean readsAround = !RelOptUtil.getVariablesUsed(query.rel).isEmpty()
                    || query.getOperands().stream().anyMatch(RexUtil::containsCorrelation);
            RexNode equal = readsAround && query.getKind() == SqlKind.IN
                    ? rex.makeCall(SqlStdOperatorTable.IS_TRUE, query)
                    : hasEqual(query);
            return rex.makeCall(SqlStdOperatorTable.OR, equal, maybe);
        }

        private RexNode hasEqual(RexSubQuery query) {
            return exists(query, compared(query));
        }

        /** Whether the query has a row that may be equal, of those where one of these values is NULL. */
        private void addMayBe(RexSubQuery query, List<RexNode> values, List<RexNode> mayBe) {
            List<RexNode> isNull = values.stream()
                    .filter(value -> value.getType().isNullable())
                    .map(value -> rex.makeCall(SqlStdOperatorTable.IS_NULL, value))
                    .toList();
            if (!isNull.isEmpty()) {
                List<RexNode> conditions = new ArrayList<>();
                compared(query).forEach(part -> conditions.add(rex.makeCall(SqlStdOperatorTable.IS_NOT_FALSE, part)));
                conditions.add(RexUtil.composeDisjunction(rex, isNull));
                mayBe.add(exists(query, conditions));
            }
        }

        /** What must all be TRUE of a row of the query that is asked for. */
        private List<RexNode> compared(RexSubQuery query) {
            List<RexNode> asked = asked(query);
            List<RexNode> columns = columnsOf(query);
            if (query.op instanceof SqlQuantifyOperator some && some.comparisonKind != SqlKind.EQUALS) {
                return List.of(compared(some.comparisonKind, asked, columns));
            }
            List<RexNode> compared = new ArrayList<>();
            for (int i = 0; i < columns.size(); i++) {
                compared.add(rex.makeCall(SqlStdOperatorTable.EQUALS, asked.get(i), columns.get(i)));
            }
            return compared;
        }

        /** Rows differ where a column does; their order is that of the first columns that differ. */
        private RexNode compared(SqlKind kind, List<RexNode> asked, List<RexNode> columns) {
            SqlOperator whole = operator(kind);
            SqlOperator first =
                    switch (kind) {
                        case LESS_THAN_OR_EQUAL -> SqlStdOperatorTable.LESS_THAN;
                        case GREATER_THAN_OR_EQUAL -> SqlStdOperatorTable.GREATER_THAN;
                        default -> whole;
                    };
            int last = columns.size() - 1;
            RexNode compared = rex.makeCall(whole, asked.get(last), columns.get(last));
            for (int i = last - 1; i >= 0; i--) {
                RexNode equal = rex.makeCall(SqlStdOperatorTable.EQUALS, asked.get(i), columns.get(i));
                compared = rex.makeCall(
                        SqlStdOperatorTable.OR,
                        rex.makeCall(first, asked.get(i), columns.get(i)),
                        kind == SqlKind.NOT_EQUALS ? compared : rex.makeCall(SqlStdOperatorTable.AND, equal, compared));
            }
            return compared;
        }

        private static SqlOperator operator(SqlKind kind) {
            return switch (kind) {
                case LESS_THAN -> SqlStdOperatorTable.LESS_THAN;
                case LESS_THAN_OR_EQUAL -> SqlStdOperatorTable.LESS_THAN_OR_EQUAL;
                case GREATER_THAN -> SqlStdOperatorTable.GREATER_THAN;
                case GREATER_THAN_OR_EQUAL -> SqlStdOperatorTable.GREATER_THAN_OR_EQUAL;
                case NOT_EQUALS -> SqlStdOperatorTable.NOT_EQUALS;
                default -> throw new IllegalArgumentException("rows compared by " + kind + " with those of a query");
            };
        }

        private List<RexNode> asked(RexSubQuery query) {
            RexNode variable = rex.makeCorrel(rows.getRowType(), row);
            RexShuttle ofVariable = new RexShuttle() {
                @Override
                public RexNode visitInputRef(RexInputRef column) {
                    return rex.makeFieldAccess(variable, column.getIndex());
                }
            };
            return query.getOperands().stream()
                    .map(operand -> operand.accept(ofVariable))
                    .toList();
        }

        private List<RexNode> columnsOf(RexSubQuery query) {
            List<RexNode> columns = new ArrayList<>();
            for (int i = 0; i < query.getOperands().size(); i++) {
                columns.add(RexInputRef.of(i, query.rel.getRowType()));
            }
            return columns;
        }

        private RexNode exists(RexSubQuery query, List<RexNode> conditions) {
            return RexSubQuery.exists(
                    LogicalFilter.create(FreshVariables.copy(query.rel), RexUtil.composeConjunction(rex, conditions)));
        }
    }
}
