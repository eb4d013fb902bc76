/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlBasicFunction;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;

/**
 * Conditions of outer joins while the decorrelator works: it takes what they compare for not NULL, also on the side
 * that loses no row, and then joins by an equality, which loses the rows that have a NULL there. Each part of such a
 * condition is the argument of a function that is not known to be strict in it.
 */
final class OuterConditions {

    private static final SqlFunction GUARD =
            SqlBasicFunction.create("$GUARD", ReturnTypes.ARG0, OperandTypes.BOOLEAN, SqlFunctionCategory.SYSTEM);

    private OuterConditions() {}

    /** A plan that means the same only to be given to {@link #reveal} later. */
    static RelNode guard(RelNode plan) {
        return plan.accept(new RelHomogeneousShuttle() {
            @Override
            public RelNode visit(RelNode other) {
                RelNode inside = super.visit(other);
                return inside instanceof Join join && join.getJoinType().isOuterJoin()
                        ? withCondition(join, condition -> guarded(join, condition))
                        : inside;
            }
        });
    }

    private static RexNode guarded(Join join, RexNode condition) {
        RexBuilder rex = join.getCluster().getRexBuilder();
        List<RexNode> parts = RelOptUtil.conjunctions(condition).stream()
                .map(part -> rex.makeCall(GUARD, part))
                .toList();
        return RexUtil.composeConjunction(rex, parts);
    }

    private static RelNode withCondition(Join join, UnaryOperator<RexNode> change) {
        return join.copy(
                join.getTraitSet(),
                change.apply(join.getCondition()),
                join.getLeft(),
                join.getRight(),
                join.getJoinType(),
                join.isSemiJoinDone());
    }

    static RelNode reveal(RelNode plan) {
        return plan.accept(new RelHomogeneousShuttle() {
            @Override
            public RelNode visit(RelNode other) {
                return super.visit(other).accept(REVEALING);
            }
        });
    }

    private static final RexShuttle REVEALING = new RexShuttle() {
        @Override
        public RexNode visitCall(RexCall call) {
            return call.getOperator().equals(GUARD) ? call.getOperands().get(0).accept(this) : super.visitCall(call);
        }
    };
}
