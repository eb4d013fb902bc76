/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.seat;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.Transaction;
import dev.ratchet.environment.Environment;
import dev.ratchet.environment.GuardedCallbacks;
import dev.ratchet.membership.Holdings;
import dev.ratchet.membership.LeaseSettings;
import dev.ratchet.membership.MembershipCounters;
import dev.ratchet.membership.NotWorkingException;
import dev.ratchet.membership.Seat;
import dev.ratchet.membership.SeatLostException;
import dev.ratchet.membership.SeatOrder;
import dev.ratchet.membership.WorkerDescription;
import dev.ratchet.membership.WorkerState;
import dev.ratchet.membership.observe.SeatObserver;
import dev.ratchet.membership.record.StoredMembers;
import dev.ratchet.membership.seat.SeatLife.Event;
import dev.ratchet.membership.seat.SeatLife.Phase;
import dev.ratchet.store.keyspace.Keyspace;
import dev.ratchet.store.keyspace.StoreRecord;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the seat of this process, keeps it by heartbeats, and ends it: in order by {@link #leave}, or by itself when
 * the lease is over or somebody else has the seat. Once lost it stays lost. What it knows is soft; the seat's record in
 * the store decides. Safe for use by several threads.
 */
public final class SeatKeeper implements Seat {

    /** Why the seat is lost when the cluster's keys were removed from the store. */
    public static final String STORE_CLEARED = "the store was cleared";

    private static final Logger LOG = LoggerFactory.getLogger(SeatKeeper.class);
    private static final long BUSY_RETRY_MILLIS = 500;
    private static final long SETTLE_RETRY_MILLIS = 8_000;
    private static final long END_MARGIN_MILLIS = 2_000;
    /**
     * For so long a parked process that is told to end, and whose files may end with its pod, waits for the order to
     * park to be taken back: the operator does that where it sees the pod end.
     */
    private static final long PARK_GRACE_MILLIS = 1_000;

    private final Database database;
    private final Keyspace keyspace;
    private final WorkerDescription me;
    private final LeaseSettings settings;
    private final SeatObserver observer;
    private final Environment environment;
    private final Registration registration;
    private final Heartbeat heartbeat;
    private final Lease lease;
    private final LastRead lastRead;
    private final SeatLife life = new SeatLife();
    private final BeatPacing pacing = new BeatPacing();
    private final SeatStates states = new SeatStates();
    private final MembershipCounters counters;
    private final CommandReceiver commands;
    private final CompletableFuture<Void> taken = new CompletableFuture<>();
    private final CompletableFuture<String> lost = new CompletableFuture<>();

    /** The try to take the seat that is under way, or was last; never fails. */
    private CompletableFuture<Void> attempt = CompletableFuture.completedFuture(null);

    private @Nullable Holdings holdings;
    private @Nullable DrainControl drain;
    private @Nullable HealthCheck health;
    private volatile long incarnation;
    private long generation;
    private long beat = 1;

    public SeatKeeper(
            Database database,
            Keyspace keyspace,
            WorkerDescription me,
            LeaseSettings settings,
            SeatObserver observer,
            MembershipCounters counters,
            Environment environment) {
        this.database = database;
        this.keyspace = keyspace;
        this.me = me;
        this.settings = settings;
        this.observer = observer;
        this.counters = counters;
        this.commands = new CommandReceiver(this::ordered, counters);
        this.environment = environment;
        this.registration = new Registration(keyspace, me, settings);
        this.heartbeat = new Heartbeat(keyspace, me.seat());
        this.lease = new Lease(settings, environment);
        this.lastRead = new LastRead(environment);
    }

    /**
     * Takes the seat as soon as it may be taken, and keeps it from then on. Waits as long as it takes; fails only where
     * waiting is of no use.
     */
    public CompletableFuture<Void> take(Holdings held) {
        synchronized (this) {
            if (holdings != null) {
                throw new IllegalStateException("The seat " + me.seat() + " is being taken already");
            }
            holdings = held;
            drain = new DrainControl(held, environment, this::beatNow);
            health = new HealthCheck(held, settings, environment, this::beatNow);
        }
        tryToTake();
        return taken;
    }

    private void tryToTake() {
        CompletableFuture<Void> through = new CompletableFuture<>();
        synchronized (this) {
            if (isOver()) {
                return;
            }
            attempt = through;
        }
        Lease.Renewal begun = lease.begin();
        long holder =
                observer.view().member(me.seat()).map(m -> m.incarnation()).orElse(0L);
        long dead = holder > 0 && observer.isDead(me.seat(), holder) ? holder : 0;
        GuardedCallbacks.begin(() -> database.runAsync(transaction -> {
                    transaction.options().setTimeout(timeoutMillis());
                    return registration.take(transaction, dead, begun.wallMillis());
                }))
                .whenCompleteAsync((answer, failure) -> tried(answer, failure, begun), environment.executor())
                .whenComplete((answer, failure) -> through.complete(null));
    }

    private void tried(Registration.@Nullable Answer answer, @Nullable Throwable failure, Lease.Renewal begun) {
        if (answer == null) {
            LOG.warn(
                    "The store did not take the registration, trying again: seat={} failure={}",
                    me.seat(),
                    String.valueOf(failure));
            environment.schedule(BUSY_RETRY_MILLIS, this::tryToTake);
        } else if (answer.isTaken()) {
            begin(answer, begun);
        } else if (answer.verdict() == TakeOver.SUPERSEDED) {
            lose("a younger process of this pod took the seat: incarnation " + answer.incarnation());
        } else if (answer.verdict() == TakeOver.OUTDATED) {
            lose(answer.obstacle());
        } else if (answer.verdict() == TakeOver.INCOMPATIBLE) {
            if (life.on(Event.BLOCK)) {
                LOG.warn(
                        "No seat while there is a worker with another protocol: upgrade it first: seat={} obstacle={}",
                        me.seat(),
                        answer.obstacle());
            }
            environment.schedule(BUSY_RETRY_MILLIS, this::tryToTake);
        } else {
            if (life.on(Event.BLOCK)) {
                LOG.info(
                        "Seat is busy, waiting for its holder to end: seat={} holder={}",
                        me.seat(),
                        answer.incarnation());
            }
            observer.refresh()
                    .whenCompleteAsync(
                            (view, unread) -> {
                                observer.suspect(me.seat(), answer.incarnation());
                                environment.schedule(BUSY_RETRY_MILLIS, this::tryToTake);
                            },
                            environment.executor());
        }
    }

    private void begin(Registration.Answer answer, Lease.Renewal begun) {
        assert incarnation == 0 : "a process takes its seat once";
        synchronized (this) {
            generation = answer.generation();
            lease.renewed(begun);
            incarnation = answer.incarnation(); // which publishes the generation, too
            if (!life.on(Event.TAKE)) {
                return;
            }
        }
        LOG.info("Seat taken: seat={} incarnation={}", me.seat(), incarnation);
        taken.complete(null);
        watchLease();
        beatPeriodically();
        settle(BUSY_RETRY_MILLIS);
    }

    private void settle(long retryMillis) {
        if (isOver()) {
            return;
        }
        GuardedCallbacks.begin(() -> holdings().settle(this))
                .whenCompleteAsync(
                        (done, failure) -> {
                            if (failure != null) {
                                LOG.warn(
                                        "What the former one held is not released, trying again: seat={} incarnation={}"
                                                + " failure={}",
                                        me.seat(),
                                        incarnation,
                                        failure.toString());
                                environment.schedule(
                                        retryMillis, () -> settle(Math.min(2 * retryMillis, SETTLE_RETRY_MILLIS)));
                                return;
                            }
                            life.on(Event.SETTLE);
                            GuardedCallbacks.run("the health check", health()::start);
                            beatNow();
                        },
                        environment.executor());
    }

    private void beatPeriodically() {
        if (!isOver()) {
            environment.schedule(settings.beatMillis(), this::beatPeriodically);
            beatNow();
        }
    }

    /** Begins a heartbeat, or another one after the one that runs. */
    private void beatNow() {
        Heartbeat.Wish wish;
        synchronized (this) {
            if (!life.isKept() || pacing.askWhileBeating()) {
                return;
            }
            beat++;
            wish = wish();
            pacing.begin();
        }
        Lease.Renewal begun = lease.begin();
        SeatObserver.Look look = observer.look();
        GuardedCallbacks.begin(() -> database.runAsync(transaction -> {
                    transaction.options().setTimeout(timeoutMillis());
                    return heartbeat
                            .beat(transaction, wish, holdings())
                            .thenCombine(look.read(transaction), (result, read) -> result)
                            .thenCombine(recordedFormat(transaction), (result, read) -> result)
                            .thenCombine(transaction.getReadVersion(), Heartbeat.Result::at);
                }))
                .whenCompleteAsync(
                        (result, failure) -> {
                            beaten(wish, result, failure, begun);
                            if (failure == null) {
                                look.done();
                            }
                        },
                        environment.executor());
    }

    private CompletableFuture<Void> recordedFormat(Transaction transaction) {
        return StoreRecord.format(transaction.snapshot(), keyspace).thenAccept(keyspace.formats()::seen);
    }

    private Heartbeat.Wish wish() {
        WorkerState state;
        if (life.phase() == Phase.NEW) {
            state = WorkerState.NEW;
        } else if (drain().isWanted()) {
            state = WorkerState.DRAINING;
        } else {
            state = health().isFresh() ? WorkerState.HEALTHY : WorkerState.UNHEALTHY;
        }
        // Before the figures: those of a seat that is recorded as drained are the last that are needed of it.
        boolean emptied = drain().isEmptied();
        boolean parked = drain().isParked();
        return new Heartbeat.Wish(
                incarnation,
                generation,
                beat,
                state,
                holdings().now(),
                holdings().freeResources(),
                emptied,
                parked);
    }

    private void beaten(
            Heartbeat.Wish wish, Heartbeat.@Nullable Result result, @Nullable Throwable failure, Lease.Renewal begun) {
        boolean again = pacing.done();
        if (result == null) {
            counters.failedBeats.increment();
            LOG.warn(
                    "Heartbeat failed: seat={} incarnation={} beat={} failure={}",
                    me.seat(),
                    incarnation,
                    wish.beat(),
                    String.valueOf(failure));
            environment.schedule(settings.beatMillis() / 4 + 1, this::beatNow);
            return;
        }
        if (result.lost() != null) {
            loseUnlessEnding(result.lost());
            return;
        }
        lease.renewed(begun);
        counters.beats.increment();
        counters.beatMicros.add((environment.nanoTime() - begun.nanos()) / 1_000);
        life.on(recorded(result));
        if (states.set(result.state(), "recorded by heartbeat " + wish.beat())) {
            LOG.info("Worker state: seat={} incarnation={} state={}", me.seat(), incarnation, result.state());
        }
        if (result.state() == WorkerState.HEALTHY) {
            lastRead.at(result.readVersion(), begun.nanos());
        }
        commands.recorded(result.command(), incarnation);
        boolean drainedPending = drain().isEmptied() && !result.drained() && !wish.emptied();
        boolean parkedPending = drain().isParked() && !result.parked() && !wish.parked();
        if (again || (wish.state() == WorkerState.DRAINING && (drainedPending || parkedPending))) {
            beatNow();
        }
    }

    /** One that is parked and to end has nothing to wait for, as long as the order to park stands. */
    private Event recorded(Heartbeat.Result result) {
        boolean isOrdered = result.command().getParkIncarnation() == incarnation;
        if (result.drained() || (result.parked() && isOrdered && drain().mayEndParked())) {
            return Event.EMPTY;
        }
        return result.state() == WorkerState.DRAINING ? Event.DRAIN : Event.RESUME;
    }

    private void ordered(SeatOrder order) {
        drain().command(order);
    }

    private void watchLease() {
        if (isOver()) {
            return;
        }
        if (lease.isOver()) {
            lose("the lease is over: no heartbeat has succeeded for " + settings.workerTtlMillis() + " ms");
            return;
        }
        long remainingMillis = (lease.validUntilNanos() - environment.nanoTime()) / 1_000_000;
        long millis = Math.max(1, Math.min(settings.beatMillis(), remainingMillis)); // the machine may sleep meanwhile
        environment.schedule(millis, this::watchLease);
    }

    /** While the process ends, the record that says so is its own. */
    private void loseUnlessEnding(String reason) {
        if (life.phase() != Phase.ENDING) {
            lose(reason);
        }
    }

    private void lose(String reason) {
        if (!life.on(Event.LOSE)) {
            return;
        }
        LOG.error("Seat lost: seat={} incarnation={} reason={}", me.seat(), incarnation, reason);
        lost.complete(reason);
        states.set(WorkerState.MUST_DIE, reason);
        health().stop();
        GuardedCallbacks.run("letting go of what a lost seat holds", holdings()::abandon);
        taken.completeExceptionally(new SeatLostException(me.seat(), incarnation, reason));
    }

    /**
     * Ends in order: takes no new work, lets what runs finish within {@code drainTimeoutMillis}, gives back the rest,
     * hands over what it holds unless it is to park, and gives the seat free. A seat that is just being taken is given
     * free once it is. Completes with whether nothing was left; exceptionally if the seat was lost before.
     */
    public CompletableFuture<Boolean> leave(long drainTimeoutMillis) {
        CompletableFuture<Boolean> left = new CompletableFuture<>();
        synchronized (this) {
            if (incarnation == 0) {
                life.on(Event.END);
                attempt.thenRun(() -> leaveUnused(left));
                // After that the lease would be over that it may have got.
                environment.schedule(settings.workerTtlMillis(), () -> left.complete(false));
                return left;
            }
        }
        lost.thenAccept(reason ->
                left.completeExceptionally(new SeatLostException(me.seat(), incarnation, String.valueOf(reason))));
        drain().leave(drainTimeoutMillis, me.onVolume() || holdings().now().objects() == 0 ? 0 : PARK_GRACE_MILLIS);
        long deadlineNanos = environment.nanoTime() + (drainTimeoutMillis + END_MARGIN_MILLIS) * 1_000_000;
        endWhenDrained(deadlineNanos, left);
        return left;
    }

    private void leaveUnused(CompletableFuture<Boolean> left) {
        if (isTaken()) {
            endWhenDrained(environment.nanoTime() + END_MARGIN_MILLIS * 1_000_000, left);
        } else {
            left.complete(true);
        }
    }

    private void endWhenDrained(long deadlineNanos, CompletableFuture<Boolean> left) {
        if (left.isDone()) {
            return;
        }
        boolean late = environment.nanoTime() - deadlineNanos >= 0;
        if (!life.mayEnd() && !late) {
            environment.schedule(settings.beatMillis() / 20 + 1, () -> endWhenDrained(deadlineNanos, left));
            return;
        }
        life.on(Event.END);
        if (late) {
            LOG.warn(
                    "Ending although not everything was given back: seat={} incarnation={} holds={}",
                    me.seat(),
                    incarnation,
                    holdings().now());
        }
        GuardedCallbacks.begin(() -> database.runAsync(transaction -> {
                    transaction.options().setTimeout(timeoutMillis());
                    return heartbeat.end(transaction, incarnation, holdings());
                }))
                .whenCompleteAsync(
                        (empty, failure) -> {
                            if (failure != null) {
                                environment.schedule(BUSY_RETRY_MILLIS, () -> endWhenDrained(deadlineNanos, left));
                                return;
                            }
                            LOG.info(
                                    "Seat given free: seat={} incarnation={} drained={}",
                                    me.seat(),
                                    incarnation,
                                    empty);
                            life.on(Event.FREE);
                            left.complete(empty);
                            states.set(WorkerState.MUST_DIE, "ended in order");
                            health().stop();
                        },
                        environment.executor());
    }

    @Override
    public String name() {
        return me.seat();
    }

    @Override
    public long incarnation() {
        if (incarnation == 0) {
            throw new IllegalStateException("The seat " + me.seat() + " is not taken yet: wait for take()");
        }
        return incarnation;
    }

    /** The store's generation when this process took the seat: in another one the seat is lost. */
    public long generation() {
        var unused = incarnation();
        return generation;
    }

    /** True once the store has given an incarnation to this process. */
    public boolean isTaken() {
        return incarnation != 0;
    }

    @Override
    public WorkerState state() {
        return states.state();
    }

    @Override
    public boolean mayWork() {
        return life.phase() == Phase.SERVING
                && states.state() == WorkerState.HEALTHY
                && !drain().isWanted()
                && !lease.isOver()
                && !lease.isDoubtful();
    }

    @Override
    public long validUntilNanos() {
        return lease.validUntilNanos();
    }

    /** What was left of the lease when it was last renewed. */
    public long marginNanos() {
        return lease.marginNanos();
    }

    @Override
    public CompletableFuture<Void> fence(Transaction transaction) {
        return heartbeat.own(transaction, incarnation(), generation).thenAccept(own -> requireHeld(own.lost()));
    }

    @Override
    public CompletableFuture<Void> fenceForWork(Transaction transaction) {
        long beganNanos = environment.nanoTime();
        return heartbeat.own(transaction, incarnation(), generation).thenCompose(own -> {
            requireHeld(own.lost());
            WorkerState recorded = StoredMembers.state(own.record().getState());
            if (recorded != WorkerState.HEALTHY) {
                counters.refusedWork.increment();
                throw new NotWorkingException(me.seat(), recorded);
            }
            return transaction.getReadVersion().thenAccept(version -> lastRead.at(version, beganNanos));
        });
    }

    @Override
    public boolean fenceAsLastRead(Transaction transaction) {
        long version = lastRead.version();
        if (version < 0 || !mayWork()) {
            return false;
        }
        transaction.setReadVersion(version);
        heartbeat.conflictWithOwn(transaction);
        return true;
    }

    /** A loss that a fence has found need not wait for the next heartbeat to find it, too. */
    private void requireHeld(@Nullable String reason) {
        if (reason != null) {
            counters.refusedFences.increment();
            environment.executor().execute(() -> loseUnlessEnding(reason));
            throw new SeatLostException(me.seat(), incarnation, reason);
        }
    }

    @Override
    public void holdsChanged() {
        beatNow();
    }

    @Override
    public void addListener(Listener listener) {
        states.add(listener);
    }

    /** Completes with the reason when the seat is lost; never, if the process ends in order. */
    public CompletableFuture<String> lost() {
        return lost.copy();
    }

    /** Where commands to this seat go. */
    public CommandReceiver commands() {
        return commands;
    }

    private long timeoutMillis() {
        return Math.max(100, settings.workerTtlMillis() / 2);
    }

    private boolean isOver() {
        return life.phase() == Phase.ENDED;
    }

    private Holdings holdings() {
        return started(holdings);
    }

    private DrainControl drain() {
        return started(drain);
    }

    private HealthCheck health() {
        return started(health);
    }

    private <T> T started(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException("The seat " + me.seat() + " is not taken yet: call take() first");
        }
        return part;
    }
}
