/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.execute;

import dev.ratchet.environment.GuardedCallbacks;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * The right to run users' code, a fixed number of times. A task has a slot from its start to its end, but for the times
 * in which it waits for other futures: then its thread keeps the suspended frame, and the slot goes to somebody else.
 * Who wants to go on comes before who has not started, so that frames do not pile up; both in order of arrival. How
 * much may wait is the caller's business. Safe for use by several threads.
 */
public final class Slots {

    private final Deque<Runnable> work = new ArrayDeque<>();
    private final Deque<CountDownLatch> resuming = new ArrayDeque<>();
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private final ThreadFactory factory;
    private final int count;
    private int free;
    private volatile boolean stopped;

    /** @param factory makes the threads; they must not hold the process when their code never ends */
    public Slots(int count, ThreadFactory factory) {
        this.count = count;
        this.free = count;
        this.factory = factory;
    }

    /** How many there are. */
    int count() {
        return count;
    }

    /** Runs {@code task} on a thread of its own as soon as there is a slot. */
    void execute(Runnable task) {
        synchronized (this) {
            if (free <= 0) {
                work.add(task);
                return;
            }
            free--;
        }
        start(task);
    }

    /** Gives away the slot of the calling thread. */
    void release() {
        Runnable next = nextOrRelease();
        if (next != null) {
            start(next);
        }
    }

    /**
     * Waits for a slot for the calling thread, which has given its own away. An interrupt ends the wait, as
     * {@link #overdraw} does, and stays pending.
     */
    void acquire() {
        CountDownLatch turn;
        synchronized (this) {
            if (free > 0) {
                free--;
                return;
            }
            turn = new CountDownLatch(1);
            resuming.add(turn);
        }
        try {
            turn.await();
        } catch (InterruptedException interrupted) {
            synchronized (this) {
                if (resuming.remove(turn)) {
                    free--;
                }
            }
            Thread.currentThread().interrupt();
        }
    }

    /** Goes on without waiting, with one more than there are: for code that was told to end. */
    synchronized void overdraw() {
        free--;
    }

    /** Starts nothing more, and interrupts what runs. */
    public void stop() {
        synchronized (this) {
            stopped = true;
            work.clear();
        }
        threads.forEach(Thread::interrupt);
    }

    private void start(Runnable first) {
        factory.newThread(() -> serve(first)).start();
    }

    /** Runs tasks one after the other with one slot, until nobody is left who wants it. */
    private void serve(Runnable first) {
        Thread thread = Thread.currentThread();
        threads.add(thread);
        try {
            Runnable next = first;
            while (next != null && !stopped) {
                GuardedCallbacks.run("a task", next);
                next = nextOrRelease();
            }
        } finally {
            threads.remove(thread);
        }
    }

    /** The task that gets the slot of the caller; null if somebody else has got it, or nobody wants it. */
    private @Nullable Runnable nextOrRelease() {
        CountDownLatch waiting;
        synchronized (this) {
            if (free < 0) {
                free++;
                return null;
            }
            waiting = resuming.poll();
            Runnable task = waiting == null ? work.poll() : null;
            if (task != null) {
                return task;
            }
            if (waiting == null) {
                free++;
            }
        }
        if (waiting != null) {
            waiting.countDown();
        }
        return null;
    }
}
