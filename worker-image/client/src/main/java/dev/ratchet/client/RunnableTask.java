/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

import org.jspecify.annotations.Nullable;

/**
 * A plain {@link Runnable} as a task; it must be serialisable all the same.
 *
 * @param task what to run
 * @param value what the task returns
 */
public record RunnableTask<T>(Runnable task, @Nullable T value) implements SerializableCallable<T> {

    @Override
    @SuppressWarnings("NullAway") // Who gives null gets null.
    public T call() {
        task.run();
        return value;
    }
}
