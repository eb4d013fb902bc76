/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.upkeep;

import dev.ratchet.environment.GuardedCallbacks;
import dev.ratchet.futures.actor.LargeStates;
import dev.ratchet.futures.claim.WorkerContext;
import dev.ratchet.futures.collect.Collector;
import dev.ratchet.futures.collect.ObjectGarbageCollector;
import dev.ratchet.futures.collect.RetentionSetting;
import dev.ratchet.futures.execute.WorkLoop;
import dev.ratchet.futures.queue.ClassUpkeep;
import dev.ratchet.futures.queue.Shards;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.recover.Takeover;
import dev.ratchet.futures.settle.Unsettled;
import dev.ratchet.membership.Liveness;
import dev.ratchet.membership.Member;
import dev.ratchet.membership.Metric;
import dev.ratchet.membership.Seat;
import dev.ratchet.membership.WorkerState;
import dev.ratchet.membership.client.ClientLeases;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a worker does for the cluster beside its claims: takes over from the dead, and finds again whatever a crash or a
 * missed event has left undone. Some of it one worker does for all. Nothing blocks; what fails is for the next sweep.
 */
public final class Housekeeping {

    private static final Logger LOG = LoggerFactory.getLogger(Housekeeping.class);

    private static final long TAKE_OVER_JITTER_MILLIS = 200;

    /** While it drains, others that have not heard of that may still assign something to this seat. */
    private static final long LET_GO_MILLIS = 200;

    private final FutureStore store;
    private final Seat seat;
    private final Liveness liveness;
    private final HealthyShare share;
    private final WorkLoop loop;
    private final WorkerSessions sessions;
    private final Takeover takeover;
    private final ClientLeases leases;
    private final Unsettled unsettled;
    private final Delays delays;
    private final Unschedulable unschedulable;
    private final Requeue moving;
    private final Collector collector;
    private final ObjectGarbageCollector objectGarbageCollector;
    private final ClassUpkeep classes;
    private final Shards shards;
    private final RetentionSetting retention;
    private final StateCounts stateCounts;
    private final LargeStates largeStates;
    /** Ended incarnations of which nothing is left, by seat; at most one entry for each seat there ever was. */
    private final Map<String, Long> emptied = new ConcurrentHashMap<>();

    private volatile boolean ended;
    private volatile boolean leaving;
    private boolean lettingGo;

    public Housekeeping(
            WorkerContext context,
            WorkLoop loop,
            WorkerSessions sessions,
            Takeover takeover,
            ClientLeases leases,
            Unsettled unsettled,
            Unschedulable unschedulable,
            Requeue moving,
            Collector collector,
            ObjectGarbageCollector objectGarbageCollector) {
        this.store = context.store();
        this.seat = context.seat();
        this.liveness = context.liveness();
        this.share = new HealthyShare(seat, liveness);
        this.loop = loop;
        this.sessions = sessions;
        this.takeover = takeover;
        this.leases = leases;
        this.unsettled = unsettled;
        this.delays = new Delays(store);
        this.unschedulable = unschedulable;
        this.moving = moving;
        this.collector = collector;
        this.objectGarbageCollector = objectGarbageCollector;
        this.classes = new ClassUpkeep(store);
        this.shards = new Shards(store.keys());
        this.retention = new RetentionSetting(store);
        this.stateCounts = new StateCounts(store);
        this.largeStates = new LargeStates(store);
    }

    /** Begins to hear of deaths and of futures that are delayed. {@link #sweep} and {@link #tidy} are the caller's. */
    public void start() {
        store.onDelayed(delays::plan);
        store.passOver(this::takesNothing);
        store.onDependentsLeft(unsettled::release);
        liveness.addListener(this::died);
        leases.onEnd(this::clientEnded);
    }

    /**
     * Whether what may run elsewhere must not wait for a seat: its process is dead, or drains, which may take as long
     * as the code that runs there. What has parked is awaited: the next process of its seat has all that it had.
     */
    private boolean takesNothing(String of) {
        return of.equals(seat.name())
                ? leaving
                : liveness.latest().stream()
                        .filter(member -> member.seat().equals(of))
                        .anyMatch(member -> liveness.isDead(of, member.incarnation())
                                || (member.state() == WorkerState.DRAINING && !member.isParked()));
    }

    /** Lets what is assigned to this seat go to others, until {@link #stay}. */
    public void leave() {
        synchronized (this) {
            leaving = true;
            if (lettingGo) {
                return;
            }
            lettingGo = true;
        }
        letGo();
    }

    /** This seat takes what is assigned to it. */
    public void stay() {
        leaving = false;
    }

    private void letGo() {
        synchronized (this) {
            lettingGo = leaving && !ended;
            if (!lettingGo) {
                return;
            }
        }
        GuardedCallbacks.begin(() -> moving.release(seat.name(), seat.incarnation()))
                .whenComplete((unused, failure) -> {
                    if (failure != null) {
                        LOG.debug("what is assigned to this seat is let go by the next look", failure);
                    }
                    store.environment().schedule(LET_GO_MILLIS, this::letGo);
                });
    }

    /** Does nothing more. */
    public void end() {
        ended = true;
    }

    /** How long the queues of the whole cluster are; to be published. */
    public List<Metric> queues() {
        return QueueMetrics.of(stateCounts);
    }

    /** Several workers see a death at once; a little patience saves them conflicts. */
    private void died(String deadSeat, long incarnation) {
        long delay = store.environment().random().nextLong(TAKE_OVER_JITTER_MILLIS);
        var unused = store.environment().schedule(delay, () -> takeOver(deadSeat, incarnation));
    }

