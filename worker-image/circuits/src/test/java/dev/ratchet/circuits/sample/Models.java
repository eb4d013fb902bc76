/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sample;

import dev.ratchet.circuits.builder.JoinKind;
import dev.ratchet.circuits.operator.AggregateCall;
import dev.ratchet.circuits.operator.AggregateKind;
import dev.ratchet.circuits.type.TypeKind;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.LongBinaryOperator;

/** The slow twins of operators: functions from whole sets to whole sets, as simple as they can be. */
public final class Models {

    private Models() {}

    public static List<Object> listOf(Object... values) {
        return new ArrayList<>(java.util.Arrays.asList(values));
    }

    public static ModelSet weigh(ModelSet left, ModelSet right, LongBinaryOperator law) {
        Set<List<Object>> rows = new HashSet<>(left.weights().keySet());
        rows.addAll(right.weights().keySet());
        ModelSet result = new ModelSet();
        for (List<Object> row : rows) {
            long weight = law.applyAsLong(
                    left.weights().getOrDefault(row, 0L), right.weights().getOrDefault(row, 0L));
            result.add(row, weight);
        }
        return result;
    }

    public static ModelSet join(
            JoinKind kind,
            List<ModelSet> sets,
            int leftKey,
            int rightKey,
            int width,
            BiPredicate<List<Object>, List<Object>> condition) {
        ModelSet result = new ModelSet();
        Set<List<Object>> lonelyRight = new HashSet<>(sets.get(1).weights().keySet());
        sets.get(0).weights().forEach((left, weight) -> {
            boolean lonely = true;
            for (Map.Entry<List<Object>, Long> entry : sets.get(1).weights().entrySet()) {
                List<Object> right = entry.getKey();
                Object key = left.get(leftKey);
                if (key != null && key.equals(right.get(rightKey)) && condition.test(left, right)) {
                    lonely = false;
                    lonelyRight.remove(right);
                    if (kind != JoinKind.SEMI && kind != JoinKind.ANTI) {
                        result.add(concat(left, right), weight * entry.getValue());
                    }
                }
            }
            if (lonely && (kind == JoinKind.LEFT || kind == JoinKind.FULL)) {
                result.add(concat(left, Collections.nCopies(width, null)), weight);
            }
            if (lonely ? kind == JoinKind.ANTI : kind == JoinKind.SEMI) {
                result.add(left, weight);
            }
        });
        if (kind == JoinKind.RIGHT || kind == JoinKind.FULL) {
            lonelyRight.forEach(right -> result.add(
                    concat(Collections.nCopies(width, null), right),
                    sets.get(1).weights().get(right)));
        }
        return result;
    }

    private static List<Object> concat(List<?> left, List<?> right) {
        List<Object> row = new ArrayList<>(left);
        row.addAll(right);
        return row;
    }

    public static ModelSet aggregate(ModelSet set, List<Integer> group, List<AggregateCall> calls) {
        Map<List<Object>, List<List<Object>>> groups = new HashMap<>();
        if (group.isEmpty()) {
            groups.put(List.of(), new ArrayList<>());
        }
        set.weights().forEach((row, weight) -> {
            List<Object> key = new ArrayList<>();
            group.forEach(column -> key.add(row.get(column)));
            for (long copy = 0; copy < weight; copy++) {
                groups.computeIfAbsent(key, wanted -> new ArrayList<>()).add(row);
            }
        });
        ModelSet result = new ModelSet();
        groups.forEach((key, rows) -> {
            List<Object> row = new ArrayList<>(key);
            calls.forEach(call -> row.add(aggregate(call, rows)));
            result.add(row, 1);
        });
        return result;
    }

