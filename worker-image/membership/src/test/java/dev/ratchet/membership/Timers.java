/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership;

import dev.ratchet.environment.Environment;
import dev.ratchet.environment.ForwardingEnvironment;
import java.util.List;
import java.util.concurrent.Executor;

/** Timers that fire when the test says so; one that is cancelled does nothing. What does not block runs at once. */
public record Timers(Environment real, List<Runnable> waiting) implements ForwardingEnvironment {

    /** Whatever waits is due. */
    public void fire() {
        List<Runnable> due = List.copyOf(waiting);
        waiting.removeAll(due);
        due.forEach(Runnable::run);
    }

    @Override
    public Cancellable schedule(long delayMillis, Runnable task) {
        waiting.add(task);
        return () -> waiting.remove(task);
    }

    @Override
    public Executor executor() {
        return Runnable::run;
    }
}
