/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import dev.ratchet.environment.ForwardingEnvironment;
import dev.ratchet.environment.SystemEnvironment;
import java.util.concurrent.Executor;

/** The real environment of one process of a test, which can die like kill -9: from then on nothing of it runs. */
final class MortalEnvironment implements ForwardingEnvironment {

    private final SystemEnvironment real = new SystemEnvironment();
    private volatile boolean dead;

    @Override
    public SystemEnvironment real() {
        return real;
    }

    void die() {
        dead = true;
    }

    boolean isDead() {
        return dead;
    }

    void close() {
        real.close();
    }

    @Override
    public Executor executor() {
        return mortal(real.executor());
    }

    @Override
    public Executor blockingExecutor() {
        return mortal(real.blockingExecutor());
    }

    private Executor mortal(Executor executor) {
        return task -> {
            if (!dead) {
                executor.execute(() -> {
                    if (!dead) {
                        task.run();
                    }
                });
            }
        };
    }

    @Override
    public Cancellable schedule(long delayMillis, Runnable task) {
        return real.schedule(delayMillis, () -> {
            if (!dead) {
                task.run();
            }
        });
    }
}
