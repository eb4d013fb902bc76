/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.claim;

import dev.ratchet.environment.Environment;
import dev.ratchet.environment.GuardedCallbacks;
import dev.ratchet.environment.StateMachine;
import dev.ratchet.futures.queue.Room;
import dev.ratchet.futures.settle.Claimed;
import dev.ratchet.membership.NotWorkingException;
import dev.ratchet.membership.Seat;
import dev.ratchet.membership.SeatLostException;
import dev.ratchet.membership.WorkerState;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * When this worker claims: whenever there is room and it may work; it sleeps when the queue is empty until somebody
 * wakes it. At most one claim transaction is in flight. How many short futures are claimed ahead follows from how long
 * they take. Closed, it claims nothing and is not there to be woken. Safe for use by several threads.
 *
 * <p>Its state has three parts that do not follow from each other: a claim goes on while the loop is closed and
 * reopened, and whether earlier claims left something in doubt is asked by somebody else, whenever that may be.
 */
public final class ClaimLoop {

    private static final Logger LOG = LoggerFactory.getLogger(ClaimLoop.class);

    private static final long RETRY_MILLIS = 500;

    private final Environment environment;
    private final Seat seat;
    private final Claimer claimer;
    private final HeldClaims held;
    private final WorkCounters counters;
    private final Consumer<List<Claimed>> taken;
    private final BooleanSupplier hasSessions;
    private final StateMachine<ClaimPhase, ClaimPhase.Event> phase = ClaimPhase.TABLE.startingIn(ClaimPhase.RESTING);
    private final StateMachine<Intake, Intake.Event> intake = Intake.TABLE.startingIn(Intake.OPEN);
    /** The store may have claims of this worker of which it has not learned. */
    private boolean inDoubt;
    /** How many claims have begun. */
    private long round;

    private double averageRunNanos = HeldClaims.AHEAD_NANOS;
    private CompletableFuture<Void> empty = CompletableFuture.completedFuture(null);

    /**
     * @param taken gets what was claimed, before the next claim begins
     * @param hasSessions whether sessions have slots here, whose futures are claimed also while the worker drains
     */
    public ClaimLoop(
            Environment environment,
            Seat seat,
            Claimer claimer,
            HeldClaims held,
            WorkCounters counters,
            Consumer<List<Claimed>> taken,
            BooleanSupplier hasSessions) {
        this.environment = environment;
        this.seat = seat;
        this.claimer = claimer;
        this.held = held;
        this.counters = counters;
        this.taken = taken;
        this.hasSessions = hasSessions;
    }

    /**
     * Claims if there is room and the seat may work. Cheap; call it whenever something may have changed. While the
     * worker drains, nobody wakes it for what its sessions submit: call it from time to time.
     */
    public void poke() {
        Room room;
        boolean ofSessions = seat.state() == WorkerState.DRAINING && hasSessions.getAsBoolean();
        synchronized (this) {
            if (phase.state().isInFlight()) {
                phase.on(ClaimPhase.Event.WAKE);
                return;
            }
            room = room();
            if (isClosed() || !(ofSessions || (seat.mayWork() && claimer.mustLook(room)))) {
                if (!seat.mayWork()) {
                    phase.on(ClaimPhase.Event.WAKE);
                }
                claimer.mayHaveBeenWoken();
                return;
            }
            phase.must(ClaimPhase.Event.BEGIN);
            round++;
        }
        long began = environment.nanoTime();
        GuardedCallbacks.begin(() -> ofSessions ? claimer.claimOfSessions(room) : claimer.claim(room))
                .whenComplete((claims, failure) -> counters.claimMicros.add((environment.nanoTime() - began) / 1_000))
                .whenCompleteAsync(
                        (claims, failure) -> claimed(room, ofSessions, claims, failure), environment.executor());
    }

    /** Claims for a wake-up that came while the seat was in doubt: that it is not any more, nobody tells. */
    public void pokeIfMissed() {
        if (phase.state() == ClaimPhase.WOKEN) {
            poke();
        }
    }

    /** Claims into room that has become free, unless whoever fills the queue with what fits there tells. */
    public void roomIsFree() {
        if (mustLook()) {
            poke();
        }
    }

    /** As {@link #roomIsFree}, and returns at once. */
    public void roomIsFreeSoon() {
        if (mustLook()) {
            environment.executor().execute(this::poke);
        }
    }

    /** Where a claim is in flight it is seen after that, which may find that this worker will be woken. */
    private boolean mustLook() {
        synchronized (this) {
            if (phase.state().isInFlight()) {
                phase.on(ClaimPhase.Event.FREE);
                return false;
            }
        }
        return !claimer.willBeWokenFor(room());
    }

    /** Whether this worker may claim anything. */
    public boolean takesWork() {
        return !isClosed() && seat.mayWork();
    }

    /** Whether this worker is looking for work, or will be woken for it. */
    public boolean isAwake() {
        return phase.state().isInFlight() || claimer.isIdle();
    }

    /** Says that the store may have claims of this worker that nothing here carries through. */
    public synchronized void doubt() {
        inDoubt = true;
    }

