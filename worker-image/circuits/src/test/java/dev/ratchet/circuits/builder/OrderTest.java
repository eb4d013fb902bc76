/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.builder;

import dev.ratchet.circuits.operator.AggregateCall;
import dev.ratchet.circuits.operator.AggregateKind;
import dev.ratchet.circuits.operator.RankKind;
import dev.ratchet.circuits.operator.SortColumn;
import dev.ratchet.circuits.operator.TopK;
import dev.ratchet.circuits.operator.WindowCall;
import dev.ratchet.circuits.operator.WindowCall.WindowKind;
import dev.ratchet.circuits.operator.WindowFrame;
import dev.ratchet.circuits.sample.ModelSet;
import dev.ratchet.circuits.sample.Models;
import dev.ratchet.circuits.sample.OrderModels;
import dev.ratchet.circuits.sample.Samples;
import dev.ratchet.circuits.sample.Twin;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.TypeKind;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Operators that need an order within a group, against twins that look at every row (law L21 and windows). */
class OrderTest {

    private static final ColumnType NUMBER = ColumnType.of(TypeKind.TINYINT).orNull();
    private static final ColumnType BIGINT = ColumnType.of(TypeKind.BIGINT).orNull();
    private static final ColumnType TEXT = ColumnType.of(TypeKind.VARCHAR).orNull();
    private static final List<ColumnType> TABLE = List.of(BIGINT.withNullable(false), NUMBER, TEXT);

    /** Two different values in the last column. */
    private static final List<ColumnType> ONE_GROUP = List.of(BIGINT, NUMBER, ColumnType.of(TypeKind.BOOLEAN));

    static LongStream seeds() {
        return Samples.seeds(15);
    }

