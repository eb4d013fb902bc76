/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import dev.ratchet.client.Ratchet;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds the user's part of a task: the client API has tasks of its own, records that are made around users' code. */
final class UserCode {

    private static final String API = Ratchet.class.getPackageName();

    private static final String IMPLEMENTATION = RemoteFuture.class.getPackageName();

    /** Objects looked at. */
    private static final int OBJECTS_MAX = 1_000;

    private UserCode() {}

    /** The first user's class in the task or, failing that, in what it is applied to; empty if there is none. */
    static Optional<Class<?>> classOf(Object task, @Nullable Object argument) {
        return find(task).or(() -> argument == null ? Optional.empty() : find(argument));
    }

    /** Whether objects of the class are a user's own. */
    static boolean isUsers(Class<?> type) {
        return !isOfApi(type) && type.getClassLoader() != null;
    }

    private static Optional<Class<?>> find(Object root) {
        Deque<Object> open = new ArrayDeque<>();
        open.add(root);
        for (int seen = 0; !open.isEmpty() && seen < OBJECTS_MAX; seen++) {
            Object next = open.remove();
            Class<?> type = next.getClass();
            if (next instanceof Iterable<?> elements) {
                for (Object element : elements) {
                    if (element != null && open.size() < OBJECTS_MAX) {
                        open.add(element);
                    }
                }
            } else if (isUsers(type)) {
                return Optional.of(type);
            } else if (type.isRecord()) {
                for (RecordComponent component : type.getRecordComponents()) {
                    Object value = value(component.getAccessor(), next);
                    if (value != null) {
                        open.add(value);
                    }
                }
            }
        }
        return Optional.empty();
    }

    private static boolean isOfApi(Class<?> type) {
        return type.getPackageName().startsWith(IMPLEMENTATION)
                || type.getPackageName().equals(API)
                || type.getPackageName().startsWith(API + ".");
    }

    private static @Nullable Object value(Method accessor, Object target) {
        try {
            accessor.setAccessible(true);
            return accessor.invoke(target);
        } catch (IllegalAccessException | InvocationTargetException unschedulable) {
            throw new IllegalStateException("A component of a record can not be read: " + accessor, unschedulable);
        }
    }
}
