/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sample;

import dev.ratchet.circuits.operator.RankKind;
import dev.ratchet.circuits.operator.SortColumn;
import dev.ratchet.circuits.operator.TopK;
import dev.ratchet.circuits.operator.WindowFrame;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/** The slow twins of operators that need an order: every row looks at every other row of its group. */
public final class OrderModels {

    private OrderModels() {}

    /** Groups as lists of rows, each as often as its weight says, in the order and then by all columns. */
    public static List<List<List<Object>>> partitions(ModelSet set, List<Integer> group, List<SortColumn> order) {
        Map<List<Object>, List<List<Object>>> groups = new HashMap<>();
        set.weights().forEach((row, weight) -> {
            List<Object> key = new ArrayList<>();
            group.forEach(column -> key.add(row.get(column)));
            for (long copy = 0; copy < weight; copy++) {
                groups.computeIfAbsent(key, wanted -> new ArrayList<>()).add(row);
            }
        });
        groups.values().forEach(rows -> rows.sort(total(order, set)));
        return List.copyOf(groups.values());
    }

    private static Comparator<List<Object>> total(List<SortColumn> order, ModelSet set) {
        int width = set.weights().isEmpty()
                ? 0
                : set.weights().keySet().iterator().next().size();
        Comparator<List<Object>> all = by(order);
        for (int column = 0; column < width; column++) {
            all = all.thenComparing(by(List.of(SortColumn.ascending(column))));
        }
        return all;
    }

    /** By the order columns alone: 0 says that two rows are peers. */
    public static Comparator<List<Object>> by(List<SortColumn> order) {
        return (left, right) -> {
            for (SortColumn sort : order) {
                Object one = left.get(sort.column());
                Object two = right.get(sort.column());
                int result;
                if (one == null || two == null) {
                    result = Boolean.compare(one != null, two != null) * (sort.nullsFirst() ? 1 : -1);
                } else {
                    result = Models.compare(one, two) * (sort.descending() ? -1 : 1);
                }
                if (result != 0) {
                    return result;
                }
            }
            return 0;
        };
    }

    public static ModelSet topK(ModelSet set, List<Integer> group, List<SortColumn> order, TopK.Spec spec) {
        ModelSet result = new ModelSet();
        for (List<List<Object>> rows : partitions(set, group, order)) {
            for (int i = 0; i < rows.size(); i++) {
                long number = number(spec.kind(), rows, i, order);
                if (number > spec.offset() && number <= spec.offset() + spec.limit()) {
                    List<Object> row = new ArrayList<>(rows.get(i));
                    if (spec.withRank()) {
                        row.add(number);
                    }
                    result.add(row, 1);
                }
            }
        }
        return result;
    }

    public static long number(RankKind kind, List<List<Object>> rows, int row, List<SortColumn> order) {
        if (kind == RankKind.ROW_NUMBER) {
            return row + 1L;
        }
        long distinct = 1;
        int first = 0;
        for (int i = 1; i <= row; i++) {
            if (by(order).compare(rows.get(i - 1), rows.get(i)) != 0) {
                distinct++;
                first = i;
            }
        }
        return kind == RankKind.RANK ? first + 1L : distinct;
    }

    /** The rows that a row sees through a frame. */
    public static List<List<Object>> frame(
            List<List<Object>> rows, int row, List<SortColumn> order, WindowFrame frame) {
        List<List<Object>> seen = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            if (reaches(rows, row, i, order, frame.from(), frame.byValue(), true)
                    && reaches(rows, row, i, order, frame.to(), frame.byValue(), false)) {
                seen.add(rows.get(i));
            }
        }
        return seen;
    }

    private static boolean reaches(
            List<List<Object>> rows,
            int row,
            int other,
            List<SortColumn> order,
            long bound,
            boolean byValue,
            boolean from) {
        if (bound == WindowFrame.UNBOUNDED_PRECEDING || bound == WindowFrame.UNBOUNDED_FOLLOWING) {
            return true;
        }
        int sign = from ? 1 : -1;
        if (!byValue) {
            return sign * Long.compare(other - row, bound) >= 0;
        }
        boolean isBeyond = sign * Integer.compare(other, row) > 0;
        boolean reaches = isBeyond || by(order).compare(rows.get(row), rows.get(other)) == 0;
        if (bound == 0) {
            return reaches;
        }
        Object mine = rows.get(row).get(order.get(0).column());
        Object theirs = rows.get(other).get(order.get(0).column());
        if (mine == null || theirs == null) {
            return reaches;
        }
        BigInteger difference = BigInteger.valueOf((Long) theirs).subtract(BigInteger.valueOf((Long) mine));
        BigInteger distance = order.get(0).descending() ? difference.negate() : difference;
        return sign * distance.compareTo(BigInteger.valueOf(bound)) >= 0;
    }

    /** Each row with further columns, computed from its partition and its place there. */
    public static ModelSet window(
            ModelSet set,
            List<Integer> group,
            List<SortColumn> order,
            BiFunction<List<List<Object>>, Integer, List<Object>> added) {
        ModelSet result = new ModelSet();
        for (List<List<Object>> rows : partitions(set, group, order)) {
            for (int i = 0; i < rows.size(); i++) {
                List<Object> row = new ArrayList<>(rows.get(i));
                row.addAll(added.apply(rows, i));
                result.add(row, 1);
            }
        }
        return result;
    }
}
