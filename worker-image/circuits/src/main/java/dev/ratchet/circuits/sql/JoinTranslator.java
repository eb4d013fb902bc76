/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import dev.ratchet.circuits.builder.JoinKind;
import dev.ratchet.circuits.expression.Expression;
import dev.ratchet.circuits.expression.Expression.Column;
import dev.ratchet.circuits.instruction.WrittenStream;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.TypeKind;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.core.AsofJoin;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.jspecify.annotations.Nullable;

/** Joins: the equal columns of both sides, cast to one type, and what else a pair must meet. */
final class JoinTranslator {

    private final PlanTranslator plans;
    private final RexTranslator expressions;
    private final ExtremeJoins extremes;

    JoinTranslator(PlanTranslator plans, RexTranslator expressions) {
        this.plans = plans;
        this.expressions = expressions;
        this.extremes = new ExtremeJoins(plans);
    }

    /** A side with columns behind its own that hold the keys in their common types. */
    private record Side(WrittenStream stream, List<Integer> keys, int own) {}

    WrittenStream translate(Join join) {
        List<Integer> leftKeys = new ArrayList<>();
        List<Integer> rightKeys = new ArrayList<>();
        RexNode rest = RelOptUtil.splitJoinCondition(
                join.getLeft(), join.getRight(), join.getCondition(), leftKeys, rightKeys, null);
        return extremes.translate(join, leftKeys, rightKeys, rest)
                .orElseGet(() -> translate(join, leftKeys, rightKeys, rest));
    }

    private WrittenStream translate(Join join, List<Integer> leftKeys, List<Integer> rightKeys, RexNode rest) {
        WrittenStream left = plans.translate(join.getLeft());
        WrittenStream right = plans.translate(join.getRight());
        if (join instanceof AsofJoin asOf) {
            return asOf(asOf, left, right, leftKeys, rightKeys, rest);
        }
        List<ColumnType> types = new ArrayList<>();
        for (int i = 0; i < leftKeys.size(); i++) {
            types.add(
                    common(left.columns().get(leftKeys.get(i)), right.columns().get(rightKeys.get(i))));
        }
        Side one = side(left, leftKeys, types);
        Side two = side(right, rightKeys, types);
        Expression condition = condition(rest, one);
        JoinKind kind =
                switch (join.getJoinType()) {
                    case INNER -> JoinKind.INNER;
                    case LEFT -> JoinKind.LEFT;
                    case RIGHT -> JoinKind.RIGHT;
                    case FULL -> JoinKind.FULL;
                    case SEMI -> JoinKind.SEMI;
                    case ANTI -> JoinKind.ANTI;
                    default ->
                        throw new UnsupportedSqlException(
                                "JOIN", "A join of type " + join.getJoinType() + " has no operator; use LEFT JOIN");
                };
        WrittenStream joined = one.stream().join(two.stream(), kind, one.keys(), two.keys(), condition);
        boolean leftOnly = kind == JoinKind.SEMI || kind == JoinKind.ANTI;
        int leftWidth = one.stream().columns().size();
        List<Integer> kept = new ArrayList<>(range(0, one.own()));
        if (!leftOnly) {
            kept.addAll(range(leftWidth, leftWidth + two.own()));
        }
        return kept.size() == joined.columns().size() ? joined : joined.project(kept);
    }

    private WrittenStream asOf(
            AsofJoin join,
            WrittenStream left,
            WrittenStream right,
            List<Integer> leftKeys,
            List<Integer> rightKeys,
            RexNode rest) {
        int own = left.columns().size();
        RexCall match = (RexCall) join.getMatchCondition();
        boolean known = rest.isAlwaysTrue()
                && match.getOperands().get(0) instanceof RexInputRef
                && match.getOperands().get(1) instanceof RexInputRef;
        int one = known ? ((RexInputRef) match.getOperands().get(0)).getIndex() : 0;
        int two = known ? ((RexInputRef) match.getOperands().get(1)).getIndex() : 0;
        int time = Math.min(one, two);
        int otherTime = Math.max(one, two) - own;
        SqlKind wanted = one < own ? SqlKind.GREATER_THAN_OR_EQUAL : SqlKind.LESS_THAN_OR_EQUAL;
        if (!known || match.getKind() != wanted || time >= own || otherTime < 0) {
            throw new UnsupportedSqlException(
                    "JOIN", "An ASOF JOIN needs MATCH_CONDITION left.time >= right.time, and equalities under ON");
        }
        JoinKind kind = join.getJoinType() == JoinRelType.LEFT_ASOF ? JoinKind.LEFT : JoinKind.INNER;
        for (int i = 0; i < leftKeys.size(); i++) {
            requireEqual(left.columns().get(leftKeys.get(i)), right.columns().get(rightKeys.get(i)));
        }
        requireEqual(left.columns().get(time), right.columns().get(otherTime));
        return left.asOf(right, kind, leftKeys, rightKeys, time, otherTime);
    }

    private static void requireEqual(ColumnType left, ColumnType right) {
        if (!left.orNull().equals(right.orNull())) {
            throw new UnsupportedSqlException(
                    "JOIN", "An ASOF JOIN compares " + left + " with " + right + "; cast one of them in a subquery");
        }
    }

    private @Nullable Expression condition(RexNode rest, Side one) {
        if (rest.isAlwaysTrue()) {
            return null;
        }
        int added = one.stream().columns().size() - one.own();
        return expressions.translate(added == 0 ? rest : RexUtil.shift(rest, one.own(), added));
    }

    private Side side(WrittenStream stream, List<Integer> keys, List<ColumnType> types) {
        int own = stream.columns().size();
        List<Expression> columns = PlanTranslator.columns(stream);
        List<ColumnType> all = new ArrayList<>(stream.columns());
        List<Integer> places = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            ColumnType type = stream.columns().get(keys.get(i));
            if (type.orNull().equals(types.get(i))) {
                places.add(keys.get(i));
            } else {
                places.add(all.size());
                all.add(types.get(i));
                columns.add(Casts.to(new Column(keys.get(i), type), types.get(i)));
            }
        }
        return new Side(all.size() == own ? stream : stream.map(columns, all), places, own);
    }

    /** The type in which values of both are equal exactly where SQL says so. */
    private static ColumnType common(ColumnType left, ColumnType right) {
        if (left.orNull().equals(right.orNull())) {
            return left.orNull();
        }
        if (Arithmetic.isNumber(left.kind()) && Arithmetic.isNumber(right.kind())) {
            return Arithmetic.commonNumber(left, right);
        }
        if (left.kind() == TypeKind.DATE && right.kind() == TypeKind.TIMESTAMP) {
            return right.orNull();
        }
        return left.orNull();
    }

    private static List<Integer> range(int from, int to) {
        return IntStream.range(from, to).boxed().toList();
    }
}
