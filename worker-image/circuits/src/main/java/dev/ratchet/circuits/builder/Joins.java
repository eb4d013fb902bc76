/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.builder;

import static java.util.Objects.requireNonNull;

import dev.ratchet.circuits.circuit.Node;
import dev.ratchet.circuits.operator.AtMost;
import dev.ratchet.circuits.operator.Bound;
import dev.ratchet.circuits.operator.Join;
import dev.ratchet.circuits.operator.Monotone;
import dev.ratchet.circuits.operator.PipeStage;
import dev.ratchet.circuits.operator.RowFilter;
import dev.ratchet.circuits.operator.RowMapper;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.RowWriter;
import dev.ratchet.circuits.type.ShownSql;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Puts together joins of every kind from the inner one: rows with a partner are an inner join with the distinct keys
 * (or, under a condition, with the distinct left rows of the pairs), rows without are the difference, and an outer join
 * is the inner one plus rows without a partner, filled with NULL.
 */
final class Joins {

    private final Stream left;
    private final Stream right;
    private final List<Integer> leftKeys;
    private final List<Integer> rightKeys;
    private final @Nullable RowFilter condition;

    Joins(Stream left, Stream right, List<Integer> leftKeys, List<Integer> rightKeys, @Nullable RowFilter condition) {
        this.left = left;
        this.right = right;
        this.leftKeys = List.copyOf(leftKeys);
        this.rightKeys = List.copyOf(rightKeys);
        this.condition = condition;
        if (leftKeys.size() != rightKeys.size()) {
            throw new IllegalArgumentException(
                    "A join of " + leftKeys + " with " + rightKeys + "; keys pair up, so there are as many of each");
        }
        for (int i = 0; i < leftKeys.size(); i++) {
            ColumnType one = left.columns().get(leftKeys.get(i));
            ColumnType two = right.columns().get(rightKeys.get(i));
            if (!one.withNullable(true).equals(two.withNullable(true))) {
                throw new IllegalArgumentException("A join of " + one + " with " + two
                        + "; cast one of them so that equal values are stored equal");
            }
        }
    }

    Stream of(JoinKind kind) {
        return switch (kind) {
            case INNER -> inner();
            case SEMI -> withPartner(left, right, leftKeys, rightKeys, leftOfPairs());
            case ANTI -> withoutPartner(left, right, leftKeys, rightKeys, leftOfPairs());
            case LEFT, RIGHT, FULL -> outer(kind);
        };
    }

    private Stream outer(JoinKind kind) {
        List<ColumnType> columns = new ArrayList<>();
        left.columns().forEach(type -> columns.add(kind.keepsRight() ? type.orNull() : type));
        right.columns().forEach(type -> columns.add(kind.keepsLeft() ? type.orNull() : type));
        Stream pairs = inner();
        Stream result = pairs.as(columns);
        if (kind.keepsLeft()) {
            Stream alone = withoutPartner(left, right, leftKeys, rightKeys, leftColumns(pairs));
            result = result.plus(padded(alone, columns, 0));
        }
        if (kind.keepsRight()) {
            Stream alone = withoutPartner(right, left, rightKeys, leftKeys, rightColumns(pairs));
            result = result.plus(padded(alone, columns, left.columns().size()));
        }
        return result;
    }

    private Stream inner() {
        return inner(left, right, leftKeys, rightKeys, condition);
    }

    /** Left rows of the pairs, or null where the keys alone decide who has a partner. */
    private @Nullable Stream leftOfPairs() {
        return condition == null ? null : leftColumns(inner());
    }

    private @Nullable Stream leftColumns(Stream pairs) {
        return condition == null ? null : pairs.project(range(0, left.columns().size()));
    }

    private @Nullable Stream rightColumns(Stream pairs) {
        return condition == null
                ? null
                : pairs.project(range(left.columns().size(), pairs.columns().size()));
    }

    private static List<Integer> range(int from, int to) {
        return IntStream.range(from, to).boxed().toList();
    }

