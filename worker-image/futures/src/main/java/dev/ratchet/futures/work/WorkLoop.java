/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.work;

import dev.ratchet.client.FutureId;
import dev.ratchet.futures.isolation.TaskProcesses;
import dev.ratchet.futures.nesting.RunningTask;
import dev.ratchet.futures.nesting.TaskCall;
import dev.ratchet.futures.nesting.TaskClients;
import dev.ratchet.futures.object.ObjectStore;
import dev.ratchet.futures.queue.Capacity;
import dev.ratchet.futures.queue.Room;
import dev.ratchet.futures.record.BlockIds;
import dev.ratchet.futures.record.Failures;
import dev.ratchet.futures.work.TaskInputs.Gathered;
import dev.ratchet.membership.Metric;
import dev.ratchet.membership.NotWorkingException;
import dev.ratchet.membership.Seat;
import dev.ratchet.membership.SeatLostException;
import dev.ratchet.protocol.futures.v1.FailureKind;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.State;
import dev.ratchet.store.environment.Environment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the slots of this worker busy: claims when there is room, runs, records, and sleeps when the queue is empty
 * until somebody wakes it. At most one claim transaction is in flight. How many short futures are claimed ahead follows
 * from how long they take; what was claimed ahead and has waited too long is given back for others to take.
 */
final class WorkLoop {

    private static final Logger LOG = LoggerFactory.getLogger(WorkLoop.class);

    /** What waits longer than this behind a running task is given back. */
    private static final long UNSTARTED_NANOS_MAX = 1_000_000_000L;

    private static final long RETRY_MILLIS = 500;

    /** How long the futures of one block may run as one; after that the rest is for everybody. */
    private static final long BLOCK_MILLIS_MAX = 50;

    /** Batches of short futures that run or wait to be run unrecorded, for each slot. */
    private static final int BATCHES_PER_THREAD = 4;

    /** How long code may go on after it was interrupted. */
    private static final long YIELD_NANOS_MAX = 30_000_000_000L;

    private final Environment environment;
    private final Seat seat;
    private final Claimer claimer;
    private final Settler settler;
    private final Reconstruction reconstruction;
    private final TaskInputs inputs;
    private final Slots slots;
    private final Admission admission;
    private final ObjectStore objects;
    private final Unrecorded unrecorded;
    private final TaskClients clients;
    private final TaskProcesses processes;
    private final WorkCounters counters;
    private final RunTimes runTimes;
    private final Patience blockPatience;
    /** The first of each batch of short futures that runs unrecorded. */
    private final Set<Execution> batches = ConcurrentHashMap.newKeySet();

    private final Executions executions;
    private boolean claiming;
    private boolean wakeUpMissed;
    private boolean closed;
    private double averageRunNanos = Executions.AHEAD_NANOS;
    private final CompletableFuture<FutureId> stuck = new CompletableFuture<>();
    private CompletableFuture<Void> empty = CompletableFuture.completedFuture(null);

    WorkLoop(
            Environment environment,
            Seat seat,
            Claimer claimer,
            Settler settler,
            Reconstruction reconstruction,
            TaskInputs inputs,
            Slots slots,
            Capacity capacity,
            ObjectStore objects,
            TaskClients clients,
            TaskProcesses processes,
            WorkCounters counters,
            RunTimes runTimes) {
        this.runTimes = runTimes;
        this.environment = environment;
        this.blockPatience = new Patience(environment, BLOCK_MILLIS_MAX);
        this.seat = seat;
        this.claimer = claimer;
        this.settler = settler;
        this.reconstruction = reconstruction;
        this.inputs = inputs;
        this.slots = slots;
        this.executions = new Executions(slots.count(), capacity);
        this.admission = new Admission(capacity);
        this.objects = objects;
        this.unrecorded = new Unrecorded(objects);
        this.clients = clients;
        this.processes = processes;
        this.counters = counters;
    }

    /** Claims if there is room and the seat may work. Cheap; call it whenever something may have changed. */
    void poke() {
        Room room;
        synchronized (this) {
            if (claiming) {
                wakeUpMissed = true;
                return;
            }
            room = room();
            if (closed || !seat.mayWork() || !claimer.mayFind(room)) {
                wakeUpMissed |= !seat.mayWork();
                claimer.mayHaveBeenWoken();
                return;
            }
            claiming = true;
            wakeUpMissed = false;
        }
        claimer.claim(room)
                .whenCompleteAsync((claims, failure) -> claimed(room, claims, failure), environment.executor());
    }

    /** Whether room that has become free must be looked for: not while whoever fills the queue with what fits tells. */
    private boolean mustLook() {
        return !claimer.willBeWokenFor(room());
    }

