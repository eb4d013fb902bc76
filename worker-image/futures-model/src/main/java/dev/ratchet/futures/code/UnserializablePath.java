/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.code;

import dev.ratchet.client.DurableFuture;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds by which fields an object leads to one that can not be serialised, breadth first, so that the shortest path is
 * named. Looks into users' classes, arrays, collections and maps, at no more than 100,000 objects.
 */
final class UnserializablePath {

    private static final int OBJECTS_MAX = 100_000;

    private record Step(Object object, String path) {}

    private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Deque<Step> open = new ArrayDeque<>();

    private UnserializablePath() {}

    /**
     * The path from {@code root} to the first object of the class, such as {@code task.arg$1.connection}.
     *
     * @param name of the root
     */
    static String to(Object root, String name, String className) {
        UnserializablePath search = new UnserializablePath();
        search.visit(root, name);
        while (!search.open.isEmpty() && search.seen.size() < OBJECTS_MAX) {
            Step step = search.open.remove();
            if (step.object().getClass().getName().equals(className)) {
                return step.path();
            }
            search.expand(step);
        }
        return "something in it";
    }

    private void visit(@Nullable Object object, String path) {
        if (object != null && !(object instanceof DurableFuture<?>) && seen.add(object)) {
            open.add(new Step(object, path));
        }
    }

    private void expand(Step step) {
        Object object = step.object();
        switch (object) {
            case Object[] array -> {
                for (int i = 0; i < array.length; i++) {
                    visit(array[i], step.path() + "[" + i + "]");
                }
            }
            case Collection<?> collection -> {
                int i = 0;
                for (Object element : collection) {
                    visit(element, step.path() + "[" + i++ + "]");
                }
            }
            case Map<?, ?> map ->
                map.forEach((key, value) -> {
                    visit(key, step.path() + ".key(" + key + ")");
                    visit(value, step.path() + "[" + key + "]");
                });
            default -> {
                for (Class<?> type = object.getClass(); type != null; type = type.getSuperclass()) {
                    expandFields(step, type);
                }
            }
        }
    }

    private void expandFields(Step step, Class<?> type) {
        for (Field field : type.getDeclaredFields()) {
            int modifiers = field.getModifiers();
            if (Modifier.isStatic(modifiers)
                    || Modifier.isTransient(modifiers)
                    || field.getType().isPrimitive()) {
                continue;
            }
            try {
                if (field.trySetAccessible()) {
                    visit(field.get(step.object()), step.path() + "." + field.getName());
                }
            } catch (IllegalAccessException closed) {
                throw new IllegalStateException("An accessible field can not be read: " + field, closed);
            }
        }
    }
}
