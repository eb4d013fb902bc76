/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.AbstractRelNode;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelShuttle;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Uncollect;
import org.apache.calcite.rel.logical.LogicalCorrelate;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCorrelVariable;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.sql2rel.RelDecorrelator;
import org.apache.calcite.tools.RelBuilder;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * Queries for each row of another as joins, by Calcite's decorrelator, around what it can not do: it gives up on a
 * whole plan where one array of a row is unnested, loses rows for which an aggregate finds nothing, mistakes columns of
 * joins that both sides of which read the row, and takes what the condition of an outer join compares for not NULL.
 */
final class Decorrelation {

    private final RelBuilder builder;

    private Decorrelation(RelBuilder builder) {
        this.builder = builder;
    }

    static RelNode apply(RelNode plan, RelBuilder builder) {
        Decorrelation decorrelation = new Decorrelation(builder);
        RelNode guarded = OuterConditions.guard(OuterVariables.oneByOne(plan));
        RelNode hidden = guarded.accept(decorrelation.hiding());
        return OuterConditions.reveal(
                RelDecorrelator.decorrelateQuery(hidden, builder).accept(REVEALING));
    }

    /** Below the parents of what it visits, so that an array's own rows are without correlations first. */
    private RelShuttle hiding() {
        return new RelHomogeneousShuttle() {
            @Override
            public RelNode visit(RelNode other) {
                RelNode inside = super.visit(other);
                if (!(inside instanceof Correlate correlate)) {
                    return inside;
                }
                checkRows(correlate.getRight());
                if (isUnnest(correlate.getRight())) {
                    return hidden(correlate);
                }
                RelNode flat = OuterVariables.throughLeft(keepingRows(unnestingOnce(correlate)));
                return RelOptUtil.getVariablesUsed(flat).isEmpty()
                        ? new Hidden(RelDecorrelator.decorrelateQuery(flat, builder))
                        : flat;
            }
        };
    }

    private Hidden hidden(Correlate correlate) {
        RelNode rows = RelDecorrelator.decorrelateQuery(correlate.getLeft(), builder);
        return new Hidden(correlate.copy(correlate.getTraitSet(), List.of(rows, correlate.getRight())));
    }

    /**
     * Where a query reads the items of arrays of the row that it runs for, it may as well read the items of all such
     * arrays, each once, and take those of arrays that equal its own: an equality, which becomes a join.
     */
    private Correlate unnestingOnce(Correlate correlate) {
        if (!RelOptUtil.getVariablesUsed(correlate.getLeft()).isEmpty()) {
            return correlate;
        }
        RelNode right = correlate.getRight().accept(new RelHomogeneousShuttle() {
            @Override
            public RelNode visit(RelNode other) {
                boolean ofRow = other instanceof Uncollect uncollect
                        && uncollect.getInput() instanceof Project
                        && RelOptUtil.getVariablesUsed(uncollect).contains(correlate.getCorrelationId());
                return ofRow ? itemsOfAll(correlate, (Uncollect) other) : super.visit(other);
            }
        });
        return correlate.copy(
                correlate.getTraitSet(),
                correlate.getLeft(),
                right,
                correlate.getCorrelationId(),
                correlate.getRequiredColumns(),
                correlate.getJoinType());
    }

    private RelNode itemsOfAll(Correlate correlate, Uncollect uncollect) {
        Project ofRow = (Project) uncollect.getInput();
        List<RexNode> arrays = ofRow.getProjects();
        OfLeft ofLeft = new OfLeft(correlate, correlate.getLeft());
        RelNode all = builder.push(correlate.getLeft())
                .project(arrays.stream().map(array -> array.accept(ofLeft)).toList())
                .distinct()
                .build();
        CorrelationId row = correlate.getCluster().createCorrel();
        RexNode own = correlate.getCluster().getRexBuilder().makeCorrel(all.getRowType(), row);
        builder.push(ofRow.getInput());
        List<RexNode> its = new ArrayList<>();
        for (int i = 0; i < arrays.size(); i++) {
            its.add(builder.getRexBuilder().makeFieldAccess(own, i));
        }
        RelNode one =
                builder.project(its, ofRow.getRowType().getFieldNames(), true).build();
        RelNode items = uncollect.copy(uncollect.getTraitSet(), List.of(one));
        RelNode unnested = hidden(LogicalCorrelate.create(
                all, items, List.of(), row, ImmutableBitSet.range(arrays.size()), JoinRelType.INNER));
        builder.push(unnested);
        for (int i = 0; i < arrays.size(); i++) {
            builder.filter(builder.equals(builder.field(i), arrays.get(i)));
        }
        return builder.project(
                        builder.fields().subList(arrays.size(), builder.fields().size()))
                .build();
    }