    /** One that came while the seat was in doubt waits until it is not any more, which nobody tells. */
    private synchronized boolean isWakeUpMissed() {
        return wakeUpMissed && !claiming;
    }

    /** Whether this worker may claim anything. */
    boolean takesWork() {
        return !isClosed() && seat.mayWork();
    }

    /** Whether nothing runs and this worker is looking for work, or will be woken for it. */
    boolean isIdle() {
        return executions.size() == 0 && (isClaiming() || claimer.isIdle());
    }

    private synchronized boolean isClaiming() {
        return claiming;
    }

    /** How many claims this worker has. */
    int size() {
        return executions.size();
    }

    /** How many wait on the way from the queue to the record; to be published. */
    List<Metric> queues() {
        return QueueMetrics.of(executions, settler);
    }

    /** Takes nothing new, gives back what has not started; completes when nothing is left. */
    CompletableFuture<Void> close() {
        boolean alone;
        synchronized (this) {
            closed = true;
            alone = !claiming;
            claiming = true;
        }
        if (alone) {
            becomeUnavailable();
        }
        giveBackUnstarted(0);
        return whenEmpty();
    }

    /** Ends the claiming of a loop that is closed: a wake-up meant for work must go to a worker that takes it. */
    private void becomeUnavailable() {
        claimer.becomeUnavailable().whenComplete((unused, failure) -> {
            if (failure != null) {
                claimFailed(failure);
            } else {
                claimEnded(false);
            }
        });
    }

    /** Takes work again after {@link #close()}. */
    void reopen() {
        synchronized (this) {
            closed = false;
        }
        poke();
    }

    /** Interrupts and gives back whatever still runs; code that does not yield goes on without a claim. */
    void giveBackAll() {
        for (Execution execution : executions.list()) {
            boolean unstarted = execution.stopUnstarted(Execution.Stop.GIVE_BACK);
            execution.stop(Execution.Stop.GIVE_BACK);
            if (unstarted || execution.isStarted()) {
                settle(execution, new Outcome.GivenBack());
            }
        }
    }

    /** Interrupts everything; nothing more is recorded. */
    void abandon() {
        synchronized (this) {
            closed = true;
        }
        executions.list().forEach(this::revoke);
    }

    /**
     * Looks at a future that this worker may run: stops it if the claim is not in force any more. A record from before
     * the claim says nothing about it: the message that an attempt is over may arrive when the next one runs here.
     */
    void check(FutureId id, FutureRecord record) {
        Execution execution = executions.get(id);
        if (execution == null && BlockIds.isInBlock(id)) {
            execution(BlockIds.blockOf(id)).flatMap(Execution::batch).ifPresent(batch -> batch.revoke(id));
        }
        if (execution != null
                && record.getEpoch() >= execution.claimed().token().getEpoch()
                && !(record.getState() == State.STATE_CLAIMED
                        && record.getClaim().equals(execution.claimed().token()))) {
            revoke(execution);
        }
    }

    /** What runs of a future here, or waits to run. */
    Optional<Execution> execution(FutureId id) {
        return Optional.ofNullable(executions.get(id));
    }

    /**
     * Gives back what waits behind tasks that take longer than was thought, stops what takes longer than it may, and
     * notices what does not let itself be stopped, or has told the process to end. To be called twice a second.
     */
    void relieve() {
        if (isWakeUpMissed()) {
            poke();
        }
        giveBackUnstarted(UNSTARTED_NANOS_MAX);
        long now = environment.nanoTime();
        for (Execution execution : executions.list()) {
            if (execution.stopped() == null && execution.isOverdue(now)) {
                execution.stop(Execution.Stop.TIMED_OUT);
            }
            if (execution.unyieldingNanos(now) > YIELD_NANOS_MAX) {
                if (execution.stopped() == Execution.Stop.TIMED_OUT) {
                    settle(execution, StoppedAttempts.timedOut(execution, seat.name()));
                }
                stuck.complete(execution.claimed().id());
            }
            if (isClosed() && execution.isExiting()) {
                LOG.warn(
                        "a task has called System.exit, so this worker leaves seat={} future={} epoch={}",
                        seat.name(),
                        execution.claimed().id(),
                        execution.claimed().token().getEpoch());
                settle(execution, StoppedAttempts.exited(seat.name()));
            }
        }
    }

    /** Completes with a future whose code goes on although it was interrupted: this process must end to end that. */
    CompletableFuture<FutureId> stuck() {
        return stuck;
    }

