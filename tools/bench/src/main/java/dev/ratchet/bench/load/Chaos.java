/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.load;

import dev.ratchet.bench.cluster.Cluster;
import dev.ratchet.bench.cluster.JavaProcess;
import dev.ratchet.membership.record.CoordinatorTable;
import dev.ratchet.protocol.membership.v1.CoordinatorRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Does to a cluster what may happen to one, one thing after another, and ends what has lasted long enough. A process
 * that is paused is not killed meanwhile. Used by one thread.
 */
final class Chaos {

    /** Something that lasts until then. */
    private record Lasting(long untilNanos, JavaProcess paused) implements Comparable<Lasting> {
        @Override
        public int compareTo(Lasting other) {
            return Long.compare(untilNanos, other.untilNanos);
        }
    }

    /** So many are paused at most, or nothing would be left to go wrong. */
    private static final int PAUSED_MAX = 2;

    private static final long COORDINATOR_MILLIS = 1_000;

    private final Cluster cluster;
    private final Keeper keeper;
    private final Set<Fault> faults;
    private final RandomGenerator random;
    private final long gapMillisMax;
    private final PriorityQueue<Lasting> paused = new PriorityQueue<>();
    private final List<Thread> lasting = new ArrayList<>();
    private final Map<Fault, Integer> happened = new TreeMap<>();
    private @Nullable Long removedUntil;
    private long next = System.nanoTime();

    /** @param faults what may happen */
    Chaos(Cluster cluster, Keeper keeper, Set<Fault> faults, RandomGenerator random, long gapMillisMax) {
        this.cluster = cluster;
        this.keeper = keeper;
        this.faults = EnumSet.copyOf(faults);
        this.random = random;
        this.gapMillisMax = gapMillisMax;
    }

    /** Does what is due now. */
    void look() throws IOException {
        long now = System.nanoTime();
        resumeThoseBefore(now);
        admitAllAfter(now);
        if (now - next >= 0) {
            postpone();
            Fault fault = Fault.any(faults, random);
            if (happens(fault, now)) {
                happened.merge(fault, 1, Integer::sum);
            }
        }
    }

    /** Lets nothing happen before the time between two faults, from now on. */
    void postpone() {
        next = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(random.nextLong(gapMillisMax / 4, gapMillisMax));
    }

    private boolean happens(Fault fault, long now) throws IOException {
        long millis = fault.millisMax == 0 ? 0 : random.nextLong(fault.millisMax);
        return switch (fault) {
            case KILL_WORKER -> kill(anyWorker());
            case KILL_COORDINATOR -> kill(coordinator());
            case KILL_CLIENT -> kill(keeper.anyClient());
            case KILL_STORE -> kill(cluster.store().process());
            case DRAIN_WORKER -> drain(anyWorker());
            case PAUSE_WORKER -> pause(anyWorker(), now, millis);
            case PAUSE_STORE -> pause(cluster.store().process(), now, millis);
            case PAUSE_CLIENT -> pause(keeper.anyClient(), now, millis);
            case CUT -> {
                cluster.wire().cut();
                yield true;
            }
            case HOLD -> {
                lasting.add(Thread.ofVirtual().start(() -> hold(millis)));
                yield true;
            }
            case REMOVE_CLIENT -> removeClient(now, millis);
            case FLOOD -> {
                lasting.add(Thread.ofVirtual().start(new Flood(cluster, random.nextInt(cluster.size()), millis)));
                yield true;
            }
        };
    }

    private JavaProcess anyWorker() {
        return cluster.worker(random.nextInt(cluster.size()));
    }

    /** The coordinator's process; any worker's while nobody can tell. */
    private JavaProcess coordinator() {
        try {
            CoordinatorRecord holder = cluster.database()
                    .readAsync(transaction -> new CoordinatorTable(cluster.keyspace()).holder(transaction))
                    .orTimeout(COORDINATOR_MILLIS, TimeUnit.MILLISECONDS)
                    .join();
            int number = cluster.numberOf(holder.getSeat());
            return number < 0 ? anyWorker() : cluster.worker(number);
        } catch (CompletionException storeIsDown) {
            return anyWorker();
        }
    }

    private boolean isUsable(@Nullable JavaProcess process) {
        return process != null && process.isAlive() && paused.stream().noneMatch(pause -> pause.paused() == process);
    }

    private boolean kill(@Nullable JavaProcess process) {
        if (process == null || !isUsable(process)) {
            return false;
        }
        process.kill();
        return true;
    }

    private boolean drain(JavaProcess worker) {
        if (!isUsable(worker)) {
            return false;
        }
        worker.terminate();
        return true;
    }

    private boolean pause(@Nullable JavaProcess process, long now, long millis) {
        if (process == null || !isUsable(process) || paused.size() >= PAUSED_MAX) {
            return false;
        }
        process.pause();
        paused.add(new Lasting(now + TimeUnit.MILLISECONDS.toNanos(millis), process));
        return true;
    }

    private void hold(long millis) {
        try {
            cluster.wire().hold(millis);
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean removeClient(long now, long millis) throws IOException {
        if (removedUntil != null) {
            return false;
        }
        cluster.admitClients(keeper.clientsWithout(random.nextInt(keeper.clientCount())));
        removedUntil = now + TimeUnit.MILLISECONDS.toNanos(millis);
        return true;
    }

    private void admitAllAfter(long now) throws IOException {
        if (removedUntil != null && now - removedUntil >= 0) {
            admitAll();
        }
    }

    private void admitAll() throws IOException {
        cluster.admitClients(Stream.concat(keeper.clientsWithout(-1).stream(), Stream.of(Flood.CLIENT, "default"))
                .toList());
        removedUntil = null;
    }

    private void resumeThoseBefore(long now) {
        for (Lasting first = paused.peek(); first != null && first.untilNanos() - now <= 0; first = paused.peek()) {
            first.paused().resume();
            paused.remove();
        }
    }

    /** Lets everything go on: after it nothing more happens, though what has happened may still take its effect. */
    void end() throws InterruptedException, IOException {
        resumeThoseBefore(Long.MAX_VALUE);
        if (removedUntil != null) {
            admitAll();
        }
        for (Thread thread : lasting) {
            thread.interrupt();
            thread.join();
        }
    }

    /** How often what has happened. */
    Map<Fault, Integer> happened() {
        return happened;
    }
}
