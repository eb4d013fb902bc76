/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import java.util.List;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.plan.hep.HepMatchOrder;
import org.apache.calcite.plan.hep.HepPlanner;
import org.apache.calcite.plan.hep.HepProgram;
import org.apache.calcite.plan.hep.HepProgramBuilder;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.RelFactories;
import org.apache.calcite.rel.rules.CoreRules;
import org.apache.calcite.tools.RelBuilder;

/**
 * The rewriting of a plan before it becomes operators: subqueries to joins, conditions towards the tables, what has no
 * operator into what has one. Expressions are not folded: the only code that computes is the one that rows run through.
 */
final class PlanRules {

    private static final List<RelOptRule> SUB_QUERIES = List.of(
            CoreRules.FILTER_SUB_QUERY_TO_CORRELATE,
            CoreRules.PROJECT_SUB_QUERY_TO_CORRELATE,
            CoreRules.JOIN_SUB_QUERY_TO_CORRELATE);

    private static final List<RelOptRule> EXPANSIONS =
            List.of(CoreRules.AGGREGATE_GROUPING_SETS_TO_UNION, CoreRules.PROJECT_TO_LOGICAL_PROJECT_AND_WINDOW);

    private static final List<RelOptRule> PUSH_DOWN = List.of(
            CoreRules.FILTER_INTO_JOIN,
            CoreRules.JOIN_CONDITION_PUSH,
            CoreRules.FILTER_PROJECT_TRANSPOSE,
            CoreRules.FILTER_AGGREGATE_TRANSPOSE,
            CoreRules.FILTER_SET_OP_TRANSPOSE,
            CoreRules.FILTER_MERGE,
            CoreRules.JOIN_PUSH_EXPRESSIONS,
            CoreRules.PROJECT_MERGE,
            CoreRules.PROJECT_REMOVE,
            CoreRules.UNION_MERGE);

    private PlanRules() {}

    static RelNode optimise(RelNode plan) {
        RelNode joined = run(RowsInQueries.write(SubQueriesUnderOn.moveUp(plan)), SUB_QUERIES);
        RelBuilder builder = RelFactories.LOGICAL_BUILDER
                .create(plan.getCluster(), null)
                .transform(config -> config.withSimplify(false));
        RelNode flat = Decorrelation.apply(joined, builder);
        // Calcite takes no columns away below an expanded window, so that it must be done before, and may not merge
        // the projection that does it with that of the window.
        RelNode narrow = new FieldTrimmer(builder.transform(config -> config.withBloat(-1))).trim(run(flat, PUSH_DOWN));
        RelNode expanded = run(narrow, EXPANSIONS);
        RelNode trimmed = new FieldTrimmer(builder).trim(run(expanded, PUSH_DOWN));
        RelNode pushed = run(trimmed, PUSH_DOWN);
        return RelOptUtil.propagateRelHints(pushed, false);
    }

    private static RelNode run(RelNode plan, List<RelOptRule> rules) {
        HepProgramBuilder program = HepProgram.builder().addMatchOrder(HepMatchOrder.TOP_DOWN);
        program.addRuleCollection(rules);
        HepPlanner planner = new HepPlanner(program.build());
        planner.setExecutor(plan.getCluster().getPlanner().getExecutor());
        planner.setRoot(plan);
        return planner.findBestExp();
    }
}
