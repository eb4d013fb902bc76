/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.worker;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.StreamingMode;
import dev.ratchet.client.FutureId;
import dev.ratchet.environment.Environment;
import dev.ratchet.environment.Environment.Cancellable;
import dev.ratchet.environment.GuardedCallbacks;
import dev.ratchet.futures.actor.LiveActors;
import dev.ratchet.futures.claim.Claimer;
import dev.ratchet.futures.claim.WorkCounters;
import dev.ratchet.futures.claim.WorkerContext;
import dev.ratchet.futures.collect.Collector;
import dev.ratchet.futures.collect.Deletion;
import dev.ratchet.futures.collect.Holders;
import dev.ratchet.futures.collect.ObjectGarbageCollector;
import dev.ratchet.futures.execute.Execution;
import dev.ratchet.futures.execute.OutcomeHandling;
import dev.ratchet.futures.execute.RunTimes;
import dev.ratchet.futures.execute.Slots;
import dev.ratchet.futures.execute.SpeculativeCalls;
import dev.ratchet.futures.execute.StateChecks;
import dev.ratchet.futures.execute.TaskInputs;
import dev.ratchet.futures.execute.TaskRuntime;
import dev.ratchet.futures.execute.WorkLoop;
import dev.ratchet.futures.generator.ItemRecords;
import dev.ratchet.futures.object.ObjectLocator;
import dev.ratchet.futures.object.ObjectStore;
import dev.ratchet.futures.object.Replication;
import dev.ratchet.futures.queue.Capacity;
import dev.ratchet.futures.queue.RequirementClasses;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.recover.Evacuation;
import dev.ratchet.futures.recover.FormerCopies;
import dev.ratchet.futures.recover.Placement;
import dev.ratchet.futures.recover.Reconstruction;
import dev.ratchet.futures.recover.SecondCopies;
import dev.ratchet.futures.recover.Takeover;
import dev.ratchet.futures.session.SessionKeys;
import dev.ratchet.futures.session.SessionRequests;
import dev.ratchet.futures.session.SessionSlotsService;
import dev.ratchet.futures.session.SlotMetrics;
import dev.ratchet.futures.settle.AntiAffinity;
import dev.ratchet.futures.settle.Cancellation;
import dev.ratchet.futures.settle.Dependents;
import dev.ratchet.futures.settle.Mailbox;
import dev.ratchet.futures.settle.OutcomeCommitter;
import dev.ratchet.futures.settle.OutcomeListener;
import dev.ratchet.futures.settle.RecentOutcomes;
import dev.ratchet.futures.settle.Recorder;
import dev.ratchet.futures.settle.Unsettled;
import dev.ratchet.futures.submit.Awaiting;
import dev.ratchet.futures.submit.InlineExecution;
import dev.ratchet.futures.submit.SpeculativeValues;
import dev.ratchet.futures.submit.Submission;
import dev.ratchet.futures.submit.ValueRegistration;
import dev.ratchet.futures.upkeep.HealthyShare;
import dev.ratchet.futures.upkeep.Housekeeping;
import dev.ratchet.futures.upkeep.Requeue;
import dev.ratchet.futures.upkeep.Unschedulable;
import dev.ratchet.futures.upkeep.WorkerSessions;
import dev.ratchet.membership.EvacuationFigures;
import dev.ratchet.membership.Holdings;
import dev.ratchet.membership.Inventory;
import dev.ratchet.membership.Liveness;
import dev.ratchet.membership.Member;
import dev.ratchet.membership.Members;
import dev.ratchet.membership.Metric;
import dev.ratchet.membership.Peers;
import dev.ratchet.membership.Seat;
import dev.ratchet.membership.Trial;
import dev.ratchet.membership.WorkerState;
import dev.ratchet.membership.client.ClientLeases;
import dev.ratchet.protocol.client.v1.SubmitRequest;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.State;
import io.grpc.BindableService;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything that works on futures in the name of one seat, put together, with its life as membership wants it. Idle
 * until the seat is settled; nothing blocks.
 */
