/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelShuttle;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.logical.LogicalCorrelate;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCorrelVariable;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * What a subquery reads of rows around it, as columns of its own rows, each by a projection of its own. The
 * decorrelator gets the simple cases right. But where what a filter or projection reads has become a join by then, it
 * takes a column by its place of before, and of two variables where one is known it makes up both anew. And what an
 * inner subquery, or the lesser side of an outer join, reads of the outermost row it takes from the rows that this
 * finds, so that rows for which it finds nothing are lost.
 */
final class OuterVariables {

    private OuterVariables() {}

    /**
     * A plan whose filters and projections over what reads rows around it read them one by one: a filter by one
     * condition after the other, each over a projection that keeps columns in their places.
     */
    static RelNode oneByOne(RelNode plan) {
        return plan.accept(ONE_BY_ONE);
    }

    private static final RelShuttle ONE_BY_ONE = new RelHomogeneousShuttle() {
        @Override
        public RelNode visit(RelNode other) {
            RelNode inside = super.visit(other);
            if (inside instanceof Join join && join.getJoinType().isOuterJoin()) {
                return outerJoin(join);
            }
            if (inside instanceof Join join && join.getJoinType() == JoinRelType.INNER) {
                return innerJoin(join);
            }
            boolean overReader = inside.getInputs().size() == 1
                    && !RelOptUtil.getVariablesUsed(inside.getInput(0)).isEmpty();
            if (overReader && inside instanceof Filter filter && RexUtil.containsCorrelation(filter.getCondition())) {
                return filtered(filter);
            }
            return overReader && inside instanceof Project project ? computed(project) : inside;
        }
    };

    /** What both sides of a join read of the same row around it is the same: the decorrelator reads two of them. */
    private static RelNode innerJoin(Join join) {
        List<RexNode> outer = readsOf(join.getLeft());
        outer.retainAll(readsOf(join.getRight()));
        if (outer.isEmpty()) {
            return join;
        }
        int left = join.getLeft().getRowType().getFieldCount();
        int right = join.getRight().getRowType().getFieldCount();
        RelNode ofLeft = carrying(join.getLeft(), outer);
        RelNode ofRight = carrying(join.getRight(), outer);
        RexBuilder rex = join.getCluster().getRexBuilder();
        List<RexNode> conditions = new ArrayList<>(List.of(RexUtil.shift(join.getCondition(), left, outer.size())));
        for (int i = 0; i < outer.size(); i++) {
            RexNode own = RexInputRef.of(left + i, ofLeft.getRowType());
            RexNode other = RexInputRef.of(right + i, ofRight.getRowType());
            RexNode shifted = RexUtil.shift(other, left + outer.size());
            conditions.add(rex.makeCall(SqlStdOperatorTable.IS_NOT_DISTINCT_FROM, own, shifted));
        }
        RelNode both = LogicalJoin.create(
                ofLeft, ofRight, List.of(), RexUtil.composeConjunction(rex, conditions), Set.of(), JoinRelType.INNER);
        List<RexNode> columns = new ArrayList<>(rex.identityProjects(both.getRowType()));
        columns.subList(left + outer.size() + right, columns.size()).clear();
        columns.subList(left, left + outer.size()).clear();
        return LogicalProject.create(both, List.of(), columns, join.getRowType().getFieldNames(), Set.of());
    }

    /** What a plan reads of rows around it. */
    private static List<RexNode> readsOf(RelNode plan) {
        Set<CorrelationId> free = RelOptUtil.getVariablesUsed(plan);
        List<RexNode> reads = new ArrayList<>();
        rewritten(plan, (variable, access) -> free.contains(variable.id) ? collected(access, reads) : access);
        return reads;
    }

    /** The side of an outer join that loses no row has what the other one reads. */
    private static RelNode outerJoin(Join join) {
        boolean isLeft = join.getJoinType() == JoinRelType.LEFT;
        RelNode other = isLeft ? join.getRight() : join.getLeft();
        List<RexNode> outer = readsOf(other);
        if (join.getJoinType() == JoinRelType.FULL
                && !RelOptUtil.getVariablesUsed(join).isEmpty()) {
            throw new IllegalArgumentException("a FULL JOIN in a subquery, of rows that depend on the row around it;"
                    + " write it as a LEFT JOIN and what that leaves");
        }
        if (outer.isEmpty()) {
            return join;
        }
        int count = join.getLeft().getRowType().getFieldCount();
        RexNode condition = isLeft ? RexUtil.shift(join.getCondition(), count, outer.size()) : join.getCondition();
        RelNode both = LogicalJoin.create(
                isLeft ? carrying(join.getLeft(), outer) : join.getLeft(),
                isLeft ? join.getRight() : carrying(join.getRight(), outer),
                List.of(),
                condition,
                Set.of(),
                join.getJoinType());
        int added = isLeft ? count : join.getRowType().getFieldCount();
        return without(both, added, outer.size(), join.getRowType().getFieldNames());
    }

    private static RelNode filtered(Filter filter) {
        RelNode rows = filter.getInput();
        for (RexNode condition : RelOptUtil.conjunctions(filter.getCondition())) {
            rows = LogicalFilter.create(without(rows, 0, 0, rows.getRowType().getFieldNames()), condition);
        }
        return rows;
    }

