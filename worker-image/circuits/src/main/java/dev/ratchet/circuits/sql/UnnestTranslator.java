/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import dev.ratchet.circuits.expression.Expression;
import dev.ratchet.circuits.instruction.WrittenStream;
import dev.ratchet.circuits.type.ColumnType;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Uncollect;
import org.apache.calcite.rex.RexCorrelVariable;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;

/** UNNEST of arrays and maps: one row for each item, with the row that the array comes from or alone. */
final class UnnestTranslator {

    private final PlanTranslator plans;
    private final RexTranslator expressions;

    UnnestTranslator(PlanTranslator plans, RexTranslator expressions) {
        this.plans = plans;
        this.expressions = expressions;
    }

    /** Rows with the items of their own arrays. */
    WrittenStream translate(Correlate correlate) {
        RelNode right = correlate.getRight();
        List<RexNode> above = List.of();
        if (right instanceof Project project && project.getInput() instanceof Uncollect) {
            above = project.getProjects();
            right = project.getInput();
        }
        boolean known = right instanceof Uncollect
                && above.stream().allMatch(RexInputRef.class::isInstance)
                && (correlate.getJoinType() == JoinRelType.INNER || correlate.getJoinType() == JoinRelType.LEFT);
        if (!known || !(right instanceof Uncollect uncollect) || !(uncollect.getInput() instanceof Project arrays)) {
            throw new UnsupportedSqlException(
                    "", "A subquery that reads columns from outside where no join can say the same; write a join");
        }
        WrittenStream left = plans.translate(correlate.getLeft());
        List<Expression> collections = new ArrayList<>();
        for (RexNode array : arrays.getProjects()) {
            collections.add(expressions.translate(array.accept(new RexShuttle() {
                @Override
                public RexNode visitFieldAccess(RexFieldAccess access) {
                    return access.getReferenceExpr() instanceof RexCorrelVariable
                            ? correlate
                                    .getCluster()
                                    .getRexBuilder()
                                    .makeInputRef(
                                            access.getType(), access.getField().getIndex())
                            : super.visitFieldAccess(access);
                }
            })));
        }
        boolean keepsEmpty = correlate.getJoinType() == JoinRelType.LEFT;
        int own = left.columns().size();
        WrittenStream all = unnest(left, own, collections, uncollect, keepsEmpty);
        if (above.isEmpty()) {
            return all;
        }
        List<Integer> kept = new ArrayList<>();
        for (int i = 0; i < own; i++) {
            kept.add(i);
        }
        above.forEach(node -> kept.add(own + ((RexInputRef) node).getIndex()));
        return all.project(kept);
    }

    /** The items of arrays alone. */
    WrittenStream translate(Uncollect uncollect) {
        WrittenStream input = plans.translate(uncollect.getInput());
        return unnest(input, 0, PlanTranslator.columns(input), uncollect, false);
    }

    private WrittenStream unnest(
            WrittenStream input, int kept, List<Expression> collections, Uncollect uncollect, boolean keepsEmpty) {
        List<Expression> columns = new ArrayList<>(PlanTranslator.columns(input).subList(0, kept));
        columns.addAll(collections);
        List<ColumnType> types = columns.stream().map(Expression::type).toList();
        List<ColumnType> result = new ArrayList<>(types.subList(0, kept));
        result.addAll(PlanTranslator.types(uncollect.getRowType()));
        return input.map(columns, types).unnest(kept, result, uncollect.withOrdinality, keepsEmpty);
    }
}