public final class Worker implements Holdings {

    private static final Logger LOG = LoggerFactory.getLogger(Worker.class);

    private static final long RELIEVE_MILLIS = 500;
    private static final long SESSIONS_LOOK_MILLIS = 200;
    private static final long STATE_LOOK_MILLIS = 20;
    private static final long SWEEP_MILLIS = 10_000;
    private static final long TIDY_MILLIS = 45_000;

    /** Longer than any copy takes. */
    private static final long RECONCILE_MILLIS = 900_000;

    private static final int RECORDED_MAX = 1_000;

    private final FutureStore store;
    private final Environment environment;
    private final Seat seat;
    private final Liveness liveness;
    private final Members members;
    private final ObjectStore objects;
    private final Supplier<CompletableFuture<Void>> probe;
    private final Slots slots;
    private final WorkLoop loop;
    private final LiveActors actors;
    private final Mailbox mailbox;
    private final SecondCopies secondCopies;
    private final Evacuation evacuation;
    private final FormerCopies formerCopies;
    private final InlineExecution inlineExecution;
    private final Cancellation cancellation;
    private final Placement placement;
    private final ValueRegistration valueRegistration;
    private final Deletion deletion;
    private final Collector collector;
    private final ObjectGarbageCollector garbage;
    private final Awaiting awaiting;
    private final ItemRecords items;
    private final Requeue moving;
    private final Housekeeping housekeeping;
    private final WorkerSessions sessions;
    private final SlotMetrics slotMetrics;

    private final RecentOutcomes recent;
    private volatile boolean canaryPassed;
    private @Nullable Cancellable drainTimer;
    private volatile boolean draining;
    private long drainingSinceNanos;
    private volatile boolean ended;
    private volatile boolean settled;

    /**
     * @param peers channels to the other workers
     * @param leases of the clients of this worker
     * @param listener is told of outcomes that they wait for
     * @param probe proves that this process can run something
     */
    public Worker(
            WorkerContext context,
            Peers peers,
            WorkerObjects reached,
            TaskRuntime runtime,
            WorkerCapacity capacity,
            ClientLeases leases,
            OutcomeListener listener,
            WorkCounters counters,
            Supplier<CompletableFuture<Void>> probe) {
        this.store = context.store();
        this.environment = store.environment();
        this.seat = context.seat();
        this.liveness = context.liveness();
        this.objects = reached.store();
        this.probe = probe;
        this.members = context.members();
        ObjectLocator locator = reached.locator();
        items = new ItemRecords(store, seat.name());
        AntiAffinity elsewhere = new AntiAffinity(liveness, environment.random());
        Recorder recorder = new Recorder(store.keys(), environment, "", elsewhere);
        Dependents dependents = new Dependents(store.keys(), environment.random());
        Reconstruction reconstruction = new Reconstruction(store, recorder, dependents);
        Unsettled unsettled = new Unsettled(store, dependents);
        Recorder ownRecorder = new Recorder(store.keys(), environment, seat.name(), elsewhere);
        slots = new Slots(capacity.threads(), runtime.slotThreads());
        RunTimes runTimes = new RunTimes();
        actors = new LiveActors();
        cancellation = new Cancellation(store, recorder, dependents);
        StateChecks checks = new StateChecks(environment, seat, runtime);
        sessions = WorkerSessions.of(context, leases.clients(), peers, capacity.sessions(), cancellation, checks);
        slotMetrics = new SlotMetrics(sessions.holder());
        Replication replication = new Replication(environment, seat, liveness, locator, reached.client());
        secondCopies = new SecondCopies(environment, seat, liveness, objects, replication, locator.records());
        OutcomeCommitter outcomeCommitter =
                new OutcomeCommitter(store, seat, ownRecorder, dependents, telling(listener));
        recent = outcomeCommitter.recent();
        TaskInputs inputs = new TaskInputs(store, runtime.code(), locator, actors);
        OutcomeHandling outcomes = new OutcomeHandling(outcomeCommitter, secondCopies::recorded, reconstruction);
        loop = loop(context, outcomes, inputs, capacity.tasks(), runtime, counters, runTimes);
        Takeover takeover = new Takeover(store, seat.name(), members, liveness, recorder, dependents);
        evacuation = new Evacuation(store, seat, liveness, objects, replication, locator.records());
        formerCopies = new FormerCopies(store, seat, objects);
        placement = new Placement(store, liveness, replication, locator.records());
        valueRegistration = new ValueRegistration(store, seat, objects, replication, locator.records(), recorder);
        Submission submission = new Submission(store, recorder, dependents, reconstruction, members);
        SpeculativeCalls calls = new SpeculativeCalls(store, seat.name(), actors);
        inlineExecution = new InlineExecution(
                environment,
                seat,
                runtime.code(),
                submission,
                ownRecorder,
                loop,
                runTimes,
                calls,
                counters,
                capacity.threads());
        moving = new Requeue(store, members);
        Unschedulable unschedulable = new Unschedulable(store, members, recorder, dependents);
        deletion = new Deletion(store, cancellation::cancelAndRelease);
        collector = new Collector(store, liveness, seat.name(), new Holders(store, leases.clients()));
        garbage = new ObjectGarbageCollector(store, seat, objects);
        awaiting = new Awaiting(store, reconstruction, dependents);
        mailbox = new Mailbox(store, seat, (id, record) -> received(id, record, listener), this::awake);
        housekeeping = new Housekeeping(
                context, loop, sessions, takeover, leases, unsettled, unschedulable, moving, collector, garbage);
    }

