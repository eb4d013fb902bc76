/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.execute;

import dev.ratchet.client.FutureId;
import dev.ratchet.futures.claim.Claimer;
import dev.ratchet.futures.claim.HeldClaims;
import dev.ratchet.futures.model.SchedulingSpecs;
import dev.ratchet.futures.queue.Capacity;
import dev.ratchet.futures.queue.Load;
import dev.ratchet.futures.queue.Room;
import dev.ratchet.protocol.futures.v1.Requirements;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What this worker has claimed, and how much room that leaves. Those that wait for others are counted once, when they
 * begin to wait: the cost of {@link #room} depends on what runs, not on how deep tasks are nested. Safe for use by
 * several threads.
 */
public final class Executions implements HeldClaims {

    private static final long LONG_NANOS = 5_000_000_000L;
    private static final int AHEAD_FUTURES_MAX = 128;

    private final int threads;
    private final Capacity capacity;
    private final Map<FutureId, Execution> all = new HashMap<>();
    /** Those that are not suspended: no more than what may be claimed ahead. */
    private final Set<Execution> active = new HashSet<>();
    /** What the suspended ones keep. */
    private final Load suspended = new Load();

    public Executions(int threads, Capacity capacity) {
        this.threads = threads;
        this.capacity = capacity;
    }

    /**
     * A future may be claimed again here before its former execution is removed, or has even learned that its claim is
     * over: that counts no more.
     *
     * @return the former one, which nobody finds here any more; null if there is none
     */
    synchronized @Nullable Execution add(Execution execution) {
        Execution former = all.put(execution.claimed().id(), execution);
        if (former != null) {
            uncount(former);
        }
        if (execution.isSuspended()) {
            suspended.add(Admission.withoutProcessors(execution.requirements()));
        } else {
            active.add(execution);
        }
        return former;
    }

    /** Adds it unless its future has another one here; whether it was added. */
    synchronized boolean addIfAbsent(Execution execution) {
        if (all.putIfAbsent(execution.claimed().id(), execution) != null) {
            return false;
        }
        active.add(execution);
        return true;
    }

    synchronized void remove(Execution execution) {
        if (all.remove(execution.claimed().id(), execution)) {
            uncount(execution);
        }
    }

    private void uncount(Execution execution) {
        if (!active.remove(execution)) {
            suspended.remove(Admission.withoutProcessors(execution.requirements()));
        }
    }

    /** Says that it waits for others now, or goes on. What waits keeps what it requires, but the processors. */
    synchronized void suspend(Execution execution, boolean now) {
        execution.suspend(now);
        if (all.get(execution.claimed().id()) != execution) {
            return;
        }
        Requirements kept = Admission.withoutProcessors(execution.requirements());
        if (now && active.remove(execution)) {
            suspended.add(kept);
        } else if (!now && active.add(execution)) {
            suspended.remove(kept);
        }
    }

    synchronized @Nullable Execution get(FutureId id) {
        return all.get(id);
    }

    synchronized List<Execution> list() {
        return List.copyOf(all.values());
    }

    @Override
    public synchronized int size() {
        return all.size();
    }

    /** How many have not started. */
    synchronized int waiting() {
        return (int) active.stream().filter(execution -> !execution.isStarted()).count();
    }

    /** How many wait for others. */
    synchronized int suspended() {
        return all.size() - active.size();
    }

    /** Slots but for those whose future has run for so long that it may well go on. */
    synchronized int slotsNotTakenForLong(long nowNanos) {
        long taken = active.stream()
                .filter(execution -> execution.runNanos(nowNanos) >= LONG_NANOS)
                .mapToLong(execution -> Math.ceilDiv(
                        execution.requirements().getCpuMillis(), SchedulingSpecs.DEFAULT_REQUIREMENTS.getCpuMillis()))
                .sum();
        return (int) Math.max(0, threads - taken);
    }

    /** How long the one has run that has run for longest and does not wait for others; 0 where none runs. */
    synchronized long longestRunNanos(long nowNanos) {
        return active.stream()
                .mapToLong(execution -> execution.runNanos(nowNanos))
                .max()
                .orElse(0);
    }

    /**
     * Room for short futures also ahead of the slots, for those with requirements of their own as far as they fit. What
     * has run for long says nothing of what the other slots would run.
     *
     * @param averageRunNanos how long a future runs, as far as is known
     */
    @Override
    public synchronized Room room(long nowNanos, double averageRunNanos) {
        double run = averageRunNanos;
        Capacity free = suspended.leftOf(capacity);
        int plain = 0;
        int takenForLong = 0;
        int special = 0;
        for (Execution execution : active) {
            long nanos = execution.runNanos(nowNanos);
            if (nanos < LONG_NANOS) {
                run = Math.max(run, (double) nanos);
            }
            if (execution.isSpecial()) {
                free = free.minus(execution.requirements());
                special++;
            } else if (nanos < LONG_NANOS) {
                plain++;
            } else {
                takenForLong++;
            }
        }
        int ahead = (int) Math.min(AHEAD_FUTURES_MAX, AHEAD_NANOS / Math.max(1.0, run));
        int slots = (int) (free.cpuMillis() / SchedulingSpecs.DEFAULT_REQUIREMENTS.getCpuMillis());
        int futures = Math.max(0, (Math.min(threads, slots) - takenForLong) * (1 + ahead) - plain);
        return new Room(Math.min(futures, Claimer.BATCH_MAX), free, threads - special);
    }
}