    private static final RelShuttle REVEALING = new RelHomogeneousShuttle() {
        @Override
        public RelNode visit(RelNode other) {
            return other instanceof Hidden hidden ? super.visit(hidden.plan) : super.visit(other);
        }
    };

    /**
     * Refuses what the decorrelator would compute over the rows for all rows around it together: it moves the columns
     * of an aggregate, but not those that the aggregate is ordered by, and adds no partition to a window.
     */
    private static void checkRows(RelNode plan) {
        boolean isOrdered = plan instanceof Aggregate aggregate
                && aggregate.getAggCallList().stream()
                        .anyMatch(call ->
                                !call.getCollation().getFieldCollations().isEmpty());
        boolean hasWindow = plan instanceof Project project && project.containsOver();
        if ((isOrdered || hasWindow) && !RelOptUtil.getVariablesUsed(plan).isEmpty()) {
            throw new IllegalArgumentException((isOrdered ? "an aggregate with an order" : "a window function")
                    + " in a subquery that reads the row around it; "
                    + (isOrdered ? "group" : "partition") + " by what it reads of that, and join");
        }
        plan.getInputs().forEach(Decorrelation::checkRows);
    }

    private static boolean isUnnest(RelNode right) {
        return right instanceof Uncollect || (right instanceof Project project && isUnnest(project.getInput()));
    }

    /**
     * An aggregate of all rows gives one row also of none, which a join to its groups would lose: the outer join keeps
     * it, and what is computed and asked of it comes behind.
     */
    private RelNode keepingRows(Correlate correlate) {
        if (correlate.getJoinType() != JoinRelType.INNER) {
            return correlate;
        }
        RelNode right = correlate.getRight();
        while (right instanceof Project || right instanceof Filter) {
            right = right.getInput(0);
        }
        boolean ofAllRows = right instanceof Aggregate aggregate && aggregate.getGroupCount() == 0;
        return ofAllRows
                ? RelOptUtil.createCastRel(outer(correlate, correlate.getRight()), correlate.getRowType(), true)
                : correlate;
    }

    /** The rows of the left with those of a part of the right. */
    private RelNode outer(Correlate correlate, RelNode right) {
        if (right instanceof Filter filter) {
            RelNode below = outer(correlate, filter.getInput());
            return builder.push(below)
                    .filter(filter.getCondition().accept(new Behind(correlate, below)))
                    .build();
        }
        if (right instanceof Project project) {
            RelNode below = outer(correlate, project.getInput());
            builder.push(below);
            List<RexNode> columns = new ArrayList<>(
                    builder.fields().subList(0, correlate.getLeft().getRowType().getFieldCount()));
            Behind behind = new Behind(correlate, below);
            project.getProjects().forEach(column -> columns.add(column.accept(behind)));
            return builder.project(columns).build();
        }
        return correlate.copy(
                correlate.getTraitSet(),
                correlate.getLeft(),
                right,
                correlate.getCorrelationId(),
                correlate.getRequiredColumns(),
                JoinRelType.LEFT);
    }

    /** Expressions of the right over the rows of both sides. */
    private static final class Behind extends OfLeft {

        private final int left;

        Behind(Correlate correlate, RelNode both) {
            super(correlate, both);
            this.left = correlate.getLeft().getRowType().getFieldCount();
        }

        @Override
        public RexNode visitInputRef(RexInputRef reference) {
            return column(left + reference.getIndex());
        }
    }

    /** What a query says of the row that it runs for, over rows that begin with that row. */
    private static class OfLeft extends RexShuttle {

        private final Correlate correlate;
        private final RelNode rows;

        OfLeft(Correlate correlate, RelNode rows) {
            this.correlate = correlate;
            this.rows = rows;
        }

        final RexNode column(int number) {
            return RexInputRef.of(number, rows.getRowType());
        }

        @Override
        public RexNode visitFieldAccess(RexFieldAccess access) {
            boolean isOfLeft = access.getReferenceExpr() instanceof RexCorrelVariable variable
                    && variable.id.equals(correlate.getCorrelationId());
            return isOfLeft ? column(access.getField().getIndex()) : super.visitFieldAccess(access);
        }
    }

    /** A plan that looks like a table to the decorrelator. */
    private static final class Hidden extends AbstractRelNode {

        private final RelNode plan;

        Hidden(RelNode plan) {
            this(plan.getCluster(), plan);
        }

        private Hidden(RelOptCluster cluster, RelNode plan) {
            super(cluster, plan.getTraitSet());
            this.plan = plan;
        }

        @Override
        protected RelDataType deriveRowType() {
            return plan.getRowType();
        }

        @Override
        public RelWriter explainTerms(RelWriter writer) {
            return super.explainTerms(writer).item("plan", RelOptUtil.toString(plan));
        }
    }
}
