/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import dev.ratchet.circuits.expression.Expression;
import dev.ratchet.circuits.expression.Expression.Column;
import dev.ratchet.circuits.expression.Expression.Literal;
import dev.ratchet.circuits.expression.function.TimeText;
import dev.ratchet.circuits.instruction.WrittenStream;
import dev.ratchet.circuits.operator.AggregateCall;
import dev.ratchet.circuits.operator.AggregateKind;
import dev.ratchet.circuits.operator.RankKind;
import dev.ratchet.circuits.operator.SortColumn;
import dev.ratchet.circuits.operator.TopK;
import dev.ratchet.circuits.operator.WindowCall;
import dev.ratchet.circuits.operator.WindowCall.WindowKind;
import dev.ratchet.circuits.operator.WindowFrame;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.TypeKind;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelCollations;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.Window;
import org.apache.calcite.rel.core.Window.RexWinAggCall;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.rex.RexWindowBound;
import org.apache.calcite.rex.RexWindowExclusion;
import org.apache.calcite.sql.SqlAggFunction;
import org.jspecify.annotations.Nullable;

/** ORDER BY … LIMIT and OVER, and the two together: the first rows of each group. */
final class WindowTranslator {

    private static final ColumnType BIGINT = ColumnType.of(TypeKind.BIGINT).orNull();

    private final PlanTranslator plans;
    private final RexTranslator expressions;

    WindowTranslator(PlanTranslator plans, RexTranslator expressions) {
        this.plans = plans;
        this.expressions = expressions;
    }

    /** The first rows of all; an order alone has no meaning for a view. */
    WrittenStream limit(Sort sort) {
        WrittenStream input = plans.translate(sort.getInput());
        if (sort.fetch == null && sort.offset == null) {
            return input;
        }
        long limit = sort.fetch == null ? Long.MAX_VALUE : number(sort.fetch, "LIMIT");
        long offset = sort.offset == null ? 0 : number(sort.offset, "OFFSET");
        TopK.Spec spec = new TopK.Spec(RankKind.ROW_NUMBER, offset, limit, false);
        return input.topK(List.of(), AggregateCalls.order(sort.getCollation()), spec, BIGINT);
    }

    private long number(RexNode node, String what) {
        if (expressions.translate(node) instanceof Literal literal
                && literal.value() instanceof Long number
                && number >= 0) {
            return number;
        }
        throw new UnsupportedSqlException(what, what + " needs a constant that is not negative");
    }

    /**
     * Where a filter keeps only small numbers of a row number or rank, the rows that it keeps, to be filtered again;
     * those behind are never looked at.
     */
    Optional<WrittenStream> firstRows(Filter filter) {
        if (!(filter.getInput() instanceof Window window)
                || window.groups.size() != 1
                || window.groups.get(0).aggCalls.size() != 1
                || !window.constants.isEmpty()) {
            return Optional.empty();
        }
        Window.Group group = window.groups.get(0);
        RankKind kind = rankKind(group.aggCalls.get(0));
        int rank = window.getInput().getRowType().getFieldCount();
        long limit = Long.MAX_VALUE;
        RexNode conditions = RexUtil.expandSearch(filter.getCluster().getRexBuilder(), null, filter.getCondition());
        for (RexNode condition : RelOptUtil.conjunctions(conditions)) {
            limit = Math.min(limit, limit(condition, rank));
        }
        if (kind == null || limit == Long.MAX_VALUE) {
            return Optional.empty();
        }
        List<SortColumn> order = AggregateCalls.order(group.orderKeys);
        TopK.Spec spec = new TopK.Spec(kind, 0, Math.max(0, limit), true);
        ColumnType type = RexTranslator.type(group.aggCalls.get(0).getType());
        return Optional.of(plans.translate(window.getInput()).topK(group.keys.asList(), order, spec, type));
    }

