/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.environment;

import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/** Another environment, of which a part is changed. */
public interface ForwardingEnvironment extends Environment {

    /** The one that does all that is not changed. */
    Environment real();

    @Override
    default long nanoTime() {
        return real().nanoTime();
    }

    @Override
    default long wallClockMillis() {
        return real().wallClockMillis();
    }

    @Override
    default Executor executor() {
        return real().executor();
    }

    @Override
    default Executor blockingExecutor() {
        return real().blockingExecutor();
    }

    @Override
    default Cancellable schedule(long delayMillis, Runnable task) {
        return real().schedule(delayMillis, task);
    }

    @Override
    default RandomGenerator random() {
        return real().random();
    }
}