    private WorkLoop loop(
            WorkerContext context,
            OutcomeHandling outcomes,
            TaskInputs inputs,
            Capacity capacity,
            TaskRuntime runtime,
            WorkCounters counters,
            RunTimes runTimes) {
        Claimer claimer =
                new Claimer(store, seat, new RequirementClasses(store.keys()), new HealthyShare(seat, liveness)::slice);
        return new WorkLoop(
                context,
                claimer,
                outcomes,
                inputs,
                slots,
                capacity,
                objects,
                runtime,
                counters,
                runTimes,
                sessions.holder());
    }

    private void awake() {
        loop.poke();
        sessions.holder().poke();
    }

    private void received(FutureId id, FutureRecord record, OutcomeListener listener) {
        loop.check(id, record);
        if (record.getState() == State.STATE_DELETED) {
            loop.execution(id).ifPresent(this::checkDeleted);
        }
        garbage.noticed(record);
        secondCopies.noticed(id, record);
        telling(listener).done(id, record);
    }

    /**
     * The future was gone at a time that may lie before this claim of it: whoever submits it again by its key gives it
     * the same id. A look that begins after the claim tells.
     */
    private void checkDeleted(Execution execution) {
        FutureId id = execution.claimed().id();
        store.read(transaction -> store.keys().record(transaction, id)).whenComplete((found, failure) -> {
            if (failure != null) {
                LOG.warn(
                        "whether a deleted future still runs here is not known future={} epoch={}",
                        id,
                        execution.claimed().token().getEpoch(),
                        failure);
            } else if (found.isEmpty()) {
                loop.revoke(execution);
            }
        });
    }

    /** Readers of items are told of the end, too. */
    private OutcomeListener telling(OutcomeListener listener) {
        return (id, record) -> {
            items.noticed(id);
            if (record.getSchedulingSpec().hasSession()) {
                sessions.holder().poke();
            }
            listener.done(id, record);
        };
    }

    /** Whether the seat is taken and clients can be served. */
    public boolean isSettled() {
        return settled && !ended;
    }

