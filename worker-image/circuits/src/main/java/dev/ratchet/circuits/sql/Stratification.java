/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.AsofJoin;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Minus;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.TableFunctionScan;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.core.Window;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.util.Util;

/**
 * Whether a recursion has one meaning: what it derives may only grow with what it has derived. What takes away or
 * counts may stand in it over other relations, never over its own; MIN and MAX of groups may, since they only improve.
 */
final class Stratification {

    private static final Set<SqlKind> IMPROVING =
            Set.of(SqlKind.MIN, SqlKind.MAX, SqlKind.ANY_VALUE, SqlKind.LITERAL_AGG);

    private final Set<String> recursive;

    private Stratification(Set<String> recursive) {
        this.recursive = recursive;
    }

    /**
     * Checks one query of a recursion.
     *
     * @param recursive the relations that the recursion derives, in small letters
     * @throws UnsupportedSqlException at the operator that takes away what the recursion has derived
     */
    static void check(RelNode plan, Set<String> recursive) {
        new Stratification(recursive).dependent(plan);
    }

    /** Whether a plan reads one of the relations. */
    static boolean reads(RelNode plan, Set<String> relations) {
        return plan instanceof TableScan scan
                ? relations.contains(
                        Util.last(scan.getTable().getQualifiedName()).toLowerCase(Locale.ROOT))
                : plan.getInputs().stream().anyMatch(input -> reads(input, relations));
    }

    /** Whether the rows of a plan depend on the recursion; refuses where they may become fewer. */
    private boolean dependent(RelNode plan) {
        if (plan instanceof TableScan) {
            return reads(plan, recursive);
        }
        List<Boolean> sides = plan.getInputs().stream().map(this::dependent).toList();
        boolean any = sides.contains(true);
        if (any) {
            checkGrows(plan, sides);
        }
        return any;
    }

    private static void checkGrows(RelNode plan, List<Boolean> sides) {
        switch (plan) {
            case Aggregate aggregate -> checkAggregate(aggregate);
            case Minus minus -> refuse(sides.subList(1, sides.size()).contains(true), "EXCEPT", "EXCEPT");
            case Join join -> checkJoin(join, sides.get(0), sides.get(1));
            case Window window -> refuse(true, "OVER", "A window function");
            case Sort sort -> refuse(sort.fetch != null || sort.offset != null, "LIMIT", "LIMIT");
            case TableFunctionScan scan -> {
                boolean isSession = scan.getCall() instanceof RexCall call
                        && call.getOperator().getName().equalsIgnoreCase("SESSION");
                refuse(isSession, "SESSION", "SESSION");
            }
            default -> {}
        }
    }

    private static void checkAggregate(Aggregate aggregate) {
        for (AggregateCall call : aggregate.getAggCallList()) {
            String name = call.getAggregation().getName();
            refuse(!IMPROVING.contains(call.getAggregation().getKind()), name, name);
            boolean ofAllRows =
                    aggregate.getGroupCount() == 0 && call.getAggregation().getKind() != SqlKind.LITERAL_AGG;
            refuse(ofAllRows, name, name + " without GROUP BY");
        }
    }

    private static void checkJoin(Join join, boolean left, boolean right) {
        JoinRelType type = join.getJoinType();
        boolean nullsForRight =
                right && (type.generatesNullsOnRight() || type == JoinRelType.ANTI || join instanceof AsofJoin);
        boolean nullsForLeft = left && type.generatesNullsOnLeft();
        refuse(nullsForRight || nullsForLeft, "JOIN", type == JoinRelType.ANTI ? "NOT EXISTS" : "An outer join");
    }

    private static void refuse(boolean isRefused, String operator, String what) {
        if (isRefused) {
            throw new UnsupportedSqlException(
                    operator,
                    what
                            + " over what the recursion itself derives: a row that comes could take away what it came"
                            + " from. Use it in a view that reads the recursive one, or over other relations;"
                            + " inside only MIN and MAX with GROUP BY may stand");
        }
    }
}