    private static @Nullable RankKind rankKind(RexWinAggCall call) {
        return switch (call.getKind()) {
            case ROW_NUMBER -> RankKind.ROW_NUMBER;
            case RANK -> RankKind.RANK;
            case DENSE_RANK -> RankKind.DENSE_RANK;
            default -> null;
        };
    }

    /** The largest number that a condition lets through. */
    private long limit(RexNode condition, int rank) {
        if (condition instanceof RexCall call
                && call.getOperands().size() == 2
                && call.getOperands().get(0) instanceof RexInputRef reference
                && reference.getIndex() == rank
                && expressions.translate(call.getOperands().get(1)) instanceof Literal literal
                && literal.value() instanceof Long bound) {
            return switch (call.getKind()) {
                case LESS_THAN -> bound - 1;
                case LESS_THAN_OR_EQUAL, EQUALS -> bound;
                default -> Long.MAX_VALUE;
            };
        }
        return Long.MAX_VALUE;
    }

    /** Each row with what it sees of its groups; constants of the calls are columns in between. */
    WrittenStream translate(Window window) {
        WrittenStream input = plans.translate(window.getInput());
        int own = input.columns().size();
        List<Expression> seen = PlanTranslator.columns(input);
        seen.addAll(expressions.translate(window.constants));
        AggregateCalls aggregates =
                new AggregateCalls(seen, column -> column < own ? null : window.constants.get(column - own));
        // Groups that differ by their frames alone are one window: all of it must see copies of a row in one order.
        Map<Rows, List<WindowCall>> calls = new LinkedHashMap<>();
        Map<Rows, List<Integer>> numbers = new LinkedHashMap<>();
        List<AggregateCalls.Call> given = new ArrayList<>();
        for (Window.Group group : window.groups) {
            Rows rows = new Rows(group.keys.asList(), AggregateCalls.order(group.orderKeys));
            for (RexWinAggCall call : group.aggCalls) {
                numbers.computeIfAbsent(rows, wanted -> new ArrayList<>()).add(given.size());
                calls.computeIfAbsent(rows, wanted -> new ArrayList<>()).add(call(call, group, window, aggregates));
                given.add(given(call));
            }
        }
        List<Expression> columns = aggregates.columns();
        WrittenStream stream = columns.size() == own ? input : plans.map(input, columns);
        for (Map.Entry<Rows, List<WindowCall>> each : calls.entrySet()) {
            WrittenStream before = stream;
            Rows rows = each.getKey();
            List<AggregateCalls.Call> written = Objects.requireNonNull(numbers.get(rows)).stream()
                    .map(given::get)
                    .toList();
            stream = plans.of(
                    AggregateCalls.Call.places(written),
                    () -> before.window(rows.group(), rows.order(), each.getValue()));
        }
        List<Integer> places = numbers.values().stream().flatMap(List::stream).toList();
        return finished(stream, own, columns.size(), given, places);
    }

    /** The groups of a window, and the order of their rows. */
    private record Rows(List<Integer> group, List<SortColumn> order) {}

    private static AggregateCalls.Call given(RexWinAggCall call) {
        return new AggregateCalls.Call(
                (SqlAggFunction) call.getOperator(),
                call.getOperands().stream()
                        .map(operand -> ((RexInputRef) operand).getIndex())
                        .toList(),
                call.distinct,
                AggregateCall.NO_COLUMN,
                RelCollations.EMPTY,
                call.getType(),
                call.getParserPosition());
    }

    /**
     * The columns of the input and what becomes of the results, without the columns in between.
     *
     * @param places the results as they stand: for each the number of its call
     */
    private WrittenStream finished(
            WrittenStream stream, int own, int width, List<AggregateCalls.Call> given, List<Integer> places) {
        List<Integer> kept = new ArrayList<>();
        List<Expression> wanted = new ArrayList<>();
        boolean isPlain = true;
        for (int i = 0; i < own + given.size(); i++) {
            int at = i < own ? i : width + places.indexOf(i - own);
            kept.add(at);
            Expression column = new Column(at, stream.columns().get(at));
            wanted.add(i < own ? column : AggregateCalls.finish(given.get(i - own), column));
            isPlain &= wanted.getLast() == column;
        }
        if (!isPlain) {
            return plans.map(stream, wanted);
        }
        boolean isWhole = width == own && places.equals(places.stream().sorted().toList());
        return isWhole ? stream : stream.project(kept);
    }

