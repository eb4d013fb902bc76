/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.execute;

import dev.ratchet.environment.GuardedCallbacks;
import dev.ratchet.futures.model.SchedulingSpecs;
import dev.ratchet.futures.queue.Capacity;
import dev.ratchet.futures.queue.Load;
import dev.ratchet.protocol.futures.v1.Requirements;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lets claimed futures start when what they require is free on this worker. Each kind starts in order of arrival, but
 * that those without requirements of their own come from one tenant after the other where several wait; futures with
 * requirements of their own go before the others, and while the first of them does not fit yet nothing else starts, so
 * that small tasks can not starve a large one. A suspended task keeps everything but its processors; when it goes on,
 * it takes them back even where others have them meanwhile. How much may wait is the caller's business. Safe for use by
 * several threads.
 */
final class Admission {

    private record Waiting(Execution execution, Runnable start) {}

    private final Capacity total;
    private final Deque<Waiting> special = new ArrayDeque<>();
    private final Deque<Waiting> plain = new ArrayDeque<>();
    private final Map<Execution, Requirements> running = new HashMap<>();
    private final Load load = new Load();
    private String lastTenant = "";

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

    /** Those of other tenants that run, for an execution that has just entered and waits; none where it has started. */
    synchronized List<Execution> inTheWayOf(Execution execution) {
        if (!isLast(special, execution) && !isLast(plain, execution)) {
            return List.of();
        }
        String tenant = tenant(execution);
        return running.keySet().stream()
                .filter(other -> !tenant(other).equals(tenant))
                .toList();
    }

    private static boolean isLast(Deque<Waiting> queue, Execution execution) {
        Waiting last = queue.peekLast();
        return last != null && last.execution() == execution;
    }

    private static String tenant(Execution execution) {
        return SchedulingSpecs.tenant(execution.claimed().record());
    }

    /** Whether a future without requirements of its own would start as soon as {@code brief} ones are finished. */
    synchronized boolean hasRoomBeside(Set<Execution> brief) {
        if (!special.isEmpty() || !plain.stream().allMatch(waiting -> brief.contains(waiting.execution()))) {
            return false;
        }
        List<Requirements> theirs =
                brief.stream().map(running::get).filter(Objects::nonNull).toList();
        theirs.forEach(load::remove);
        boolean fits = free().fits(SchedulingSpecs.DEFAULT_REQUIREMENTS);
        theirs.forEach(load::add);
        return fits;
    }

    /** It waits for others and needs no processor. */
    void suspended(Execution execution) {
        synchronized (this) {
            take(execution, withoutProcessors(execution.requirements()));
        }
        startSome();
    }

    /** It goes on. */
    synchronized void resumed(Execution execution) {
        take(execution, execution.requirements());
    }

    private void take(Execution execution, Requirements now) {
        Requirements before = running.replace(execution, now);
        if (before != null) {
            load.remove(before);
            load.add(now);
        }
    }

    /** What it has taken is free. */
    void finished(Execution execution) {
        synchronized (this) {
            Requirements taken = running.remove(execution);
            if (taken != null) {
                load.remove(taken);
            }
        }
        startSome();
    }

    /** What a suspended task keeps. */
    static Requirements withoutProcessors(Requirements requirements) {
        return requirements.toBuilder().clearCpuMillis().build();
    }

    private void startSome() {
        for (Waiting next = next(); next != null; next = next()) {
            GuardedCallbacks.run("a start", next.start());
        }
    }

    private synchronized @Nullable Waiting next() {
        Deque<Waiting> queue = special.isEmpty() ? plain : special;
        Waiting head = special.isEmpty() ? nextOfAnotherTenant() : special.peek();
        if (head == null) {
            return null;
        }
        if (head.execution().stopped() != null) {
            // Its claim is gone: it keeps nobody waiting for what it will never take, and its start lets its inputs go.
            queue.remove(head);
            return head;
        }
        if (!free().fits(head.execution().requirements())) {
            return null;
        }
        queue.remove(head);
        lastTenant = tenant(head.execution());
        running.put(head.execution(), head.execution().requirements());
        load.add(head.execution().requirements());
        return head;
    }

    /** The first of a tenant that was not served last; of that one where nobody else waits. */
    private @Nullable Waiting nextOfAnotherTenant() {
        for (Waiting waiting : plain) {
            if (!tenant(waiting.execution()).equals(lastTenant)) {
                return waiting;
            }
        }
        return plain.peek();
    }

    private Capacity free() {
        return load.leftOf(total);
    }
}
