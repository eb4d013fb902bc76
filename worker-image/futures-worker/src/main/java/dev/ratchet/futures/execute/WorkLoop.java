/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.execute;

import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.SessionStateLostException;
import dev.ratchet.environment.Environment;
import dev.ratchet.environment.GuardedCallbacks;
import dev.ratchet.futures.claim.ClaimLoop;
import dev.ratchet.futures.claim.Claimer;
import dev.ratchet.futures.claim.WorkCounters;
import dev.ratchet.futures.claim.WorkerContext;
import dev.ratchet.futures.execute.TaskInputs.Gathered;
import dev.ratchet.futures.isolation.TaskProcesses;
import dev.ratchet.futures.model.BlockIds;
import dev.ratchet.futures.model.Failures;
import dev.ratchet.futures.nesting.RunningTask;
import dev.ratchet.futures.nesting.TaskCall;
import dev.ratchet.futures.nesting.TaskClients;
import dev.ratchet.futures.object.ObjectStore;
import dev.ratchet.futures.queue.Capacity;
import dev.ratchet.futures.recover.Reconstruction;
import dev.ratchet.futures.session.SessionHolder;
import dev.ratchet.futures.settle.Claimed;
import dev.ratchet.futures.settle.Outcome;
import dev.ratchet.futures.settle.OutcomeCommitter;
import dev.ratchet.membership.Metric;
import dev.ratchet.membership.Seat;
import dev.ratchet.protocol.futures.v1.Failure;
import dev.ratchet.protocol.futures.v1.FailureKind;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the slots of this worker busy: what {@link ClaimLoop} claims is prepared, let in and run, and {@link Endings}
 * records what comes of it. Short futures that a client waits for run here unrecorded, too.
 */
public final class WorkLoop {

    private static final Logger LOG = LoggerFactory.getLogger(WorkLoop.class);

    /** How long the futures of one block may run as one; after that the rest is for everybody. */
    private static final long BLOCK_MILLIS_MAX = 50;

    /** How long a group of futures may run unrecorded. */
    private static final long INLINE_MILLIS_MAX = 100;

    /** Groups of short futures that run or wait to be run unrecorded, for each slot. */
    private static final int GROUPS_PER_THREAD = 4;

    private final Environment environment;
    private final Seat seat;
    private final OutcomeCommitter outcomeCommitter;
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
    private final SessionHolder sessions;
    private final SharedDeadline blockDeadline;
    private final SharedDeadline inlineDeadline;
    /** The first of each group of short futures that runs unrecorded. */
    private final Set<Execution> groups = ConcurrentHashMap.newKeySet();

    private final Executions executions;
    private final ClaimLoop claims;
    private final Endings endings;
    private final WorkWatchdog workWatchdog;
    private final OwnClaims own;

    public WorkLoop(
            WorkerContext context,
            Claimer claimer,
            OutcomeHandling outcomes,
            TaskInputs inputs,
            Slots slots,
            Capacity capacity,
            ObjectStore objects,
            TaskRuntime runtime,
            WorkCounters counters,
            RunTimes runTimes,
            SessionHolder sessions) {
        this.sessions = sessions;
        this.runTimes = runTimes;
        this.environment = context.store().environment();
        this.blockDeadline = new SharedDeadline(environment, BLOCK_MILLIS_MAX);
        this.inlineDeadline = new SharedDeadline(environment, INLINE_MILLIS_MAX);
        this.seat = context.seat();
        this.outcomeCommitter = outcomes.committer();
        this.reconstruction = outcomes.reconstruction();
        this.inputs = inputs;
        this.slots = slots;
        this.executions = new Executions(slots.count(), capacity);
        this.admission = new Admission(capacity);
        this.objects = objects;
        this.unrecorded = new Unrecorded(objects);
        this.clients = runtime.clients();
        this.processes = runtime.processes();
        this.counters = counters;
        this.claims =
                new ClaimLoop(environment, seat, claimer, executions, counters, this::taken, this::takesOfSessions);
        this.endings =
                new Endings(seat, executions, outcomeCommitter, unrecorded, outcomes.recorded(), counters, claims);
        this.workWatchdog = new WorkWatchdog(environment, seat, executions, claims, endings);
        this.own = new OwnClaims(context.store(), seat, executions, claims, endings);
    }

    /** Claims if there is room and the seat may work. Cheap; call it whenever something may have changed. */
    public void poke() {
        claims.poke();
    }

    /** Whether this worker may claim anything. */
    public boolean takesWork() {
        return claims.takesWork();
    }

    /** Whether nothing runs and this worker is looking for work, or will be woken for it. */
    public boolean isIdle() {
        return executions.size() == 0 && claims.isAwake();
    }

    /** How many claims this worker has. */
    public int size() {
        return executions.size();
    }