    /** What a call makes of the rows of a group, each as often as it is there. */
    public static Object aggregate(AggregateCall call, List<List<Object>> rows) {
        List<List<Object>> counted = new ArrayList<>(rows);
        counted.removeIf(row -> call.filter() >= 0 && !Boolean.TRUE.equals(row.get(call.filter())));
        if (call.kind().isOfPairs()) {
            return GroupModels.ofPairs(call, counted);
        }
        if (call.kind() == AggregateKind.FIRST) {
            return GroupModels.first(call, counted, Comparator.nullsFirst(Models::compare));
        }
        List<Object> values = new ArrayList<>();
        for (List<Object> row : counted) {
            values.add(call.argument() < 0 ? "row" : row.get(call.argument()));
        }
        if (call.distinct()) {
            values = new ArrayList<>(new HashSet<>(values));
        }
        Comparator<Object> order = Comparator.nullsFirst((a, b) -> compare(a, b));
        values.sort(order);
        if (call.kind().name().equals("ARRAY_AGG")) {
            return values.isEmpty() ? null : values;
        }
        values.removeIf(java.util.Objects::isNull);
        if (call.kind().name().equals("COUNT")) {
            return (long) values.size();
        }
        if (values.isEmpty()) {
            return null;
        }
        return switch (call.kind()) {
            case MIN -> values.get(0);
            case MAX -> values.get(values.size() - 1);
            case EVERY -> !values.contains(false);
            case SOME -> values.contains(true);
            case SUM, AVG -> sum(call, values);
            case MODE -> GroupModels.mode(values);
            case BIT_AND, BIT_OR, BIT_XOR -> GroupModels.bits(call, values);
            case PERCENTILE_CONT, PERCENTILE_DISC -> GroupModels.percentile(call, values);
            default -> variance(call, values);
        };
    }

    @SuppressWarnings("unchecked")
    static int compare(Object a, Object b) {
        if (a instanceof String text) {
            return java.util.Arrays.compareUnsigned(
                    text.getBytes(java.nio.charset.StandardCharsets.UTF_8),
                    ((String) b).getBytes(java.nio.charset.StandardCharsets.UTF_8));
        }
        return ((Comparable<Object>) a).compareTo(b);
    }

    private static Object sum(AggregateCall call, List<Object> values) {
        boolean mean = call.kind().name().equals("AVG");
        if (call.result().kind() == TypeKind.DOUBLE) {
            double special =
                    values.stream().mapToDouble(value -> (Double) value).sum();
            if (Double.isNaN(special) || Double.isInfinite(special)) {
                return special;
            }
        }
        BigDecimal sum = BigDecimal.ZERO;
        for (Object value : values) {
            sum = sum.add(value instanceof Double number ? new BigDecimal(number) : new BigDecimal((Long) value));
        }
        if (call.result().kind() == TypeKind.DOUBLE) {
            return sum.doubleValue();
        }
        return (mean ? sum.divide(BigDecimal.valueOf(values.size()), 0, RoundingMode.DOWN) : sum).longValueExact();
    }

    private static Object variance(AggregateCall call, List<Object> values) {
        boolean sample = call.kind().name().endsWith("SAMP");
        long divisor = sample ? values.size() - 1 : values.size();
        if (divisor == 0) {
            return null;
        }
        MathContext digits = new MathContext(60);
        BigDecimal count = BigDecimal.valueOf(values.size());
        BigDecimal sum = BigDecimal.ZERO;
        for (Object value : values) {
            sum = sum.add(BigDecimal.valueOf((Long) value));
        }
        BigDecimal mean = sum.divide(count, digits);
        BigDecimal spread = BigDecimal.ZERO;
        for (Object value : values) {
            BigDecimal distance = BigDecimal.valueOf((Long) value).subtract(mean);
            spread = spread.add(distance.multiply(distance));
        }
        BigDecimal variance = spread.divide(BigDecimal.valueOf(divisor), new MathContext(40));
        boolean root = call.kind().name().startsWith("STDDEV");
        return (root ? variance.sqrt(new MathContext(40)) : variance).doubleValue();
    }
}
