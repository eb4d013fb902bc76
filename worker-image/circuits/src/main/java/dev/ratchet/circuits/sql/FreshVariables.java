/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import com.google.common.collect.ImmutableSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexCorrelVariable;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;

/** A copy of a query whose own variables have new names: the decorrelator knows rows by the name of their variable. */
final class FreshVariables extends RelHomogeneousShuttle {

    /** By the old name; those that the query reads of rows around it are none of its own and have none. */
    private final Map<CorrelationId, CorrelationId> names = new HashMap<>();

    private final RexShuttle expressions = new RexShuttle() {
        @Override
        public RexNode visitCorrelVariable(RexCorrelVariable variable) {
            CorrelationId name = names.get(variable.id);
            return name == null ? variable : rename(variable, name);
        }

        @Override
        public RexNode visitSubQuery(RexSubQuery query) {
            return super.visitSubQuery(query.clone(query.rel.accept(FreshVariables.this)));
        }
    };

    private final RelNode query;

    private FreshVariables(RelNode query) {
        this.query = query;
    }

    static RelNode copy(RelNode query) {
        return query.accept(new FreshVariables(query));
    }

    private RexNode rename(RexCorrelVariable variable, CorrelationId name) {
        return query.getCluster().getRexBuilder().makeCorrel(variable.getType(), name);
    }

    private Set<CorrelationId> renamed(Set<CorrelationId> variables) {
        return variables.stream().map(names::get).collect(Collectors.toSet());
    }

    @Override
    public RelNode visit(RelNode other) {
        other.getVariablesSet()
                .forEach(variable -> names.put(variable, query.getCluster().createCorrel()));
        RelNode inside = super.visit(other).accept(expressions);
        if (other.getVariablesSet().isEmpty()) {
            return inside;
        }
        Set<CorrelationId> variables = renamed(other.getVariablesSet());
        return switch (inside) {
            case Filter filter ->
                LogicalFilter.create(filter.getInput(), filter.getCondition(), ImmutableSet.copyOf(variables));
            case Project project ->
                LogicalProject.create(
                        project.getInput(), project.getHints(), project.getProjects(), project.getRowType(), variables);
            case Join join ->
                LogicalJoin.create(
                        join.getLeft(),
                        join.getRight(),
                        join.getHints(),
                        join.getCondition(),
                        variables,
                        join.getJoinType());
            case Correlate correlate ->
                correlate.copy(
                        correlate.getTraitSet(),
                        correlate.getLeft(),
                        correlate.getRight(),
                        variables.iterator().next(),
                        correlate.getRequiredColumns(),
                        correlate.getJoinType());
            default -> throw new IllegalStateException("No copy of " + inside.getRelTypeName());
        };
    }
}
