/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import dev.ratchet.circuits.expression.Expression;
import dev.ratchet.circuits.expression.Expression.Column;
import dev.ratchet.circuits.instruction.WrittenStream;
import dev.ratchet.circuits.operator.AggregateCall;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.TypeKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
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

    WrittenStream translate(Aggregate aggregate) {
        WrittenStream input = plans.translate(aggregate.getInput());
        List<Integer> group = aggregate.getGroupSet().asList();
        if (aggregate.getGroupType() != Aggregate.Group.SIMPLE) {
            throw new UnsupportedSqlException("GROUPING SETS", "Grouping sets here; write a UNION ALL of groups");
        }
        AggregateCalls calls =
                new AggregateCalls(PlanTranslator.columns(input), column -> definition(aggregate.getInput(), column));
        List<AggregateCall> computed = new ArrayList<>();
        List<AggregateCalls.Call> written = new ArrayList<>();
        List<Expression> results = new ArrayList<>();
        for (org.apache.calcite.rel.core.AggregateCall call : aggregate.getAggCallList()) {
            if (call.getAggregation().getKind() == SqlKind.LITERAL_AGG) {
                results.add(expressions.translate(call.rexList.get(0)));
            } else if (GROUPING.contains(call.getAggregation().getName())) {
                // Of the only grouping set there is here.
                results.add(new Expression.Literal(RexTranslator.type(call.getType()), 0L));
            } else {
                AggregateCalls.Call given = given(call);
                AggregateCall translated = calls.translate(given);
                Expression result = new Column(group.size() + computed.size(), translated.result());
                results.add(AggregateCalls.finish(given, result));
                computed.add(translated);
                written.add(given);
            }
        }
        if (computed.isEmpty() && group.isEmpty()) {
            computed.add(AggregateCall.countRows(ColumnType.of(TypeKind.BIGINT).orNull()));
        }
        WrittenStream rows = calls.isComputing() ? plans.map(input, calls.columns()) : input;
        WrittenStream groups = computed.isEmpty()
                ? input.project(group).distinct()
                : plans.of(AggregateCalls.Call.places(written), () -> rows.aggregate(group, computed));
        return finished(groups, group.size(), results);
    }

    /** What a column of a plan is computed as, null where that is not seen. */
    private static @Nullable RexNode definition(RelNode plan, int column) {
        if (!(plan instanceof Project project)) {
            return null;
        }
        RexNode node = JsonCalls.given(project.getProjects().get(column));
        return node instanceof RexInputRef reference ? definition(project.getInput(), reference.getIndex()) : node;
    }

    private static AggregateCalls.Call given(org.apache.calcite.rel.core.AggregateCall call) {
        return new AggregateCalls.Call(
                call.getAggregation(),
                call.getArgList(),
                call.isDistinct(),
                call.filterArg < 0 ? AggregateCall.NO_COLUMN : call.filterArg,
                call.getCollation(),
                call.getType(),
                call.getParserPosition());
    }

    /**
     * The columns of the groups and what becomes of the aggregates, with the constants that rewriting has put there.
     */
    private WrittenStream finished(WrittenStream groups, int groupColumns, List<Expression> results) {
        List<Expression> columns = PlanTranslator.columns(groups);
        List<Expression> wanted = new ArrayList<>(columns.subList(0, groupColumns));
        wanted.addAll(results);
        return wanted.equals(columns) ? groups : plans.map(groups, wanted);
    }
}
