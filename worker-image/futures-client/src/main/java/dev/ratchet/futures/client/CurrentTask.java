/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import dev.ratchet.client.TaskContext;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Which task the calling thread runs. */
public final class CurrentTask {

    private static final ThreadLocal<@Nullable TaskContext> CURRENT = new ThreadLocal<>();

    private CurrentTask() {}

    public static Optional<TaskContext> get() {
        return Optional.ofNullable(CURRENT.get());
    }

    /** From now on the calling thread runs {@code task}; null: none. */
    public static void set(@Nullable TaskContext task) {
        if (task == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(task);
        }
    }
}
