/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.expression.function;

import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.NestedCodec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Arrays, maps and structs as objects; their parts as objects of {@link dev.ratchet.circuits.type.ObjectValues}. */
public final class NestedFunctions {

    /** An array of as many items is refused before it is made. */
    private static final int SIZE_MAX = 1 << 22;

    private NestedFunctions() {}

    /** The item at a position from 1; null outside. */
    public static @Nullable Object item(List<?> array, long position) {
        return position >= 1 && position <= array.size() ? array.get((int) position - 1) : null;
    }

    /** A part of a struct, by its index from 0. */
    public static @Nullable Object part(List<?> struct, int index) {
        return struct.get(index);
    }

    public static @Nullable Object valueAt(Map<?, ?> map, Object key) {
        if (hasOwnEquality(key)) {
            return map.get(key);
        }
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            if (isSame(entry.getKey(), key)) {
                return entry.getValue();
            }
        }
        return null;
    }

    public static long size(List<?> array) {
        return array.size();
    }

    public static long sizeOfMap(Map<?, ?> map) {
        return map.size();
    }

    public static boolean contains(List<?> array, Object item) {
        return position(array, item) > 0;
    }

    /** As x = ANY (array): null where only a NULL could have been equal. */
    public static @Nullable Boolean anyEqual(Object item, List<?> array) {
        return contains(array, item) ? Boolean.TRUE : array.stream().anyMatch(Objects::isNull) ? null : Boolean.FALSE;
    }

    public static boolean containsKey(Map<?, ?> map, Object key) {
        return hasOwnEquality(key)
                ? map.containsKey(key)
                : map.keySet().stream().anyMatch(known -> isSame(known, key));
    }

    public static boolean equal(Object left, Object right, ColumnType type) {
        return Arrays.equals(NestedCodec.encode(type, left), NestedCodec.encode(type, right));
    }

    public static boolean less(Object left, Object right, ColumnType type) {
        return Arrays.compareUnsigned(NestedCodec.encode(type, left), NestedCodec.encode(type, right)) < 0;
    }

    /** Array after array. */
    public static List<@Nullable Object> concatenate(List<?> left, List<?> right) {
        List<@Nullable Object> all = new ArrayList<>(left);
        all.addAll(right);
        return all;
    }

    /**
     * Puts the one item at a position from 1, or from the end, where -1 is behind the last; with NULLs between where it
     * is further out.
     */
    public static List<@Nullable Object> insert(List<?> array, long position, List<?> one) {
        if (position == 0) {
            throw new ArithmeticException("ARRAY_INSERT at 0; positions count from 1, or from -1 at the end");
        }
        long before = position > 0 ? position - 1 : array.size() + 1 + position;
        checkSize(position > 0 ? position : -position);
        List<@Nullable Object> all = new ArrayList<>(array);
        if (before < 0) {
            all.addAll(0, Collections.nCopies((int) -before, null));
            before = 0;
        } else if (before > all.size()) {
            all.addAll(Collections.nCopies((int) before - all.size(), null));
        }
        all.add((int) before, one.get(0));
        return all;
    }

    /** Without the items that equal one. */
    public static List<@Nullable Object> remove(List<?> array, Object item) {
        List<@Nullable Object> rest = new ArrayList<>(array);
        rest.removeIf(value -> isSame(value, item));
        return rest;
    }

    /** Without the items that are NULL. */
    public static List<@Nullable Object> compact(List<?> array) {
        List<@Nullable Object> rest = new ArrayList<>(array);
        rest.removeIf(Objects::isNull);
        return rest;
    }

    /** The items of either, each once, where it comes first. NULL is an item like others here and below. */
    public static List<@Nullable Object> union(List<?> left, List<?> right, ColumnType item) {
        return distinct(concatenate(left, right), item);
    }

    /** The items of the first that are in the second, each once. */
    public static List<@Nullable Object> intersection(List<?> left, List<?> right, ColumnType item) {
        return chosen(left, right, item, true);
    }

    /** The items of the first that are not in the second, each once. */
    public static List<@Nullable Object> difference(List<?> left, List<?> right, ColumnType item) {
        return chosen(left, right, item, false);
    }

    private static List<@Nullable Object> chosen(List<?> left, List<?> right, ColumnType item, boolean isIn) {
        TreeSet<@Nullable Object> others = new TreeSet<>(order(item));
        others.addAll(right);
        List<@Nullable Object> rest = distinct(left, item);
        rest.removeIf(value -> others.contains(value) != isIn);
        return rest;
    }

    /** Whether an item is in both. */
    public static boolean overlap(List<?> left, List<?> right, ColumnType item) {
        return !intersection(left, right, item).isEmpty();
    }

    /** The one item so many times; none where the number is negative. */
    public static List<@Nullable Object> repeat(List<?> one, long times) {
        checkSize(times);
        return new ArrayList<>(Collections.nCopies((int) Math.max(0, times), one.get(0)));
    }

    /** The integers from one to another. */
    public static List<Long> sequence(long from, long to) {
        if (from <= to) {
            checkSize(to - from < 0 ? Long.MAX_VALUE : to - from);
        }
        return LongStream.rangeClosed(from, to).boxed().toList();
    }

    private static void checkSize(long size) {
        if (size >= SIZE_MAX) {
            throw new ArithmeticException("An array of " + SIZE_MAX + " items or more, which no row can hold");
        }
    }

    /** The position of the first equal item, from 1; 0 where there is none. */
    public static long position(List<?> array, Object item) {
        for (int i = 0; i < array.size(); i++) {
            if (isSame(array.get(i), item)) {
                return i + 1L;
            }
        }
        return 0;
    }

    private static boolean hasOwnEquality(Object key) {
        return !(key instanceof byte[] || key instanceof List);
    }

    /** Equality of items, of which bytes have none of their own. */
    private static boolean isSame(@Nullable Object one, @Nullable Object other) {
        if (one instanceof List<?> left && other instanceof List<?> right) {
            return left.size() == right.size()
                    && IntStream.range(0, left.size()).allMatch(i -> isSame(left.get(i), right.get(i)));
        }
        return Objects.deepEquals(one, other);
    }

    /** Each item once, where it comes first. */
    public static List<@Nullable Object> distinct(List<?> array, ColumnType item) {
        TreeSet<@Nullable Object> seen = new TreeSet<>(order(item));
        List<@Nullable Object> rest = new ArrayList<>(array);
        rest.removeIf(value -> !seen.add(value));
        return rest;
    }

    public static List<@Nullable Object> sort(List<?> array, ColumnType item) {
        List<@Nullable Object> sorted = new ArrayList<>(array);
        sorted.sort(order(item));
        return sorted;
    }

    public static List<@Nullable Object> reverse(List<?> array, ColumnType item) {
        return new ArrayList<>(array.reversed());
    }

    /** The greatest item that is not NULL; null where there is none. */
    public static @Nullable Object greatest(List<?> array, ColumnType item) {
        List<@Nullable Object> sorted = sort(array, item);
        return sorted.isEmpty() ? null : sorted.getLast();
    }

    /** The least item that is not NULL; null where there is none. */
    public static @Nullable Object least(List<?> array, ColumnType item) {
        return sort(array, item).stream().filter(Objects::nonNull).findFirst().orElse(null);
    }

    /** NULL first, then as rows are ordered. */
    private static Comparator<@Nullable Object> order(ColumnType item) {
        ColumnType one = ColumnType.array(item);
        return Comparator.comparing(
                value -> NestedCodec.encode(one, Collections.singletonList(value)), Arrays::compareUnsigned);
    }

    /** The item of an array of one; null of none. */
    public static @Nullable Object onlyItem(List<?> array) {
        if (array.size() > 1) {
            throw new ArithmeticException("ELEMENT of an array of " + array.size() + " items; it needs one");
        }
        return array.isEmpty() ? null : array.get(0);
    }

    /** The texts with a separator between; NULLs are left out. */
    public static String join(List<?> array, String separator) {
        return array.stream().filter(Objects::nonNull).map(Object::toString).collect(Collectors.joining(separator));
    }

    /** The texts with a separator between, and another text for each NULL. */
    public static String joinWithNulls(List<?> array, String separator, String instead) {
        return array.stream()
                .map(item -> item == null ? instead : item.toString())
                .collect(Collectors.joining(separator));
    }

    public static List<@Nullable Object> keys(Map<?, ?> map) {
        return new ArrayList<>(map.keySet());
    }

    public static List<@Nullable Object> values(Map<?, ?> map) {
        return new ArrayList<>(map.values());
    }
}
