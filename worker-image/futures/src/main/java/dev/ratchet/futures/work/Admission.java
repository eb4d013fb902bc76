/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.work;

import dev.ratchet.futures.queue.Capacity;
import dev.ratchet.futures.record.Treatments;
import dev.ratchet.protocol.futures.v1.Requirements;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lets claimed futures start when what they require is free on this worker. Each kind starts in order of arrival;
 * futures with requirements of their own go before the others, and while the first of them does not fit yet nothing
 * else starts, so that small tasks can not starve a large one. A suspended task keeps everything but its processors;
 * when it goes on, it takes them back even where others have them meanwhile. How much may wait is the caller's
 * business. Safe for use by several threads.
 */
final class Admission {

    private record Waiting(Execution execution, Runnable start) {}

    private final Capacity total;
    private final Deque<Waiting> special = new ArrayDeque<>();
    private final Deque<Waiting> plain = new ArrayDeque<>();
    private final Map<Execution, Requirements> running = new LinkedHashMap<>();

    Admission(Capacity total) {
        this.total = total;
    }

    /** Runs {@code start} as soon as what the execution requires is free, until {@link #finished}. */
    void enter(Execution execution, Runnable start) {
        synchronized (this) {
            (execution.isSpecial() ? special : plain).add(new Waiting(execution, start));
        }
        startSome();
    }

    /** Whether a future without requirements of its own would start as soon as {@code brief} ones are finished. */
    synchronized boolean hasRoomBeside(Set<Execution> brief) {
        Capacity free = total;
        for (Map.Entry<Execution, Requirements> taken : running.entrySet()) {
            if (!brief.contains(taken.getKey())) {
                free = free.minus(taken.getValue());
            }
        }
        return special.isEmpty()
                && plain.stream().allMatch(waiting -> brief.contains(waiting.execution()))
                && free.fits(Treatments.DEFAULT_REQUIREMENTS);
    }

    /** It waits for others and needs no processor. */
    void suspended(Execution execution) {
        synchronized (this) {
            running.replace(execution, withoutProcessors(execution.requirements()));
        }
        startSome();
    }

    /** It goes on. */
    synchronized void resumed(Execution execution) {
        running.replace(execution, execution.requirements());
    }

    /** What it has taken is free. */
    void finished(Execution execution) {
        synchronized (this) {
            running.remove(execution);
        }
        startSome();
    }

    /** What a suspended task keeps. */
    static Requirements withoutProcessors(Requirements requirements) {
        return requirements.toBuilder().clearCpuMillis().build();
    }

    private void startSome() {
        for (Waiting next = next(); next != null; next = next()) {
            next.start().run();
        }
    }

    private synchronized @Nullable Waiting next() {
        Deque<Waiting> queue = special.isEmpty() ? plain : special;
        Waiting head = queue.peek();
        if (head == null || !free().fits(head.execution().requirements())) {
            return null;
        }
        queue.remove();
        running.put(head.execution(), head.execution().requirements());
        return head;
    }

    private Capacity free() {
        Capacity free = total;
        for (Requirements taken : running.values()) {
            free = free.minus(taken);
        }
        return free;
    }
}
