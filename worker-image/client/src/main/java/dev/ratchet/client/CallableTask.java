/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

import java.util.concurrent.Callable;

/**
 * A plain {@link Callable} as a task; it must be serialisable all the same.
 *
 * @param task what to call
 */
public record CallableTask<T>(Callable<T> task) implements SerializableCallable<T> {

    @Override
    public T call() throws Exception {
        return task.call();
    }
}