    private WindowCall call(RexWinAggCall call, Window.Group group, Window window, AggregateCalls aggregates) {
        String name = call.getOperator().getName().toUpperCase(Locale.ROOT);
        if (group.exclude != RexWindowExclusion.EXCLUDE_NO_OTHER) {
            throw new UnsupportedSqlException("OVER", "EXCLUDE in a window; filter the rows before");
        }
        ColumnType type = RexTranslator.type(call.getType());
        WindowFrame frame = frame(group, window);
        List<Integer> arguments = call.getOperands().stream()
                .map(operand -> ((RexInputRef) operand).getIndex())
                .toList();
        int first = arguments.isEmpty() ? AggregateCall.NO_COLUMN : arguments.get(0);
        WindowKind kind =
                switch (name) {
                    case "ROW_NUMBER" -> WindowKind.ROW_NUMBER;
                    case "RANK" -> WindowKind.RANK;
                    case "DENSE_RANK" -> WindowKind.DENSE_RANK;
                    case "PERCENT_RANK" -> WindowKind.PERCENT_RANK;
                    case "CUME_DIST" -> WindowKind.CUME_DIST;
                    case "NTILE" -> WindowKind.NTILE;
                    case "LAG" -> WindowKind.LAG;
                    case "LEAD" -> WindowKind.LEAD;
                    case "FIRST_VALUE" -> WindowKind.FIRST_VALUE;
                    case "LAST_VALUE" -> WindowKind.LAST_VALUE;
                    case "NTH_VALUE" -> WindowKind.NTH_VALUE;
                    default -> WindowKind.AGGREGATE;
                };
        return switch (kind) {
            case ROW_NUMBER, RANK, DENSE_RANK, PERCENT_RANK, CUME_DIST -> WindowCall.rank(kind, type);
            case NTILE ->
                new WindowCall(
                        kind,
                        AggregateCall.NO_COLUMN,
                        atLeast(1, constant(first, window), name),
                        AggregateCall.NO_COLUMN,
                        false,
                        null,
                        WindowFrame.WHOLE,
                        type);
            case LAG, LEAD -> {
                long distance = arguments.size() > 1 ? atLeast(0, constant(arguments.get(1), window), name) : 1;
                int fallback = arguments.size() > 2 ? arguments.get(2) : AggregateCall.NO_COLUMN;
                yield new WindowCall(kind, first, distance, fallback, call.ignoreNulls, null, WindowFrame.WHOLE, type);
            }
            case FIRST_VALUE, LAST_VALUE, NTH_VALUE -> {
                long number = kind == WindowKind.NTH_VALUE ? atLeast(1, constant(arguments.get(1), window), name) : 0;
                yield new WindowCall(kind, first, number, AggregateCall.NO_COLUMN, call.ignoreNulls, null, frame, type);
            }
            case AGGREGATE -> {
                AggregateCalls.Call asked = given(call);
                AggregateCall aggregate = aggregates.translate(asked);
                boolean isExtreme = aggregate.kind() == AggregateKind.MIN || aggregate.kind() == AggregateKind.MAX;
                try {
                    yield WindowCall.over(
                            isExtreme ? AggregateCall.of(aggregate.kind(), first, type) : aggregate, frame);
                } catch (IllegalArgumentException e) {
                    throw asked.unsupported((call.distinct ? "DISTINCT " : "")
                            + "in a window; use it with GROUP BY in a subquery, and join");
                }
            }
        };
    }

    private static long atLeast(long least, long number, String name) {
        if (number < least) {
            throw new UnsupportedSqlException(name, name + " of " + number + "; give at least " + least);
        }
        return number;
    }

