/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.expression.function;

import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.NestedCodec;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Arrays, maps and structs as objects; their parts as objects of {@link dev.ratchet.circuits.type.ObjectValues}. */
public final class NestedFunctions {

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
        return map.get(key);
    }

    public static long size(List<?> array) {
        return array.size();
    }

    public static long sizeOfMap(Map<?, ?> map) {
        return map.size();
    }

    public static boolean contains(List<?> array, Object item) {
        return array.contains(item);
    }

    public static boolean containsKey(Map<?, ?> map, Object key) {
        return map.containsKey(key);
    }

    public static boolean equal(Object left, Object right, ColumnType type) {
        return Arrays.equals(NestedCodec.encode(type, left), NestedCodec.encode(type, right));
    }

    public static boolean less(Object left, Object right, ColumnType type) {
        return Arrays.compareUnsigned(NestedCodec.encode(type, left), NestedCodec.encode(type, right)) < 0;
    }
}
