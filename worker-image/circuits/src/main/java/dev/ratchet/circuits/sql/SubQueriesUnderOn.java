/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.RelFactories;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.tools.RelBuilder;

/**
 * Subqueries under ON of inner joins, as conditions of the rows that the rest of ON joins; those of outer joins, as
 * columns of their sides. The planner's rule joins the second subquery of a condition to the right side of the join,
 * which need not have what that reads.
 */
final class SubQueriesUnderOn extends RelHomogeneousShuttle {

    private final RelBuilder builder;

    private final RexShuttle inside = new RexShuttle() {
        @Override
        public RexNode visitSubQuery(RexSubQuery query) {
            return super.visitSubQuery(query.clone(query.rel.accept(SubQueriesUnderOn.this)));
        }
    };

    private SubQueriesUnderOn(RelBuilder builder) {
        this.builder = builder;
    }

    static RelNode moveUp(RelNode plan) {
        return plan.accept(new SubQueriesUnderOn(RelFactories.LOGICAL_BUILDER
                .create(plan.getCluster(), null)
                .transform(config -> config.withSimplify(false))));
    }

    @Override
    public RelNode visit(RelNode other) {
        RelNode moved = super.visit(other).accept(inside);
        if (!(moved instanceof Join join)) {
            return moved;
        }
        return join.getJoinType() == JoinRelType.INNER ? moveUp(join) : OuterJoinQueries.asColumns(join);
    }

    private RelNode moveUp(Join join) {
        List<RexNode> plain = new ArrayList<>();
        List<RexNode> asking = new ArrayList<>();
        for (RexNode condition : RelOptUtil.conjunctions(join.getCondition())) {
            (RexUtil.SubQueryFinder.find(condition) == null ? plain : asking).add(condition);
        }
        if (asking.isEmpty()) {
            return join;
        }
        RelNode rows = LogicalJoin.create(
                join.getLeft(),
                join.getRight(),
                join.getHints(),
                RexUtil.composeConjunction(builder.getRexBuilder(), plain),
                Set.of(),
                JoinRelType.INNER);
        return builder.push(rows).filter(join.getVariablesSet(), asking).build();
    }
}
