/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCorrelVariable;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/**
 * Subqueries under ON of an outer join, each as a column of the side whose rows it reads, so that the join compares
 * columns alone. The planner's rule has no rows for what the second of two such reads.
 */
final class OuterJoinQueries {

    private final Join join;
    private final RexBuilder rex;
    private final Side left;
    private final Side right;

    private OuterJoinQueries(Join join) {
        this.join = join;
        this.rex = join.getCluster().getRexBuilder();
        this.left = new Side(join.getLeft(), 0);
        this.right = new Side(join.getRight(), left.count);
    }

    /** A join that asks no query which reads its rows, nor one of rows. */
    static RelNode asColumns(Join join) {
        boolean isPlain = join.getVariablesSet().isEmpty() && !RowsInQueries.asks(join.getCondition());
        return isPlain ? join : new OuterJoinQueries(join).rewrite();
    }

    private RelNode rewrite() {
        List<RexNode> conditions = RelOptUtil.conjunctions(join.getCondition()).stream()
                .map(this::ofColumns)
                .toList();
        RexNode condition = RexUtil.composeConjunction(rex, conditions).accept(new RexShuttle() {
            @Override
            public RexNode visitInputRef(RexInputRef column) {
                return new RexInputRef(placeOf(column.getIndex()), column.getType());
            }
        });
        RelNode both =
                LogicalJoin.create(left.rows(), right.rows(), join.getHints(), condition, Set.of(), join.getJoinType());
        List<RexNode> columns = new ArrayList<>(rex.identityProjects(both.getRowType()));
        columns.subList(placeOf(left.count + right.count - 1) + 1, columns.size())
                .clear();
        columns.subList(left.count, left.count + left.added.size()).clear();
        return LogicalProject.create(both, List.of(), columns, join.getRowType(), Set.of());
    }

    /** A condition over the columns of the join and, behind them, in turn those that are added to either side. */
    private RexNode ofColumns(RexNode part) {
        if (RexUtil.SubQueryFinder.find(part) == null) {
            return part;
        }
        for (Side side : List.of(left, right)) {
            if (side.hasAllOf(part)) {
                // Where it is NULL the join finds no pair, as where it is FALSE.
                return side.add(rex.makeCall(SqlStdOperatorTable.IS_TRUE, part));
            }
        }
        return part.accept(new RexShuttle() {
            @Override
            public RexNode visitSubQuery(RexSubQuery query) {
                for (Side side : List.of(left, right)) {
                    if (side.hasAllOf(query)) {
                        return side.add(query);
                    }
                }
                throw new IllegalArgumentException("a subquery under ON of an outer join that reads both of its sides;"
                        + " ask it under WHERE of their inner join, and join that instead");
            }
        });
    }

    private int placeOf(int column) {
        int beyond = column - left.count - right.count;
        return column < left.count
                ? column
                : beyond < 0
                        ? column + left.added.size()
                        : beyond % 2 == 0
                                ? left.count + beyond / 2
                                : left.count + left.added.size() + right.count + beyond / 2;
    }

    /** One input of the join, with the columns that are added to it. */
    private final class Side {

        private final RelNode input;
        private final int from;
        private final int count;
        private final CorrelationId row;
        private final List<RexNode> added = new ArrayList<>();

        Side(RelNode input, int from) {
            this.input = input;
            this.from = from;
            this.count = input.getRowType().getFieldCount();
            this.row = join.getCluster().createCorrel();
        }

        boolean hasAllOf(RexNode node) {
            boolean[] hasAll = {true};
            node.accept(new OverJoin(
                    (column, same) -> {
                        hasAll[0] &= column >= from && column < from + count;
                        return same;
                    },
                    true));
            return hasAll[0];
        }

        /** The column that it becomes. */
        RexNode add(RexNode node) {
            RexNode variable = rex.makeCorrel(input.getRowType(), row);
            added.add(node.accept(new OverJoin(
                    (column, same) -> same instanceof RexInputRef
                            ? RexInputRef.of(column - from, input.getRowType())
                            : rex.makeFieldAccess(variable, column - from),
                    true)));
            int place = left.count + right.count + 2 * (added.size() - 1) + (from == 0 ? 0 : 1);
            return new RexInputRef(place, node.getType());
        }

        RelNode rows() {
            if (added.isEmpty()) {
                return input;
            }
            List<RexNode> columns = new ArrayList<>(rex.identityProjects(input.getRowType()));
            List<String> names = new ArrayList<>(input.getRowType().getFieldNames());
            for (RexNode column : added) {
                columns.add(column);
                names.add("$on" + names.size());
            }
            return LogicalProject.create(input, List.of(), columns, names, Set.of(row));
        }
    }

    /** What is made of a column of the join that is read as it is, or as one of a variable. */
    private interface Change {
        RexNode of(int column, RexNode same);
    }

    /** Goes over all that an expression reads of the rows of the join, also inside of its subqueries. */
    private final class OverJoin extends RexShuttle {

        private final Change change;
        private final boolean isOutside;

        OverJoin(Change change, boolean isOutside) {
            this.change = change;
            this.isOutside = isOutside;
        }

        @Override
        public RexNode visitInputRef(RexInputRef column) {
            return isOutside ? change.of(column.getIndex(), column) : column;
        }

        @Override
        public RexNode visitFieldAccess(RexFieldAccess access) {
            boolean isOfJoin = access.getReferenceExpr() instanceof RexCorrelVariable variable
                    && join.getVariablesSet().contains(variable.id);
            return isOfJoin ? change.of(access.getField().getIndex(), access) : super.visitFieldAccess(access);
        }

        @Override
        public RexNode visitSubQuery(RexSubQuery query) {
            OverJoin inside = new OverJoin(change, false);
            RelNode changed = query.rel.accept(new RelHomogeneousShuttle() {
                @Override
                public RelNode visit(RelNode other) {
                    return super.visit(other).accept(inside);
                }
            });
            return super.visitSubQuery(query.clone(changed));
        }
    }
}
