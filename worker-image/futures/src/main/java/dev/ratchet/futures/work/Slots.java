/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.work;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * The threads that run users' code, one per slot, and nothing else does. Work waits here in order of arrival; how much
 * may wait is the caller's business.
 */
final class Slots {

    private final LinkedBlockingQueue<Runnable> work = new LinkedBlockingQueue<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean stopped;

    /** @param factory makes the threads; they must be daemons, so that code that never ends can not hold the process */
    Slots(int count, ThreadFactory factory) {
        for (int i = 0; i < count; i++) {
            Thread thread = factory.newThread(this::serve);
            threads.add(thread);
            thread.start();
        }
    }

    void execute(Runnable task) {
        work.add(task);
    }

    /** Ends the threads, interrupting what they run. */
    void stop() {
        stopped = true;
        threads.forEach(Thread::interrupt);
    }

    private void serve() {
        while (!stopped) {
            Runnable next = take();
            if (next != null) {
                next.run();
            }
        }
    }

    /** Null when interrupted: by the end, or by an interrupt that came too late for what it was meant for. */
    private @Nullable Runnable take() {
        try {
            return work.take();
        } catch (InterruptedException stop) {
            return null;
        }
    }
}