    /**
     * Records futures, see {@link Submission#submit(SubmitRequest, Optional)}; short ones may be run first.
     *
     * @param client is told of values between their run and their record, where the request asks for that
     */
    public CompletableFuture<Submission.Submitted> submit(
            SubmitRequest request, Optional<String> waiter, SpeculativeValues client) {
        return inlineExecution.submit(request, waiter, client);
    }

    /** Completes with a future whose code does not end although it was interrupted. */
    public CompletableFuture<FutureId> stuck() {
        return loop.stuck();
    }

    public Cancellation cancellation() {
        return cancellation;
    }

    public Placement placement() {
        return placement;
    }

    public ValueRegistration valueRegistration() {
        return valueRegistration;
    }

    public Deletion deletion() {
        return deletion;
    }

    public Collector collector() {
        return collector;
    }

    public Holders holders() {
        return collector.holders();
    }

    public Requeue moving() {
        return moving;
    }

    /** How many wait, and where; to be published. */
    public List<Metric> queues() {
        List<Metric> all = new ArrayList<>(loop.queues());
        all.add(inlineExecution.waiting());
        all.addAll(housekeeping.queues());
        return all;
    }

    /** What generators yield. */
    public ItemRecords items() {
        return items;
    }

    /** The figures of its slots. */
    public SlotMetrics slotMetrics() {
        return slotMetrics;
    }

    /** What clients ask of sessions. */
    public SessionRequests sessions() {
        return sessions.requests();
    }

    /** What other workers ask of its slots. */
    public BindableService sessionSlots() {
        return new SessionSlotsService(sessions.holder());
    }

    public Awaiting awaiting() {
        return awaiting;
    }

    @Override
    public Inventory now() {
        return Inventory.NONE
                .withFutures(loop.size())
                .withObjects(objects.count())
                .withSessions(sessions.holder().size());
    }

    @Override
    public Map<String, Long> freeResources() {
        Map<String, Long> free = new HashMap<>(sessions.holder().published());
        free.put(Replication.FREE_BYTES, objects.freeBytes());
        free.put(Replication.SECOND_COPY_BYTES, Math.max(0, objects.freeBytes() - objects.capacityBytes() / 2));
        free.put(HealthyShare.FREE_SLOTS, (long) loop.freeSlots());
        free.put(Trial.CANARY, canaryPassed ? 1L : 0L);
        recent.tell(free);
        if (draining) {
            EvacuationFigures.tell(free, evacuation.movedBytes(), evacuation.boundBytes());
        }
        return free;
    }

    @Override
    public CompletableFuture<Inventory> recorded(ReadTransaction transaction, String recordedSeat) {
        CompletableFuture<List<KeyValue>> claims = transaction
                .getRange(store.keys().claims.range(recordedSeat), RECORDED_MAX, false, StreamingMode.WANT_ALL)
                .asList();
        CompletableFuture<List<KeyValue>> held = transaction
                .getRange(store.keys().held.range(recordedSeat), RECORDED_MAX, false, StreamingMode.WANT_ALL)
                .asList();
        CompletableFuture<List<KeyValue>> open = transaction
                .getRange(
                        new SessionKeys(store.keys()).held.range(recordedSeat),
                        RECORDED_MAX,
                        false,
                        StreamingMode.WANT_ALL)
                .asList();
        return claims.thenApply(some -> Inventory.NONE.withFutures(some.size()))
                .thenCombine(held, (holds, some) -> holds.withObjects(some.size()))
                .thenCombine(open, (holds, some) -> holds.withSessions(some.size()));
    }

    @Override
    public CompletableFuture<Void> settle(Seat taken) {
        return formerCopies
                .takeUp()
                .thenCompose(unused -> housekeeping.release(seat.name(), seat.incarnation() - 1))
                .thenCompose(unused -> mailbox.clear())
                .thenRun(this::start);
    }

