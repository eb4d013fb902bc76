/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import dev.ratchet.client.Ratchet;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Finds the user's part of a task: the client API has tasks of its own, records that are made around users' code. */
final class UserCode {

    private static final String API = Ratchet.class.getPackageName();

    private UserCode() {}

    /** The class whose artifact the task needs: its own, or that of the first user's object within. */
    static Class<?> classOf(Object task) {
        Deque<Object> open = new ArrayDeque<>();
        open.add(task);
        while (!open.isEmpty()) {
            Object next = open.remove();
            Class<?> type = next.getClass();
            if (!isOfApi(type)) {
                if (next == task || type.getClassLoader() != null) {
                    return type;
                }
            } else if (type.isRecord()) {
                for (RecordComponent component : type.getRecordComponents()) {
                    Object value = value(component.getAccessor(), next);
                    if (value != null) {
                        open.add(value);
                    }
                }
            }
        }
        return task.getClass();
    }

    private static boolean isOfApi(Class<?> type) {
        return type.getPackageName().equals(API) || type.getPackageName().startsWith(API + ".");
    }

    private static @Nullable Object value(Method accessor, Object target) {
        try {
            accessor.setAccessible(true);
            return accessor.invoke(target);
        } catch (IllegalAccessException | InvocationTargetException impossible) {
            throw new IllegalStateException("A component of a record can not be read: " + accessor, impossible);
        }
    }
}