    private static List<SortColumn> order(Samples samples) {
        List<SortColumn> order = new ArrayList<>();
        int first = samples.random().nextInt(1, 3);
        order.add(new SortColumn(
                first, samples.random().nextBoolean(), samples.random().nextBoolean()));
        if (samples.random().nextBoolean()) {
            order.add(new SortColumn(
                    3 - first, samples.random().nextBoolean(), samples.random().nextBoolean()));
        }
        return order;
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void theFirstRowsOfEachGroupFollowChangesAmongThem(long seed) {
        for (RankKind kind : RankKind.values()) {
            Twin twin = new Twin(seed, List.of(TABLE)).appendOnly(seed % 2 == 1);
            checkFirstRows(
                    twin,
                    kind,
                    twin.samples().random().nextInt(2),
                    1 + twin.samples().random().nextInt(3));
        }
    }

    /** Groups that are large against what changes in a step, so that most changes are behind the first rows. */
    @ParameterizedTest
    @MethodSource("seeds")
    void theFirstRowsOfLargeGroupsFollowChangesAmongThem(long seed) {
        for (RankKind kind : RankKind.values()) {
            Twin twin = new Twin(seed, List.of(TABLE)).size(12, 12);
            checkFirstRows(
                    twin,
                    kind,
                    twin.samples().random().nextInt(4),
                    1 + twin.samples().random().nextInt(12));
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void theFirstRowOfEachGroupIsKeptWhereRowsOnlyCome(long seed) {
        checkFirstRows(new Twin(seed, List.of(TABLE)).appendOnly(true), RankKind.ROW_NUMBER, 0, 1);
    }

    private static void checkFirstRows(Twin twin, RankKind kind, long offset, long limit) {
        List<SortColumn> order = order(twin.samples());
        TopK.Spec spec =
                new TopK.Spec(kind, offset, limit, twin.samples().random().nextBoolean());
        List<Integer> group = twin.samples().random().nextBoolean() ? List.of(0) : List.of();
        twin.check(
                tables -> tables.get(0).topK(group, order, spec, BIGINT),
                sets -> OrderModels.topK(sets.get(0), group, order, spec));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void rowsSeeTheirNumbersAndNeighbours(long seed) {
        Twin twin = new Twin(seed, List.of(TABLE));
        List<SortColumn> order = order(twin.samples());
        List<WindowCall> calls = List.of(
                WindowCall.rank(WindowKind.ROW_NUMBER, BIGINT),
                WindowCall.rank(WindowKind.RANK, BIGINT),
                WindowCall.rank(WindowKind.DENSE_RANK, BIGINT),
                WindowCall.shift(WindowKind.LAG, 2, 1, AggregateCall.NO_COLUMN, TEXT),
                WindowCall.shift(WindowKind.LEAD, 1, 2, 0, NUMBER));
        twin.check(
                tables -> tables.get(0).window(List.of(0), order, calls),
                sets -> OrderModels.window(
                        sets.get(0),
                        List.of(0),
                        order,
                        (rows, i) -> Models.listOf(
                                OrderModels.number(RankKind.ROW_NUMBER, rows, i, order),
                                OrderModels.number(RankKind.RANK, rows, i, order),
                                OrderModels.number(RankKind.DENSE_RANK, rows, i, order),
                                i == 0 ? null : rows.get(i - 1).get(2),
                                i + 2 < rows.size()
                                        ? rows.get(i + 2).get(1)
                                        : rows.get(i).get(0))));
    }

    /** Calls that see only so far, each alone, over groups that are large against what changes in a step. */
    @ParameterizedTest
    @MethodSource("seeds")
    void whatSeesOnlySoFarIsComputedNearChanges(long seed) {
        WindowFrame rolling = new WindowFrame(true, -30, 10);
        List<WindowFrame> frames = List.of(new WindowFrame(false, -2, 1), rolling, new WindowFrame(true, 5, 20));
        for (WindowFrame frame : frames) {
            Twin twin = new Twin(seed, List.of(TABLE)).size(12, 12);
            List<SortColumn> order = List.of(new SortColumn(
                    1,
                    twin.samples().random().nextBoolean(),
                    twin.samples().random().nextBoolean()));
            List<AggregateCall> aggregates =
                    List.of(AggregateCall.countRows(BIGINT), AggregateCall.of(AggregateKind.MAX, 0, BIGINT));
            List<WindowCall> calls = new ArrayList<>();
            aggregates.forEach(call -> calls.add(WindowCall.over(call, frame)));
            twin.check(
                    tables -> tables.get(0).window(List.of(), order, calls),
                    sets -> OrderModels.window(
                            sets.get(0),
                            List.of(),
                            order,
                            (rows, i) -> aggregatesOf(OrderModels.frame(rows, i, order, frame), aggregates)));
        }
    }

    private static List<Object> aggregatesOf(List<List<Object>> rows, List<AggregateCall> aggregates) {
        List<Object> results = new ArrayList<>();
        aggregates.forEach(call -> results.add(Models.aggregate(call, rows)));
        return results;
    }

    /** Calls that see their group from its start, over a group that has several marks. */
    @ParameterizedTest
    @MethodSource("seeds")
    void whatSeesItsGroupFromTheStartIsComputedFromMarks(long seed) {
        boolean byValue = seed % 2 == 0;
        Twin twin = new Twin(seed, List.of(TABLE)).size(6, 80);
        List<SortColumn> order = order(twin.samples());
        WindowFrame frame = new WindowFrame(byValue, WindowFrame.UNBOUNDED_PRECEDING, 0);
        List<AggregateCall> aggregates = List.of(
                AggregateCall.of(AggregateKind.SUM, 1, BIGINT),
                AggregateCall.of(AggregateKind.MIN, 0, BIGINT),
                AggregateCall.of(AggregateKind.MAX, 2, TEXT));
        List<WindowCall> calls = new ArrayList<>(List.of(
                WindowCall.rank(
                        twin.samples().random().nextBoolean() ? WindowKind.RANK : WindowKind.ROW_NUMBER, BIGINT),
                WindowCall.rank(WindowKind.DENSE_RANK, BIGINT),
                WindowCall.value(WindowKind.FIRST_VALUE, 2, 0, frame, TEXT),
                WindowCall.value(WindowKind.LAST_VALUE, 0, 0, frame, BIGINT)));
        boolean looksBack = twin.samples().random().nextBoolean();
        RankKind numbered = calls.get(0).kind() == WindowKind.RANK ? RankKind.RANK : RankKind.ROW_NUMBER;
        aggregates.forEach(call -> calls.add(WindowCall.over(call, frame)));
        if (looksBack) {
            calls.add(2, WindowCall.shift(WindowKind.LAG, 0, 1, AggregateCall.NO_COLUMN, BIGINT));
        }
        twin.check(
                tables -> tables.get(0).window(List.of(), order, calls),
                sets -> OrderModels.window(sets.get(0), List.of(), order, (rows, i) -> {
                    List<List<Object>> seen = OrderModels.frame(rows, i, order, frame);
                    List<Object> added = Models.listOf(
                            OrderModels.number(numbered, rows, i, order),
                            OrderModels.number(RankKind.DENSE_RANK, rows, i, order),
                            seen.getFirst().get(2),
                            seen.getLast().get(0));
                    added.addAll(aggregatesOf(seen, aggregates));
                    if (looksBack) {
                        added.add(2, i == 0 ? null : rows.get(i - 1).get(0));
                    }
                    return added;
                }));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void neighboursAreFoundNearChanges(long seed) {
        Twin twin = new Twin(seed, List.of(TABLE)).size(12, 12);
        List<SortColumn> order = order(twin.samples());
        List<WindowCall> calls = List.of(
                WindowCall.shift(WindowKind.LAG, 0, 3, AggregateCall.NO_COLUMN, BIGINT),
                WindowCall.shift(WindowKind.LEAD, 0, 1, AggregateCall.NO_COLUMN, BIGINT));
        twin.check(
                tables -> tables.get(0).window(List.of(), order, calls),
                sets -> OrderModels.window(
                        sets.get(0),
                        List.of(),
                        order,
                        (rows, i) -> Models.listOf(
                                i < 3 ? null : rows.get(i - 3).get(0),
                                i + 1 < rows.size() ? rows.get(i + 1).get(0) : null)));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void rowsSeeAggregatesOfTheirFrames(long seed) {
        Twin twin = new Twin(seed, List.of(TABLE));
        List<SortColumn> order = List.of(new SortColumn(
                1,
                twin.samples().random().nextBoolean(),
                twin.samples().random().nextBoolean()));
        List<WindowFrame> frames = List.of(
                WindowFrame.WHOLE,
                WindowFrame.TO_CURRENT,
                new WindowFrame(false, -2, 0),
                new WindowFrame(false, 1, 2),
                new WindowFrame(false, -1, WindowFrame.UNBOUNDED_FOLLOWING),
                new WindowFrame(true, -2, 1),
                new WindowFrame(true, 0, 3),
                new WindowFrame(true, WindowFrame.UNBOUNDED_PRECEDING, -1));
        List<AggregateCall> aggregates = List.of(
                AggregateCall.countRows(BIGINT),
                AggregateCall.of(AggregateKind.SUM, 1, BIGINT),
                AggregateCall.of(AggregateKind.MIN, 2, TEXT),
                AggregateCall.of(AggregateKind.MAX, 1, NUMBER));
        List<WindowCall> calls = new ArrayList<>();
        for (WindowFrame frame : frames) {
            aggregates.forEach(call -> calls.add(WindowCall.over(call, frame)));
            calls.add(WindowCall.value(WindowKind.FIRST_VALUE, 2, 0, frame, TEXT));
            calls.add(WindowCall.value(WindowKind.LAST_VALUE, 2, 0, frame, TEXT));
            calls.add(WindowCall.value(WindowKind.NTH_VALUE, 2, 2, frame, TEXT));
        }
        twin.check(
                tables -> tables.get(0).window(List.of(0), order, calls),
                sets -> OrderModels.window(sets.get(0), List.of(0), order, (rows, i) -> {
                    List<Object> added = new ArrayList<>();
                    for (WindowFrame frame : frames) {
                        List<List<Object>> seen = OrderModels.frame(rows, i, order, frame);
                        added.addAll(aggregatesOf(seen, aggregates));
                        added.add(seen.isEmpty() ? null : seen.get(0).get(2));
                        added.add(
                                seen.isEmpty()
                                        ? null
                                        : seen.get(seen.size() - 1).get(2));
                        added.add(seen.size() < 2 ? null : seen.get(1).get(2));
                    }
                    return added;
                }));
    }

    /** Distances that would lead beyond 64 bits lead to their end. */
    @ParameterizedTest
    @MethodSource("seeds")
    void framesEndWhereNumbersDo(long seed) {
        Twin twin = new Twin(seed, List.of(TABLE)).size(8, 8);
        List<SortColumn> order = List.of(new SortColumn(
                0,
                twin.samples().random().nextBoolean(),
                twin.samples().random().nextBoolean()));
        WindowFrame frame = anyOf(
                List.of(
                        new WindowFrame(true, -3, 2),
                        new WindowFrame(true, 1, Long.MAX_VALUE - 3),
                        new WindowFrame(true, 3 - Long.MAX_VALUE, -1)),
                seed);
        List<AggregateCall> aggregates =
                List.of(AggregateCall.countRows(BIGINT), AggregateCall.of(AggregateKind.MIN, 2, TEXT));
        List<WindowCall> calls =
                aggregates.stream().map(call -> WindowCall.over(call, frame)).toList();
        twin.check(
                tables -> tables.get(0)
                        .map(List.of(BIGINT, NUMBER, TEXT), (row, out) -> {
                            if (row.isNull(1)) {
                                out.setNull(0);
                            } else {
                                out.setLong(0, atTheEnd(row.longAt(1)));
                            }
                            out.copy(1, NUMBER.storage(), row, 1);
                            out.copy(2, TEXT.storage(), row, 2);
                        })
                        .window(List.of(), order, calls),
                sets -> OrderModels.window(
                        atTheEnds(sets.get(0)),
                        List.of(),
                        order,
                        (rows, i) -> aggregatesOf(OrderModels.frame(rows, i, order, frame), aggregates)));
    }

    private static ModelSet atTheEnds(ModelSet set) {
        ModelSet result = new ModelSet();
        set.weights().forEach((row, weight) -> {
            Object end = row.get(1) == null ? null : atTheEnd((Long) row.get(1));
            result.add(Models.listOf(end, row.get(1), row.get(2)), weight);
        });
        return result;
    }

    /** As far from an end of the numbers as a small one is from 0. */
    private static long atTheEnd(long small) {
        return small < 0 ? Long.MIN_VALUE + ~small : Long.MAX_VALUE - small;
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void anAsOfJoinFindsTheLastRowThatIsNotLater(long seed) {
        checkAsOf(new Twin(seed, List.of(TABLE, TABLE)), seed % 2 == 0 ? JoinKind.INNER : JoinKind.LEFT);
        Twin oneGroup = new Twin(seed, List.of(ONE_GROUP, ONE_GROUP)).size(12, 8);
        checkAsOf(oneGroup, seed % 2 == 0 ? JoinKind.LEFT : JoinKind.INNER);
    }

    private static void checkAsOf(Twin twin, JoinKind kind) {
        twin.check(
                tables -> tables.get(0).asOf(tables.get(1), kind, List.of(2), List.of(2), 1, 1),
                sets -> asOf(sets, kind));
    }

    private static ModelSet asOf(List<ModelSet> sets, JoinKind kind) {
        ModelSet result = new ModelSet();
        sets.get(0).weights().forEach((left, weight) -> {
            List<Object> best = null;
            for (List<Object> right : sets.get(1).weights().keySet()) {
                boolean candidate = left.get(2) != null
                        && left.get(2).equals(right.get(2))
                        && left.get(1) != null
                        && right.get(1) != null
                        && (Long) right.get(1) <= (Long) left.get(1);
                if (candidate
                        && (best == null
                                || OrderModels.by(List.of(SortColumn.ascending(1), SortColumn.ascending(0)))
                                                .compare(best, right)
                                        < 0)) {
                    best = right;
                }
            }
            if (best != null || kind == JoinKind.LEFT) {
                List<Object> row = new ArrayList<>(left);
                row.addAll(best == null ? Models.listOf(null, null, null) : best);
                result.add(row, weight);
            }
        });
        return result;
    }

    private static final long GAP = 3;

    private static final ColumnType DOUBLE = ColumnType.of(TypeKind.DOUBLE).orNull();
    private static final List<ColumnType> MEASURED = List.of(BIGINT.withNullable(false), NUMBER, TEXT, DOUBLE);

    /** Calls of every kind that knows of some rows what it must know of them together with others. */
    private static final List<AggregateCall> CALLS = List.of(
            AggregateCall.countRows(BIGINT),
            AggregateCall.of(AggregateKind.SUM, 1, BIGINT),
            AggregateCall.of(AggregateKind.AVG, 1, BIGINT),
            AggregateCall.of(AggregateKind.MAX, 2, TEXT),
            AggregateCall.of(AggregateKind.MIN, 0, BIGINT),
            AggregateCall.of(AggregateKind.VAR_POP, 1, DOUBLE),
            AggregateCall.of(AggregateKind.SUM, 3, DOUBLE),
            AggregateCall.of(AggregateKind.BIT_OR, 0, BIGINT));

    private static <T> T anyOf(List<T> choices, long seed) {
        return choices.get((int) (seed % choices.size()));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void sessionsAreRunsWithoutAGap(long seed) {
        new Twin(seed, List.of(TABLE))
                .check(tables -> tables.get(0).sessions(List.of(0), 1, GAP), sets -> sessionsOf(sets.get(0), 0));
        new Twin(seed, List.of(ONE_GROUP))
                .size(12, 12)
                .check(tables -> tables.get(0).sessions(List.of(2), 1, GAP), sets -> sessionsOf(sets.get(0), 2));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aggregatesOfSessionsAreThoseOfTheirRows(long seed) {
        List<Integer> group =
                anyOf(List.of(List.of(0, 4, 5), List.of(5, 0), List.of(0, 4), List.of(4, 5), List.of(0, 1, 4)), seed);
        List<AggregateCall> linear = CALLS.stream()
                .filter(call -> call.kind() != AggregateKind.MAX && call.kind() != AggregateKind.MIN)
                .toList();
        for (List<AggregateCall> calls : List.of(CALLS, linear)) {
            for (boolean appendOnly : List.of(true, false)) {
                new Twin(seed, List.of(MEASURED))
                        .size(12, 8)
                        .appendOnly(appendOnly)
                        .check(
                                tables -> aggregateOfSessions(tables.get(0), group, calls),
                                sets -> Models.aggregate(sessionsOf(sets.get(0), 0), group, calls));
            }
        }
        // All columns are read: rows that differ in others alone would be added up before it is seen which are
        // negative.
        new Twin(seed, List.of(MEASURED))
                .anyWeights()
                .check(
                        tables -> aggregateOfSessions(tables.get(0), group, CALLS),
                        sets -> Models.aggregate(sessionsOf(sets.get(0), 0), group, CALLS));
    }

    private static Stream aggregateOfSessions(Stream rows, List<Integer> group, List<AggregateCall> calls) {
        return rows.sessions(List.of(0), 1, GAP)
                .project(List.of(5, 0, 1, 2, 3, 4))
                .project(List.of(1, 2, 3, 4, 5, 0))
                .aggregate(group, calls);
    }

    private static ModelSet sessionsOf(ModelSet set, int group) {
        List<SortColumn> order = List.of(SortColumn.ascending(1));
        return OrderModels.window(set.where(row -> row.get(1) != null), List.of(group), order, (rows, i) -> {
            int start = i;
            while (start > 0 && time(rows, start) - time(rows, start - 1) <= GAP) {
                start--;
            }
            int end = i;
            while (end + 1 < rows.size() && time(rows, end + 1) - time(rows, end) <= GAP) {
                end++;
            }
            return List.of(time(rows, start), time(rows, end) + GAP);
        });
    }

    private static long time(List<List<Object>> rows, int row) {
        return (Long) rows.get(row).get(1);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void windowsThatHopHoldTheRowsOfTheirTime(long seed) {
        new Twin(seed, List.of(TABLE))
                .check(tables -> tables.get(0).hop(1, 4, 10, 5), sets -> windowsOf(sets.get(0), 4, 10));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aggregatesOfWindowsAreThoseOfTheirRows(long seed) {
        List<Integer> group =
                anyOf(List.of(List.of(4, 5), List.of(5, 0), List.of(2, 4), List.of(0, 1, 4), List.of(0)), seed);
        for (List<AggregateCall> calls : List.of(CALLS.subList(0, 1), CALLS)) {
            new Twin(seed, List.of(MEASURED))
                    .appendOnly(seed % 2 == 0)
                    .check(
                            tables -> tables.get(0)
                                    .hop(1, 4, 10, 5)
                                    .project(List.of(0, 1, 2, 3, 4, 5))
                                    .aggregate(group, calls),
                            sets -> Models.aggregate(windowsOf(sets.get(0), 4, 10), group, calls));
        }
    }

    private static ModelSet windowsOf(ModelSet set, long slide, long size) {
        ModelSet result = new ModelSet();
        set.weights().forEach((row, weight) -> {
            for (long start = -399; row.get(1) != null && start < 400; start += slide) {
                if (start <= (Long) row.get(1) && (Long) row.get(1) < start + size) {
                    List<Object> wide = new ArrayList<>(row);
                    wide.addAll(List.of(start, start + size));
                    result.add(wide, weight);
                }
            }
        });
        return result;
    }
}