    private static Stream inner(
            Stream one, Stream two, List<Integer> oneKeys, List<Integer> twoKeys, @Nullable RowFilter condition) {
        AtMost range = range(one, two, oneKeys, twoKeys, condition);
        int width = one.columns().size();
        boolean isLeftAtMost = range != null && range.column() < width;
        int ofFirst = range == null ? -1 : isLeftAtMost ? range.column() : range.other();
        int ofSecond = range == null ? -1 : (isLeftAtMost ? range.other() : range.column()) - width;
        // Rows below what never sinks on the other side meet nothing any more.
        boolean isOneConstant = one.isConstant() || two.isConstant();
        boolean isFirstAhead =
                range != null && !isLeftAtMost && !isOneConstant && two.rising().isOneRowThatRises(twoKeys, ofSecond);
        boolean isSecondAhead = isLeftAtMost && !isOneConstant && one.rising().isOneRowThatRises(oneKeys, ofFirst);
        Arrangement first = isFirstAhead ? null : keyed(one, oneKeys, ofFirst, two);
        Arrangement second = isSecondAhead
                ? ahead(two, twoKeys, ofSecond, requireNonNull(first))
                : keyed(two, twoKeys, ofSecond, one);
        first = first == null ? ahead(one, oneKeys, ofFirst, second) : first;
        Join.Range reach =
                range == null ? Join.Range.NONE : isLeftAtMost ? Join.Range.LEFT_AT_MOST : Join.Range.LEFT_AT_LEAST;
        List<ColumnType> columns = new ArrayList<>(one.columns());
        columns.addAll(two.columns());
        List<PipeStage> stages = condition == null
                ? List.of()
                : List.of(new PipeStage.Filter(condition.isTotal() ? condition : new Lenient(condition)));
        Join.Spec spec = new Join.Spec(first.places(), second.places(), reach, stages);
        // Rows of one side are read by changes of the other: those decide how long they are needed.
        Bounds ofOne = one.bounds().selected(oneKeys);
        Bounds ofTwo = two.bounds().selected(twoKeys);
        Bounds either = ofOne.or(ofTwo);
        Map<Integer, Bound> bounds = new HashMap<>();
        either.columns().forEach((key, bound) -> {
            bounds.put(oneKeys.get(key), bound);
            bounds.put(one.columns().size() + twoKeys.get(key), bound);
        });
        restrict(first, 0, oneKeys, ofTwo, two.bounds().behind(one.columns().size()), condition);
        restrict(second, one.columns().size(), twoKeys, ofOne, one.bounds(), condition);
        Node joined = Join.of(first.node(), second.node(), spec, new RowSchema(columns, List.of()))
                .placedBy(oneKeys.isEmpty() ? List.of() : List.of(oneKeys, behind(twoKeys, width)));
        Stream pairs = one.of(joined, columns)
                .bounded(new Bounds(bounds))
                .appendOnly(one.isAppendOnly() && two.isAppendOnly());
        return condition == null ? pairs : pairs.filter(condition);
    }

    private static List<Integer> behind(List<Integer> columns, int more) {
        return columns.stream().map(column -> column + more).toList();
    }

    /**
     * Lets an arrangement go of rows that no change of the other side will meet.
     *
     * @param from number of its first column among those of a pair
     * @param reached bounds of the other side's key
     * @param others bounds of the other side's columns, numbered as in a pair
     */
    private static void restrict(
            Arrangement side,
            int from,
            List<Integer> keys,
            Bounds reached,
            Bounds others,
            @Nullable RowFilter condition) {
        Map<Integer, Bound> met = new HashMap<>();
        if (condition != null) {
            for (Monotone follows : condition.following()) {
                Bound bound = others.of(follows.from());
                int column = follows.column() - from;
                if (bound != null && column >= 0 && column < side.places().length) {
                    met.put(side.places()[column], bound.map(follows.bound()));
                }
            }
        }
        Bounds bounds = reached.columns().isEmpty() ? new Bounds(met) : reached;
        bounds.restrict(side.retention(), range(0, Math.max(keys.size(), side.places().length)));
    }