    /** Slots but for those whose future has run for long. */
    public int freeSlots() {
        return executions.slotsNotTakenForLong(environment.nanoTime());
    }

    /** How many wait on the way from the queue to the record; to be published. */
    public List<Metric> queues() {
        return ExecutionMetrics.of(executions, outcomeCommitter, environment);
    }

    /** Takes nothing new, gives back what has not started; completes when nothing is left. */
    public CompletableFuture<Void> close() {
        claims.close();
        recordGroups();
        endings.giveBackUnstarted(environment.nanoTime(), 0);
        return claims.whenEmpty();
    }

    /** Takes work again after {@link #close()} and {@link #giveBackAll()}. */
    public void reopen() {
        endings.keep();
        claims.reopen();
    }

    /**
     * Interrupts and gives back whatever still runs; code that does not yield goes on without a claim. Until
     * {@link #reopen()} nothing begins any more, and what is claimed or recorded all the same is given back at once.
     */
    public void giveBackAll() {
        endings.giveBackAll();
        recordGroups();
    }

    /** What runs unrecorded is a claim like others from now on. */
    private void recordGroups() {
        groups.forEach(first -> first.group().ifPresent(AttemptGroup::seal));
    }

    private boolean takesOfSessions() {
        return !endings.givesBackAll() && !sessions.isReady();
    }

    /** Interrupts everything; nothing more is recorded. */
    public void abandon() {
        claims.abandon();
        executions.list().forEach(this::revoke);
    }

    /** Stops what has no claim any more. */
    public void revoke(Execution execution) {
        endings.revoke(execution);
    }

    /**
     * Looks at a future that this worker may run: stops it if the claim is not in force any more. A record from before
     * the claim says nothing about it: the message that an attempt is over may arrive when the next one runs here.
     */
    public void check(FutureId id, FutureRecord record) {
        Execution execution = executions.get(id);
        if (execution == null && BlockIds.isInBlock(id)) {
            execution(BlockIds.blockOf(id)).flatMap(Execution::group).ifPresent(group -> group.revoke(id));
        }
        if (execution != null
                && record.getEpoch() >= execution.claimed().token().getEpoch()
                && !(record.getState() == State.STATE_CLAIMED
                        && record.getClaim().equals(execution.claimed().token()))) {
            revoke(execution);
        }
    }

    /** What runs of a future here, or waits to run. */
    public Optional<Execution> execution(FutureId id) {
        return Optional.ofNullable(executions.get(id));
    }

    /** Looks after what runs, see {@link WorkWatchdog}. To be called twice a second. */
    public void relieve() {
        claims.pokeIfMissed();
        workWatchdog.look();
    }

    /** Ends claims of this worker that nothing here carries through, where there may be any; see {@link OwnClaims}. */
    public void reconcileIfInDoubt() {
        own.lookIfInDoubt();
    }

    /** As {@link #reconcileIfInDoubt}, wherever something was claimed since it was done last. */
    public void reconcile() {
        own.lookIfWorking();
    }

    /** Completes with a future whose code goes on although it was interrupted: this process must end to end that. */
    public CompletableFuture<FutureId> stuck() {
        return workWatchdog.stuck();
    }

    private void taken(List<Claimed> found) {
        if (!found.isEmpty()) {
            own.claimed();
        }
        List<Execution> fresh = new ArrayList<>();
        for (Claimed claim : found) {
            Execution execution = new Execution(claim, environment.nanoTime());
            Execution former = executions.add(execution);
            if (former != null) {
                GuardedCallbacks.run("stopping what was claimed before", () -> revoke(former));
            }
            endings.added(execution);
            fresh.add(execution);
        }
        fresh.forEach(this::prepare);
        if (claims.isClosed()) {
            endings.giveBackUnstarted(environment.nanoTime(), 0);
        }
    }

    private void prepare(Execution execution) {
        GuardedCallbacks.begin(() -> inputs.gather(execution.claimed()))
                .whenCompleteAsync(
                        (gathered, failure) -> {
                            if (failure != null) {
                                broken(execution, failure);
                            } else {
                                orBroken(execution, () -> prepared(execution, gathered));
                            }
                        },
                        environment.executor());
    }