    private void claimed(Room room, @Nullable List<Claimed> claims, @Nullable Throwable failure) {
        List<Claimed> found = claims == null ? List.of() : claims;
        counters.claimTransactions.increment();
        List<Execution> fresh = new ArrayList<>();
        for (Claimed claim : found) {
            Execution execution = new Execution(claim, environment.nanoTime());
            Execution former = executions.add(execution);
            if (former != null) {
                revoke(former);
            }
            fresh.add(execution);
        }
        fresh.forEach(this::prepare);
        if (isClosed()) {
            giveBackUnstarted(0);
        }
        if (failure != null) {
            claimFailed(failure);
        } else if (found.isEmpty()) {
            claimer.becomeIdle(room()).whenComplete(this::idled);
        } else if (found.size() < room.futures() && !isClosed()) {
            // What fits has been taken, most likely: that is found out by the same look that says so to others.
            claimer.becomeIdleUnlessDisturbed(room()).whenComplete(this::idled);
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
        if (!(cause instanceof NotWorkingException || cause instanceof SeatLostException)) {
            LOG.warn("claiming failed, trying again seat={} delayMillis={}", seat.name(), RETRY_MILLIS, cause);
        }
        synchronized (this) {
            claiming = false;
        }
        signalIfEmpty();
        if (!(cause instanceof SeatLostException)) {
            var unused = environment.schedule(RETRY_MILLIS, this::poke);
        }
    }

    private void claimEnded(boolean again) {
        boolean poke;
        synchronized (this) {
            claiming = false;
            poke = again || wakeUpMissed;
        }
        signalIfEmpty();
        if (poke) {
            poke();
        }
    }

    private synchronized Room room() {
        return executions.room(environment.nanoTime(), averageRunNanos);
    }

    private void lookSoon() {
        if (mustLook()) {
            environment.executor().execute(this::poke);
        }
    }

    private void prepare(Execution execution) {
        inputs.gather(execution.claimed())
                .whenCompleteAsync(
                        (gathered, failure) -> {
                            if (failure != null) {
                                settle(execution, BlockRun.outcome(execution.claimed(), codeFailure(failure)));
                            } else {
                                prepared(execution, gathered);
                            }
                        },
                        environment.executor());
    }

    private void prepared(Execution execution, Gathered gathered) {
        switch (gathered) {
            case Gathered.Ready ready -> enter(execution, () -> run(execution, ready));
            case Gathered.OfBlock block -> enter(execution, () -> run(execution, block));
            case Gathered.UpstreamFailed failed ->
                settle(
                        execution,
                        new Outcome.Failed(Failures.ofUpstream(failed.upstream(), failed.record(), seat.name()), true));
            case Gathered.UpstreamsLost lost ->
                reconstruction
                        .awaitUpstreams(seat, execution.claimed(), lost.upstreams())
                        .whenComplete((inForce, failure) -> finish(execution, failure));
        }
    }

    private void enter(Execution execution, Runnable run) {
        admission.enter(
                execution,
                () -> slots.execute(() -> {
                    try {
                        run.run();
                    } finally {
                        admission.finished(execution);
                    }
                }));
    }

    private void run(Execution execution, Gathered.Ready ready) {
        if (!execution.start(environment.nanoTime())) {
            ready.close();
            return;
        }
        long started = environment.nanoTime();
        Outcome outcome = attempt(execution, ready.inputs());
        ran(environment.nanoTime() - started);
        ready.close();
        ended(execution, outcome);
    }

    private void run(Execution execution, Gathered.OfBlock block) {
        Claimed claimed = execution.claimed();
        long started = environment.nanoTime();
        if (execution.start(started)) {
            Batch batch = new Batch(
                    this,
                    environment,
                    execution,
                    BlockRun.items(claimed.id(), claimed.record(), block.function(), block.arguments()),
                    ended -> settleBlock(execution, ended));
            execution.runBy(batch);
            batch.limit(blockPatience);
            batch.run();
            execution.end();
            ran(environment.nanoTime() - started);
        }
        block.function().close();
    }

    /** Records how futures of a block have ended; a block of which none was started is given back as it is. */
    private CompletableFuture<Void> settleBlock(Execution execution, Map<FutureId, Optional<Outcome>> ended) {
        Outcome outcome = ended.isEmpty() ? new Outcome.GivenBack() : new Outcome.OfBlock(ended);
        if (execution.stopped() == Execution.Stop.REVOKED) {
            unrecorded.discard(execution.claimed(), outcome);
            finish(execution, null);
            return CompletableFuture.completedFuture(null);
        }
        return settle(execution, outcome);
    }

    /** Learns how long claims take. */
    void ran(long nanos) {
        synchronized (this) {
            averageRunNanos = 0.8 * averageRunNanos + 0.2 * nanos;
        }
    }

    /** Whether a short future could start here almost at once. */
    boolean takesBatches() {
        return takesWork() && batches.size() < BATCHES_PER_THREAD * slots.count() && admission.hasRoomBeside(batches);
    }

    /** Runs {@code batch}, which begins with {@code first} and is short, on the thread of a slot. */
    void runFirst(Execution first, Runnable batch) {
        batches.add(first);
        admission.enter(
                first,
                () -> slots.execute(() -> {
                    try {
                        batch.run();
                    } finally {
                        batches.remove(first);
                        admission.finished(first);
                    }
                }));
    }

    /**
     * Takes an execution that has begun before its future was recorded, of the batch that begins with {@code first}.
     */
    void adopt(Execution first, Execution execution) {
        batches.remove(first);
        executions.add(execution);
    }

    /** What forgets results that are not recorded. */
    Unrecorded unrecorded() {
        return unrecorded;
    }

    /** Runs the user's code on the thread of the caller, to which the execution is bound. */
    Outcome attempt(Execution execution, TaskCall.Inputs taskInputs) {
        long started = environment.nanoTime();
        Outcome outcome;
        try {
            outcome = new Task(execution.claimed(), taskInputs, objects, inputs.actorStates())
                    .run(context(execution, taskInputs), processes);
        } catch (RuntimeException | Error unexpected) {
            LOG.error(
                    "running a task failed outside of the task future={} epoch={}",
                    execution.claimed().id(),
                    execution.claimed().token().getEpoch(),
                    unexpected);
            outcome = codeFailure(unexpected);
        } finally {
            execution.end();
        }
        long nanos = environment.nanoTime() - started;
        counters.runMicros.add(nanos / 1_000);
        runTimes.add(execution.claimed().record(), nanos);
        return outcome;
    }

    /** Records how an execution has ended, unless its claim is not in force any more. */
    void ended(Execution execution, Outcome outcome) {
        if (execution.stopped() == Execution.Stop.REVOKED) {
            unrecorded.discard(execution.claimed(), outcome);
            finish(execution, null);
        } else if (execution.stopped() == Execution.Stop.TIMED_OUT) {
            unrecorded.discard(execution.claimed(), outcome);
            settle(execution, StoppedAttempts.timedOut(execution, seat.name()));
        } else {
            settle(execution, outcome);
        }
    }

    private RunningTask context(Execution execution, TaskCall.Inputs taskInputs) {
        Claimed claimed = execution.claimed();
        return clients.context(
                claimed.id(),
                claimed.record(),
                taskInputs.function().artifacts(),
                new HeldSlot(execution, executions, admission, slots, this::lookSoon));
    }

    private CompletableFuture<Void> settle(Execution execution, Outcome outcome) {
        if (!execution.settle()) {
            unrecorded.discard(execution.claimed(), outcome);
            return CompletableFuture.completedFuture(null);
        }
        return settler.record(execution.claimed(), outcome).handle((recorded, failure) -> {
            if (failure != null || !recorded) {
                counters.refused.increment();
                unrecorded.discard(execution.claimed(), outcome);
            }
            finish(execution, failure);
            return null;
        });
    }

    /** Stops what has no claim any more. */
    void revoke(Execution execution) {
        boolean unstarted = execution.stopUnstarted(Execution.Stop.REVOKED);
        execution.stop(Execution.Stop.REVOKED);
        if (unstarted && execution.settle()) {
            finish(execution, null);
        }
    }

    private void giveBackUnstarted(long olderThanNanos) {
        long now = environment.nanoTime();
        for (Execution execution : executions.list()) {
            if (now - execution.claimedNanos() >= olderThanNanos && execution.stopUnstarted(Execution.Stop.GIVE_BACK)) {
                settle(execution, new Outcome.GivenBack());
            }
        }
    }

    private void finish(Execution execution, @Nullable Throwable failure) {
        if (failure != null && !(failure.getCause() instanceof SeatLostException)) {
            LOG.warn(
                    "an outcome could not be recorded future={} epoch={}",
                    execution.claimed().id(),
                    execution.claimed().token().getEpoch(),
                    failure);
        }
        executions.remove(execution);
        signalIfEmpty();
        if (mustLook()) {
            poke();
        }
    }

    private void signalIfEmpty() {
        CompletableFuture<Void> nowEmpty;
        synchronized (this) {
            nowEmpty = executions.size() == 0 && !claiming ? empty : CompletableFuture.completedFuture(null);
        }
        nowEmpty.complete(null);
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    private synchronized CompletableFuture<Void> whenEmpty() {
        if (executions.size() == 0 && !claiming) {
            return CompletableFuture.completedFuture(null);
        }
        if (empty.isDone()) {
            empty = new CompletableFuture<>();
        }
        return empty;
    }

    private Outcome codeFailure(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return new Outcome.Failed(Failures.of(FailureKind.FAILURE_KIND_CODE, cause, seat.name()), false);
    }
}
