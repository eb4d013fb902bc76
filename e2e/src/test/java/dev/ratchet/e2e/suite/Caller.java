/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.suite;

import dev.ratchet.client.RatchetException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/**
 * Somebody who makes one call after the other until he is ended, and the longest time in which none of his calls ended.
 * The thread that begins it ends it; calls are made on a thread of its own.
 */
final class Caller {

    /** Between two calls, so that a caller takes a small part of a processor. */
    private static final int REST_MILLIS = 5;

    /** One call, with its number. @throws Exception where it has failed */
    interface Call {
        void make(int number) throws Exception;
    }

    private final Call call;
    private final FutureTask<Integer> task = new FutureTask<>(this::run);
    private final List<String> failures = new ArrayList<>();
    private long lastNanos = System.nanoTime();
    private long longestNanos;
    private int ends;
    private volatile boolean ending;

    private Caller(Call call) {
        this.call = call;
    }

    static Caller start(Call call) {
        Caller caller = new Caller(call);
        Thread.ofPlatform().name("caller").daemon().start(caller.task);
        return caller;
    }

    private int run() throws InterruptedException {
        int number = 0;
        while (!ending) {
            try {
                call.make(number);
                ended();
            } catch (InterruptedException stopped) {
                throw stopped;
            } catch (Exception failed) {
                failed(failed);
            }
            number++;
            TimeUnit.MILLISECONDS.sleep(REST_MILLIS);
        }
        return number;
    }

    private synchronized void ended() {
        long now = System.nanoTime();
        longestNanos = Math.max(longestNanos, now - lastNanos);
        lastNanos = now;
        ends++;
    }

    /** Whether another call has ended since now. */
    synchronized Callable<Boolean> nextEnd() {
        int before = ends;
        return () -> ends() > before;
    }

    private synchronized int ends() {
        return ends;
    }

    private synchronized void failed(Exception failure) {
        failures.add(failure instanceof RatchetException ? String.valueOf(failure.getMessage()) : failure.toString());
    }

    /** The longest time without the end of a call since this was asked last, or since the beginning. */
    synchronized long takeLongestMillis() {
        long longest = Math.max(longestNanos, System.nanoTime() - lastNanos);
        longestNanos = 0;
        return TimeUnit.NANOSECONDS.toMillis(longest);
    }

    /** What calls have failed with. */
    synchronized List<String> failures() {
        return List.copyOf(failures);
    }

    /** Makes no more calls, waits for the last one, and says how many there were. */
    int end() throws InterruptedException {
        ending = true;
        try {
            return task.get();
        } catch (ExecutionException broken) {
            throw new AssertionError("a caller has ended early", broken.getCause());
        }
    }
}