    /** A comparison of a column of one side with one of the other, neither among the keys; null for none. */
    private static @Nullable AtMost range(
            Stream one, Stream two, List<Integer> oneKeys, List<Integer> twoKeys, @Nullable RowFilter condition) {
        int width = one.columns().size();
        boolean isRecursion = one.nodes().isRecursion() || two.nodes().isRecursion();
        boolean isArranged = one.withoutNulls(oneKeys).isArranged(oneKeys)
                || two.withoutNulls(twoKeys).isArranged(twoKeys);
        if (condition == null || isRecursion || isArranged) {
            return null;
        }
        for (AtMost pair : condition.atMost()) {
            int left = Math.min(pair.column(), pair.other());
            int right = Math.max(pair.column(), pair.other()) - width;
            if (left < width && right >= 0 && !oneKeys.contains(left) && !twoKeys.contains(right)) {
                return pair;
            }
        }
        return null;
    }

    /**
     * The arrangement of rows whose key has no NULL.
     *
     * @param first the column that orders the rows of a key first; under 0 for none in particular
     * @param other what they are joined with: where its rows come in the first step, none comes to those of later ones
     */
    private static Arrangement keyed(Stream stream, List<Integer> keys, int first, Stream other) {
        Stream present = stream.withoutNulls(keys);
        return other.isConstant() && !stream.isConstant() ? present.changes(keys, first) : present.arrange(keys, first);
    }

    private static Arrangement ahead(Stream stream, List<Integer> keys, int first, Arrangement others) {
        return stream.withoutNulls(keys).arrangeAhead(keys, first, others);
    }

    private static Stream withPartner(
            Stream one, Stream two, List<Integer> oneKeys, List<Integer> twoKeys, @Nullable Stream matched) {
        if (matched == null) {
            Stream keys = two.withoutNulls(twoKeys).project(twoKeys).distinct();
            Stream pairs = inner(one, keys, oneKeys, range(0, twoKeys.size()), null);
            return pairs.project(range(0, one.columns().size()));
        }
        // NULL is a value here: both sides are rows of the same stream.
        List<Integer> all = range(0, one.columns().size());
        Arrangement rows = one.arrange(all);
        Arrangement wanted = matched.distinct().arrange(all);
        rows.retention().keepForever();
        wanted.retention().keepForever();
        Join.Spec spec = new Join.Spec(rows.places(), new int[0], Join.Range.NONE, List.of());
        Node joined = Join.of(rows.node(), wanted.node(), spec, new RowSchema(one.columns(), List.of()));
        return one.of(joined.placedBy(List.of(all)), one.columns());
    }

    private static Stream withoutPartner(
            Stream one, Stream two, List<Integer> oneKeys, List<Integer> twoKeys, @Nullable Stream matched) {
        return one.minus(withPartner(one, two, oneKeys, twoKeys, matched));
    }

    private static Stream padded(Stream alone, List<ColumnType> columns, int at) {
        List<ColumnType> own = alone.columns();
        return alone.map(columns, new RowMapper() {
            @Override
            public void map(RowView row, RowWriter out) {
                for (int column = 0; column < columns.size(); column++) {
                    int from = column - at;
                    if (from >= 0 && from < own.size()) {
                        out.copy(column, own.get(from).storage(), row, from);
                    } else {
                        out.setNull(column);
                    }
                }
            }

            @Override
            public String text() {
                return range(0, columns.size()).stream()
                        .map(column -> column - at)
                        .map(from -> from >= 0 && from < own.size() ? ShownSql.column(from) : "NULL")
                        .collect(Collectors.joining(", "));
            }

            @Override
            public String description() {
                return "filled with NULL around " + at;
            }

            @Override
            public List<Monotone> monotone() {
                return range(0, own.size()).stream()
                        .map(column -> new Monotone(at + column, column, LongUnaryOperator.identity()))
                        .toList();
            }
        });
    }
}