    /** Whoever is dead may have been woken for work that nobody else was told of. */
    private void takeOver(String deadSeat, long incarnation) {
        if (!ended && !deadSeat.equals(seat.name())) {
            var unused = release(deadSeat, incarnation)
                    .thenCompose(released -> moveOn(deadSeat, incarnation))
                    .thenRun(loop::poke);
        }
    }

    /**
     * What waited for the dead one goes to others now: a seat that comes back has lost what made it the better place.
     */
    private CompletableFuture<Void> moveOn(String deadSeat, long incarnation) {
        return liveness.isDead(deadSeat, incarnation)
                ? moving.release(deadSeat, incarnation)
                : CompletableFuture.completedFuture(null);
    }

    /**
     * Takes over what an incarnation that has ended had claimed, and its clients.
     *
     * @return whether nothing is kept for a later incarnation
     */
    public CompletableFuture<Boolean> release(String deadSeat, long incarnation) {
        return sessions.losses().release(deadSeat, incarnation).thenCompose(isEmpty -> releaseClaims(
                        deadSeat, incarnation)
                .thenApply(unused -> isEmpty && !takeover.isAwaited(deadSeat)));
    }

    private CompletableFuture<?> releaseClaims(String deadSeat, long incarnation) {
        return takeover.release(deadSeat, incarnation).thenCompose(unused -> leases.adopt(deadSeat, incarnation));
    }

    private void clientEnded(UUID client) {
        var unusedClosing = sessions.requests().clientEnded(client).exceptionally(failure -> {
            LOG.warn("sessions of a client whose lease is over are ended by the next sweep client={}", client, failure);
            return null;
        });
        var unused = collector.holders().release(client).whenComplete((released, failure) -> {
            if (failure != null) {
                LOG.warn("what a client held is released by the next sweep client={}", client, failure);
            } else if (released > 0 && seat.mayWork()) {
                collector.sweep();
            }
        });
    }

    /** What a missed event would leave behind: claims of the dead, dependents of the done; and what nobody needs. */
    public void sweep() {
        GuardedCallbacks.each("taking over from a seat", liveness.latest(), this::sweep);
        GuardedCallbacks.run("looking at the own claims", loop::reconcileIfInDoubt);
        if (!loop.isIdle() || share.isFirst()) {
            loop.poke();
        }
    }

    private void sweep(Member member) {
        if (!member.isPresent() && member.incarnation() > emptied.getOrDefault(member.seat(), 0L)) {
            var unused = release(member.seat(), member.incarnation()).thenAccept(isEmpty -> {
                if (isEmpty) {
                    emptied.put(member.seat(), member.incarnation());
                }
            });
        } else if (member.isPresent() && liveness.isDead(member.seat(), member.incarnation())) {
            takeOver(member.seat(), member.incarnation());
        }
    }

    /** What may wait longer, so that an idle worker leaves the store alone. */
    public void tidy() {
        if (share.isFirst()) {
            GuardedCallbacks.run("tidying for all", this::tidyForAll);
        }
        GuardedCallbacks.run("looking at the own claims", loop::reconcile);
        GuardedCallbacks.run("tidying sessions", this::tidySessions);
        GuardedCallbacks.run("counting", this::count);
        GuardedCallbacks.run("reading the settings of the cluster", this::readSettings);
        GuardedCallbacks.run("deleting objects", objectGarbageCollector::sweep);
        if (seat.mayWork()) {
            GuardedCallbacks.run("collecting", collector::sweep);
        }
        loop.poke();
    }

    private void readSettings() {
        store.runPlain(transaction -> shards.adapt(transaction, share.healthyWorkers())
                        .thenCombine(retention.read(transaction), (number, millis) -> {
                            store.spreadOver(number);
                            return retention.adopt(millis);
                        }))
                .whenComplete((unused, failure) -> {
                    if (failure != null) {
                        LOG.warn("the settings can not be read, to be tried again by the next sweep", failure);
                    }
                });
    }

    private void tidySessions() {
        var unused = sessions.requests()
                .tidy()
                .thenCompose(tidied -> share.isFirst()
                        ? sessions.requests().releaseForgotten()
                        : CompletableFuture.completedFuture(null))
                .exceptionally(failure -> {
                    LOG.warn("sessions can not be tidied, to be tried again by the next sweep", failure);
                    return null;
                });
    }

    /** One worker counts for all. */
    private void count() {
        if (!seat.mayWork() || !share.isFirst()) {
            stateCounts.forget();
            return;
        }
        stateCounts.count().whenComplete((unused, failure) -> {
            if (failure != null) {
                LOG.warn("futures could not be counted, to be tried again by the next sweep", failure);
            }
        });
    }

    /** A release that does not write down the class of what it queues once more relies on what is there. */
    private CompletableFuture<Void> tidyClasses() {
        long releases = liveness.latest().stream()
                .filter(Member::isPresent)
                .map(Member::version)
                .distinct()
                .count();
        CompletableFuture<Void> forgotten =
                releases == 1 ? classes.forgetEmpty() : CompletableFuture.completedFuture(null);
        return forgotten.thenCompose(unused -> classes.complete());
    }

    private void tidyForAll() {
        unsettled.release();
        delays.look();
        var unused = CompletableFuture.allOf(
                        unschedulable.sweep().thenCompose(swept -> tidyClasses()), moving.sweep(), largeStates.sweep())
                .exceptionally(failure -> {
                    LOG.warn(
                            "not everything that is queued can be looked at, to be tried again by the next sweep",
                            failure);
                    return null;
                });
    }
}