    private synchronized void start() {
        if (settled) {
            return;
        }
        settled = true;
        housekeeping.start();
        liveness.addListener((dead, incarnation) -> died(dead));
        store.usedBy(seat.name(), loop::takesWork, loop::poke);
        mailbox.start();
        sessions.holder().start();
        seat.addListener((state, reason) -> {
            if (state == WorkerState.HEALTHY) {
                awake();
            }
        });
        every("looking after what runs", RELIEVE_MILLIS, loop::relieve);
        every("the sweep", SWEEP_MILLIS, housekeeping::sweep);
        every("the tidying", TIDY_MILLIS, housekeeping::tidy);
        every("the reconciliation of objects", RECONCILE_MILLIS, garbage::reconcile);
        loop.poke();
    }

    /** Others may follow one that has died, unless its end loses nothing, as the store has it. */
    private void died(String dead) {
        var unused = store.read(transaction -> members.one(transaction, dead)).whenComplete((member, failure) -> {
            if (failure != null || member.filter(Worker::lostNothing).isEmpty()) {
                secondCopies.died();
            }
        });
    }

    /** It has parked, or has ended in order with nothing left. */
    private static boolean lostNothing(Member former) {
        return former.parkedIncarnation() > 0 || (former.ended() && former.drained());
    }

    private void every(String what, long millis, Runnable action) {
        GuardedCallbacks.repeat(environment, what, millis, () -> ended, action);
    }

    @Override
    public CompletableFuture<Void> canary() {
        return probe.get().thenRun(() -> canaryPassed = true);
    }

    @Override
    public CompletableFuture<Void> drain(long timeoutMillis) {
        housekeeping.leave();
        return stopWorking(timeoutMillis, false).thenCompose(unused -> evacuation.run());
    }

    @Override
    public CompletableFuture<Void> park(long timeoutMillis) {
        return stopWorking(timeoutMillis, true)
                .thenCompose(unused -> whenNothingIsAdded())
                .thenCompose(unused -> evacuation.keep());
    }

    /** Completes when the store says that no record may name another copy here. */
    private CompletableFuture<Void> whenNothingIsAdded() {
        if (seat.state() != WorkerState.HEALTHY) {
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<Void> later = new CompletableFuture<>();
        environment.schedule(STATE_LOOK_MILLIS, () -> later.complete(null));
        return later.thenCompose(unused -> whenNothingIsAdded());
    }

    /** @param comesBack whether sessions that are to be bound again on this seat are left to its next process */
    private CompletableFuture<Void> stopWorking(long timeoutMillis, boolean comesBack) {
        synchronized (this) {
            if (!draining) {
                draining = true;
                evacuation.begin();
                drainingSinceNanos = environment.nanoTime();
                GuardedCallbacks.repeat(
                        environment,
                        "looking for futures of sessions",
                        SESSIONS_LOOK_MILLIS,
                        () -> !draining || ended || sessions.holder().isReady(),
                        loop::poke);
            }
            if (drainTimer != null) {
                drainTimer.cancel();
            }
            long passedMillis = (environment.nanoTime() - drainingSinceNanos) / 1_000_000;
            drainTimer = environment.schedule(Math.max(0, timeoutMillis - passedMillis), () -> {
                if (draining) {
                    loop.giveBackAll();
                    sessions.holder().endAll();
                    if (!draining) {
                        reopen(); // It was called off meanwhile.
                    }
                }
            });
        }
        return sessions.holder()
                .close(comesBack)
                .thenCompose(unused -> loop.close())
                .thenRun(actors::close)
                .thenCompose(unused -> garbage.disposeAll());
    }

    @Override
    public void resume() {
        synchronized (this) {
            draining = false;
            if (drainTimer != null) {
                drainTimer.cancel();
            }
        }
        reopen();
    }

    private void reopen() {
        housekeeping.stay();
        loop.reopen();
        sessions.holder().reopen();
    }

    @Override
    public void abandon() {
        ended = true;
        sessions.holder().end();
        housekeeping.end();
        GuardedCallbacks.run("ending the watch of the mailbox", mailbox::stop);
        GuardedCallbacks.run("interrupting what runs", loop::abandon);
        slots.stop();
    }
}