    /** Whether that may be so; asked for once. */
    public synchronized boolean takeDoubt() {
        boolean doubt = inDoubt;
        inDoubt = false;
        return doubt;
    }

    /** The number of the claim that is in flight, or was last. */
    public synchronized long round() {
        return round;
    }

    /** Whether that claim is through: what it has brought, if anything, was taken. */
    public synchronized boolean isThrough(long claim) {
        return !phase.state().isInFlight() || round > claim;
    }

    /** Learns how long claims take. */
    public synchronized void ran(long nanos) {
        averageRunNanos = 0.8 * averageRunNanos + 0.2 * nanos;
    }

    /** Claims nothing more, until it is reopened. A claim that is in flight may still bring something. */
    public void close() {
        boolean alone;
        synchronized (this) {
            intake.on(Intake.Event.CLOSE);
            alone = phase.on(ClaimPhase.Event.WITHDRAW);
        }
        if (alone) {
            becomeUnavailable();
        }
    }

    /** Claims again after {@link #close()}. */
    public void reopen() {
        synchronized (this) {
            intake.on(Intake.Event.REOPEN);
        }
        poke();
    }

    /** Claims nothing more, ever, and leaves the store alone. */
    public synchronized void abandon() {
        intake.on(Intake.Event.ABANDON);
    }

    public boolean isClosed() {
        return intake.state() != Intake.OPEN;
    }

    /** Completes when no claim is held and none is in flight. */
    public synchronized CompletableFuture<Void> whenEmpty() {
        if (isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        if (empty.isDone()) {
            empty = new CompletableFuture<>();
        }
        return empty;
    }

    private boolean isEmpty() {
        return held.size() == 0 && !phase.state().isInFlight();
    }

    /** Tells those who wait for that. To be called when a claim has ended. */
    public void signalIfEmpty() {
        CompletableFuture<Void> nowEmpty;
        synchronized (this) {
            nowEmpty = isEmpty() ? empty : CompletableFuture.completedFuture(null);
        }
        nowEmpty.complete(null);
    }

    /** Ends a claim where no work is taken any more: a wake-up meant for work must go to a worker that takes it. */
    private void becomeUnavailable() {
        if (intake.state() == Intake.ABANDONED) {
            claimEnded(false);
            return;
        }
        GuardedCallbacks.begin(claimer::becomeUnavailable).whenComplete((unused, failure) -> {
            if (failure != null) {
                claimFailed(failure);
            } else {
                claimEnded(false);
            }
        });
    }

    private void claimed(Room room, boolean ofSessions, @Nullable List<Claimed> claims, @Nullable Throwable failure) {
        List<Claimed> found = claims == null ? List.of() : claims;
        counters.claimTransactions.increment();
        GuardedCallbacks.run("taking what was claimed", () -> taken.accept(found));
        if (failure != null) {
            claimFailed(failure);
        } else if (ofSessions) {
            if (found.isEmpty()) {
                becomeUnavailable();
            } else {
                claimEnded(true);
            }
        } else if (found.isEmpty()) {
            GuardedCallbacks.begin(() -> claimer.becomeIdleOrWait(room(), this::poke))
                    .whenComplete(this::idled);
        } else if (found.size() < room.futures() && !claimer.hasLeftSome() && !isClosed()) {
            // What fits has been taken, most likely: that is found out by the same look that says so to others.
            GuardedCallbacks.begin(() -> claimer.becomeIdleUnlessDisturbed(room()))
                    .whenComplete(this::idled);
        } else {
            claimEnded(true);
        }
    }

    private void idled(@Nullable Boolean idle, @Nullable Throwable failure) {
        if (failure != null) {
            claimFailed(failure);
        } else if (isClosed()) {
            becomeUnavailable();
        } else {
            claimEnded(idle == null || !idle);
        }
    }

    private void claimFailed(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof NotWorkingException && isClosed()) {
            doubt();
            becomeUnavailable();
            return;
        }
        if (!(cause instanceof NotWorkingException || cause instanceof SeatLostException)) {
            LOG.warn("claiming failed, trying again seat={} delayMillis={}", seat.name(), RETRY_MILLIS, cause);
        }
        synchronized (this) {
            phase.must(ClaimPhase.Event.END);
            inDoubt = true;
        }
        signalIfEmpty();
        if (!(cause instanceof SeatLostException)) {
            var unused = environment.schedule(RETRY_MILLIS, this::again);
        }
    }

    /** Does what has failed. */
    private void again() {
        boolean closing;
        synchronized (this) {
            closing = isClosed() && phase.on(ClaimPhase.Event.WITHDRAW);
        }
        if (closing) {
            becomeUnavailable();
        } else {
            poke();
        }
    }

    private void claimEnded(boolean again) {
        boolean poke;
        synchronized (this) {
            ClaimPhase before = phase.must(ClaimPhase.Event.END);
            poke = again
                    || before == ClaimPhase.CLAIMING_AND_WOKEN
                    || (before == ClaimPhase.CLAIMING_AND_FREED && !claimer.willBeWokenFor(room()));
        }
        signalIfEmpty();
        if (poke) {
            poke();
        }
    }

    private synchronized Room room() {
        return held.room(environment.nanoTime(), averageRunNanos);
    }
}