    /** Whatever goes wrong with a claim beside its code, it ends. */
    private void orBroken(Execution execution, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error unexpected) {
            LOG.error(
                    "a claim can not be carried through future={}",
                    execution.claimed().id(),
                    unexpected);
            broken(execution, unexpected);
        }
    }

    private void broken(Execution execution, Throwable failure) {
        endings.settle(execution, BlockRun.outcome(execution.claimed(), codeFailure(failure)));
    }

    private void prepared(Execution execution, Gathered gathered) {
        switch (gathered) {
            case Gathered.Ready ready -> enter(execution, () -> orBroken(execution, () -> run(execution, ready)));
            case Gathered.UpstreamFailed failed ->
                endings.settle(
                        execution,
                        new Outcome.Failed(Failures.ofUpstream(failed.upstream(), failed.record(), seat.name()), true));
            case Gathered.UpstreamsAway away ->
                GuardedCallbacks.begin(() -> reconstruction.awaitSeats(seat, execution.claimed(), away.seats()))
                        .whenComplete((inForce, failure) -> endings.finish(execution, failure));
            case Gathered.UpstreamsLost lost ->
                GuardedCallbacks.begin(() -> reconstruction.awaitUpstreams(seat, execution.claimed(), lost.upstreams()))
                        .whenComplete((inForce, failure) -> endings.finish(execution, failure));
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
        makeWay(execution);
    }

    /** Groups of other tenants leave off for what waits. */
    private void makeWay(Execution execution) {
        admission.inTheWayOf(execution).forEach(other -> other.group().ifPresent(AttemptGroup::leaveOff));
    }

    private void run(Execution execution, Gathered.Ready ready) {
        long started = environment.nanoTime();
        if (execution.start(started)) {
            AttemptGroup group = new AttemptGroup(
                    this, environment, execution, ready.attempts(), ended -> endings.ended(execution, ended));
            if (execution.claimed().record().hasBlock()) {
                execution.runBy(group);
                group.limit(blockDeadline);
            }
            group.run();
            execution.end();
            claims.ran(environment.nanoTime() - started);
        }
        ready.close();
    }

    /** Whether a short future could start here almost at once. */
    public boolean takesGroups() {
        return takesWork() && groups.size() < GROUPS_PER_THREAD * slots.count() && admission.hasRoomBeside(groups);
    }

    /**
     * Runs short futures that are not recorded yet as a group, for {@value #INLINE_MILLIS_MAX} ms at most, and longer
     * only what has begun by then. Not for more than {@link #takesGroups} allows.
     *
     * @param claims how many claims it spares
     * @param recording records how those that were started have ended; empty: still going on
     * @param left is run when the slot is left
     */
    public void runUnrecorded(
            List<AttemptGroup.Item> attempts,
            int claims,
            Function<Map<FutureId, Optional<Outcome>>, CompletableFuture<?>> recording,
            Runnable left) {
        Execution first = new Execution(attempts.getFirst().claimed(), environment.nanoTime());
        AttemptGroup group = new AttemptGroup(this, environment, first, attempts, recording);
        first.runBy(group);
        group.limit(inlineDeadline);
        groups.add(first);
        enter(first, () -> {
            long started = environment.nanoTime();
            try {
                group.run();
                this.claims.ran((environment.nanoTime() - started) / claims);
                left.run();
            } finally {
                groups.remove(first);
            }
        });
    }

    /**
     * Takes an execution that has begun before its future was recorded, of the group that begins with {@code first}.
     */
    void adopt(Execution first, Execution execution) {
        groups.remove(first);
        executions.add(execution);
        endings.added(execution);
    }

    /** What forgets results that are not recorded. */
    public Unrecorded unrecorded() {
        return unrecorded;
    }

    /** Runs the user's code on the thread of the caller, to which the execution is bound. */
    Outcome attempt(Execution execution, TaskCall.Inputs taskInputs) {
        long started = environment.nanoTime();
        ByteString session =
                execution.claimed().record().getSchedulingSpec().getSession().getId();
        if (!session.isEmpty() && !sessions.begin(session)) {
            execution.end();
            return new Outcome.GivenBack();
        }
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
            if (!session.isEmpty()) {
                sessions.finished(session);
            }
        }
        if (!session.isEmpty() && outcome instanceof Outcome.Failed failed && isStateLost(failed.failure())) {
            sessions.stateLost(session, failed.failure().getMessage());
            outcome = new Outcome.GivenBack();
        }
        long nanos = environment.nanoTime() - started;
        counters.runMicros.add(nanos / 1_000);
        runTimes.add(execution.claimed().record(), nanos);
        return outcome;
    }

    private static boolean isStateLost(Failure failure) {
        return failure.getType().equals(SessionStateLostException.class.getName())
                || failure.getTypesList().contains(SessionStateLostException.class.getName());
    }

    /** Records how an execution has ended, unless its claim is not in force any more. */
    void ended(Execution execution, Outcome outcome) {
        endings.ended(execution, outcome);
    }

    private RunningTask context(Execution execution, TaskCall.Inputs taskInputs) {
        Claimed claimed = execution.claimed();
        return clients.context(
                claimed.id(),
                claimed.record(),
                taskInputs.function().artifacts(),
                new HeldSlot(execution, executions, admission, slots, claims::roomIsFreeSoon));
    }

    private Outcome codeFailure(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return new Outcome.Failed(Failures.of(FailureKind.FAILURE_KIND_CODE, cause, seat.name()), false);
    }
}