    private long constant(int index, Window window) {
        int own = window.getInput().getRowType().getFieldCount();
        if (index >= own
                && expressions.translate(window.constants.get(index - own)) instanceof Literal literal
                && literal.value() instanceof Long number) {
            return number;
        }
        throw new UnsupportedSqlException("OVER", "A distance or number in a window must be a constant");
    }

    private WindowFrame frame(Window.Group group, Window window) {
        return new WindowFrame(
                !group.isRows,
                group.lowerBound.isUnbounded()
                        ? WindowFrame.UNBOUNDED_PRECEDING
                        : bound(group.lowerBound, group, window, RoundingMode.CEILING),
                group.upperBound.isUnbounded()
                        ? WindowFrame.UNBOUNDED_FOLLOWING
                        : bound(group.upperBound, group, window, RoundingMode.FLOOR));
    }

    /** @param inward to a whole unit of the order that is in the frame, where the distance is none */
    private long bound(RexWindowBound bound, Window.Group group, Window window, RoundingMode inward) {
        RexNode offset = bound.getOffset();
        if (bound.isCurrentRow() || offset == null) {
            return 0;
        }
        int own = window.getInput().getRowType().getFieldCount();
        RexNode constant = offset instanceof RexInputRef reference && reference.getIndex() >= own
                ? window.constants.get(reference.getIndex() - own)
                : offset;
        if (!(expressions.translate(constant) instanceof Literal literal)) {
            throw new UnsupportedSqlException("OVER", "A distance in a window must be a constant");
        }
        BigDecimal distance = group.isRows ? rows(literal) : range(literal, orderType(group, window));
        return (bound.isPreceding() ? distance.negate() : distance)
                .setScale(0, inward)
                .longValueExact();
    }

    private static BigDecimal rows(Literal literal) {
        if (literal.value() instanceof Long number && number >= 0) {
            return BigDecimal.valueOf(number);
        }
        throw new UnsupportedSqlException("OVER", "ROWS needs a whole number that is not negative");
    }

    private static ColumnType orderType(Window.Group group, Window window) {
        List<RelFieldCollation> order = group.orderKeys.getFieldCollations();
        if (order.size() != 1) {
            throw new UnsupportedSqlException("OVER", "RANGE with a distance orders by one column; or use ROWS");
        }
        return RexTranslator.type(window.getInput()
                .getRowType()
                .getFieldList()
                .get(order.get(0).getFieldIndex())
                .getType());
    }

    /** A distance in the unit in which the order column is stored. */
    private static BigDecimal range(Literal literal, ColumnType order) {
        Object value = literal.value();
        boolean isInterval = literal.type().kind() == TypeKind.INTERVAL_MICROS;
        if (value instanceof Long micros && isInterval && micros >= 0) {
            if (order.kind() == TypeKind.DATE) {
                return BigDecimal.valueOf(micros)
                        .divide(BigDecimal.valueOf(TimeText.MICROS_PER_DAY), MathContext.DECIMAL128);
            }
            if (order.kind() == TypeKind.TIMESTAMP || order.kind() == TypeKind.TIME) {
                return BigDecimal.valueOf(micros);
            }
        }
        boolean isNumber = value instanceof Long || value instanceof BigDecimal;
        boolean isScaled = Arithmetic.isInteger(order.kind())
                || (order.kind() == TypeKind.DECIMAL && order.precision() <= ColumnType.LONG_PRECISION_MAX);
        if (isNumber && isScaled && !Arithmetic.isInterval(literal.type().kind())) {
            BigDecimal units = new BigDecimal(String.valueOf(value)).movePointRight(order.scale());
            if (units.signum() >= 0 && units.precision() - units.scale() <= ColumnType.LONG_PRECISION_MAX) {
                return units;
            }
        }
        throw new UnsupportedSqlException(
                "OVER",
                "A RANGE of " + literal.type() + " over a column of " + order
                        + "; a column of numbers takes a number, one of dates or times an interval of days or seconds");
    }
}