    private static RelNode computed(Project project) {
        List<RexNode> outer = new ArrayList<>();
        project.accept(expressions((variable, access) -> collected(access, outer)));
        if (outer.isEmpty()) {
            return project;
        }
        int count = project.getInput().getRowType().getFieldCount();
        RelNode rows = carrying(project.getInput(), outer);
        return project.copy(project.getTraitSet(), List.of(rows))
                .accept(expressions(
                        (variable, access) -> RexInputRef.of(count + outer.indexOf(access), rows.getRowType())));
    }

    /**
     * A plan with the same rows; changed where it is an outer correlation, or computes with the rows of one, whose
     * right reads rows around both sides: those of the left carry it then.
     */
    static RelNode throughLeft(RelNode plan) {
        if (plan instanceof Correlate correlate) {
            return correlate.getJoinType() == JoinRelType.LEFT ? throughLeft(correlate) : plan;
        }
        return plan instanceof Project || plan instanceof Filter
                ? plan.copy(plan.getTraitSet(), List.of(throughLeft(plan.getInput(0))))
                : plan;
    }

    private static RelNode throughLeft(Correlate correlate) {
        CorrelationId own = correlate.getCorrelationId();
        Set<CorrelationId> inside = new HashSet<>(Set.of(own));
        correlate.getRight().accept(new RelHomogeneousShuttle() {
            @Override
            public RelNode visit(RelNode other) {
                if (other instanceof Correlate inner) {
                    inside.add(inner.getCorrelationId());
                }
                return super.visit(other);
            }
        });
        List<RexNode> outer = new ArrayList<>();
        rewritten(
                correlate.getRight(),
                (variable, access) -> inside.contains(variable.id) ? access : collected(access, outer));
        if (outer.isEmpty()) {
            return correlate;
        }
        RelNode left = carrying(correlate.getLeft(), outer);
        int count = correlate.getLeft().getRowType().getFieldCount();
        RexBuilder rex = correlate.getCluster().getRexBuilder();
        RexNode row = rex.makeCorrel(left.getRowType(), own);
        RelNode right = rewritten(correlate.getRight(), (variable, access) -> {
            int place = outer.indexOf(access);
            boolean isOwn = variable.id.equals(own);
            int column = isOwn ? access.getField().getIndex() : count + place;
            return isOwn || place >= 0 ? rex.makeFieldAccess(row, column) : access;
        });
        ImmutableBitSet required =
                correlate.getRequiredColumns().union(ImmutableBitSet.range(count, count + outer.size()));
        RelNode both = LogicalCorrelate.create(left, right, List.of(), own, required, JoinRelType.LEFT);
        return without(both, count, outer.size(), correlate.getRowType().getFieldNames());
    }

    private static RexNode collected(RexNode access, List<RexNode> outer) {
        if (!outer.contains(access)) {
            outer.add(access);
        }
        return access;
    }

    /**
     * Rows with further columns for what is read of rows around them, which are read once: below may be such columns.
     */
    private static RelNode carrying(RelNode input, List<RexNode> outer) {
        RelNode rows = input;
        for (RexNode access : outer) {
            int known = rows instanceof Project project ? columnOf(access, project.getInput()) : -1;
            RelNode below = known < 0 ? rows : rows.getInput(0);
            RexBuilder rex = input.getCluster().getRexBuilder();
            List<RexNode> columns = new ArrayList<>(
                    known < 0 ? rex.identityProjects(rows.getRowType()) : ((Project) rows).getProjects());
            columns.add(known < 0 ? access : RexInputRef.of(known, below.getRowType()));
            List<String> names = new ArrayList<>(rows.getRowType().getFieldNames());
            names.add("$outer" + names.size());
            rows = LogicalProject.create(below, List.of(), columns, names, Set.of());
        }
        return rows;
    }

    /** The column of rows that holds what is read of rows around them; -1 for none. */
    private static int columnOf(RexNode access, RelNode rows) {
        if (rows instanceof Project project) {
            int below = columnOf(access, project.getInput());
            List<RexNode> columns = project.getProjects();
            for (int i = 0; i < columns.size(); i++) {
                boolean isBelow =
                        below >= 0 && columns.get(i) instanceof RexInputRef column && column.getIndex() == below;
                if (isBelow || columns.get(i).equals(access)) {
                    return i;
                }
            }
            return -1;
        }
        return rows instanceof Correlate || rows instanceof Filter ? columnOf(access, rows.getInput(0)) : -1;
    }

    private static RelNode without(RelNode rows, int from, int count, List<String> names) {
        List<RexNode> columns =
                new ArrayList<>(rows.getCluster().getRexBuilder().identityProjects(rows.getRowType()));
        columns.subList(from, from + count).clear();
        return LogicalProject.create(rows, List.of(), columns, names, Set.of());
    }

    private static RelNode rewritten(RelNode plan, BiFunction<RexCorrelVariable, RexFieldAccess, RexNode> change) {
        RexShuttle expressions = expressions(change);
        return plan.accept(new RelHomogeneousShuttle() {
            @Override
            public RelNode visit(RelNode other) {
                return super.visit(other).accept(expressions);
            }
        });
    }

    /** Changes what expressions read of rows around those that they are over. */
    private static RexShuttle expressions(BiFunction<RexCorrelVariable, RexFieldAccess, RexNode> change) {
        return new RexShuttle() {
            @Override
            public RexNode visitFieldAccess(RexFieldAccess access) {
                return access.getReferenceExpr() instanceof RexCorrelVariable variable
                        ? change.apply(variable, access)
                        : super.visitFieldAccess(access);
            }
        };
    }
}
