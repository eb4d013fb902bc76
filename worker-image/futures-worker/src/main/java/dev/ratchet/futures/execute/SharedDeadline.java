/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.execute;

import dev.ratchet.environment.Environment;
import dev.ratchet.environment.Environment.Cancellable;
import dev.ratchet.environment.GuardedCallbacks;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Ends what takes longer than a time that is the same for all. Nearly everything ends by itself long before, so there
 * is one timer for whatever is under way, which is set for the oldest and looks for the next when it rings: setting one
 * for each wakes a thread each time. As long as what is under way. Thread-safe.
 */
final class SharedDeadline {

    private final Environment environment;
    private final long millis;
    /** Until when, oldest first. */
    private final Map<Object, Waiting> waiting = new LinkedHashMap<>();

    private boolean isSet;

    private record Waiting(long untilNanos, Runnable end) {}

    SharedDeadline(Environment environment, long millis) {
        this.environment = environment;
        this.millis = millis;
    }

    /** Calls {@code end} when the time is over, unless that is cancelled before. */
    Cancellable begin(Runnable end) {
        Object key = new Object();
        synchronized (this) {
            waiting.put(key, new Waiting(environment.nanoTime() + millis * 1_000_000, end));
            if (!isSet) {
                set(millis);
            }
        }
        return () -> {
            synchronized (this) {
                waiting.remove(key);
            }
        };
    }

    private void set(long inMillis) {
        isSet = true;
        var unused = environment.schedule(inMillis, this::ring);
    }

    private void ring() {
        List<Runnable> over = new ArrayList<>();
        synchronized (this) {
            isSet = false;
            long now = environment.nanoTime();
            waiting.values().removeIf(one -> {
                boolean isOver = one.untilNanos() - now <= 0;
                if (isOver) {
                    over.add(one.end());
                }
                return isOver;
            });
            waiting.values().stream().findFirst().ifPresent(next -> set(1 + (next.untilNanos() - now) / 1_000_000));
        }
        GuardedCallbacks.each("the end of a deadline", over, Runnable::run);
    }
}
