/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.check;

import com.apple.foundationdb.tuple.Tuple;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.simulated.SimulatedExecutions;
import dev.ratchet.client.simulated.SimulatedExecutions.Execution;
import dev.ratchet.client.simulated.SimulatedTask;
import dev.ratchet.futures.lifecycle.Lifecycle;
import dev.ratchet.futures.model.BlockFutures;
import dev.ratchet.futures.model.BlockIds;
import dev.ratchet.membership.LeaseSettings;
import dev.ratchet.protocol.futures.v1.ClaimToken;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.State;
import dev.ratchet.protocol.membership.v1.BeatRecord;
import dev.ratchet.protocol.membership.v1.CommandRecord;
import dev.ratchet.protocol.membership.v1.CoordinatorRecord;
import dev.ratchet.protocol.membership.v1.MemberRecord;
import dev.ratchet.simulation.check.StoreModel.Change;
import dev.ratchet.simulation.cluster.SimulatedCluster;
import dev.ratchet.simulation.cluster.SimulatedProgram;
import dev.ratchet.simulation.cluster.SimulatedWorker;
import dev.ratchet.simulation.store.SimulatedStore;
import dev.ratchet.simulation.world.VirtualProcess;
import dev.ratchet.store.keyspace.Table;
import dev.ratchet.store.transaction.CommitRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Looks at a cluster after every event, and throws the first {@link RuleViolation} from the event that made it. Follows
 * the store by its commits and the workers by what they say of themselves; changes nothing.
 */
public final class ClusterRules implements SimulatedStore.Observer {

    private static final LeaseSettings LEASE = SimulatedCluster.LEASE;
    /** A process that was stopped may still do so long what it should not: the time that a kill takes. */
    private static final long RESIDUE_MILLIS = LEASE.tickMillis() + LEASE.killWaitMillis() + LEASE.killLatencyMillis();

    /** Which futures and blocks were ever claimed by whom. */
    private final Set<Claimant> recorded = new HashSet<>();

    private final SimulatedCluster cluster;
    private final StoreModel model;
    private final Ledger ledger = new Ledger();
    private final FutureRules futures;
    private final SeatRules seats;
    private final SimulatedExecutions executions;
    private final CallRules calls;

    private record Claimant(FutureId future, String seat, long incarnation) {}

    public ClusterRules(SimulatedCluster cluster, SimulatedExecutions executions) {
        this.cluster = cluster;
        this.executions = executions;
        model = new StoreModel(cluster.keyspace);
        futures = new FutureRules(model, ledger);
        calls = new CallRules(model, ledger, executions);
        seats = new SeatRules(cluster, executions, model, ledger);
        cluster.engine.addObserver(this);
        executions.observe(this::begun);
        cluster.world.afterEach(process -> {
            seats.look(process);
            ledger.throwFirst();
        });
    }

    /** Looks at the calls of this program, too, from now on. */
    public void follow(SimulatedProgram program) {
        calls.follow(program);
    }

    /** How often each rule was looked at. */
    public Map<Rule, Long> looks() {
        return Map.copyOf(ledger.looks());
    }

    @Override
    public void committed(CommitRequest request, VirtualProcess by) {
        seats.decided(request, by);
        calls.committed();
        List<Change> changes = model.apply(request);
        Set<Object> touched = new LinkedHashSet<>();
        for (Change change : changes) {
            Tuple elements = change.table().elements(change.key());
            if (change.table() == model.claims) {
                futures.claimChanged(elements, change.after() != null);
                touched.add(elements.get(2));
            } else if (change.table() == model.futures) {
                touched.add(elements.get(0));
            }
        }
        changes.forEach(change -> changed(change, changes));
        touched.forEach(futures::settled);
    }

    private void changed(Change change, List<Change> changes) {
        Tuple elements = change.table().elements(change.key());
        if (change.table() == model.members) {
            seats.memberChanged(
                    elements.getString(0),
                    decode(model.members, change.before(), MemberRecord.getDefaultInstance()),
                    decode(model.members, change.after(), MemberRecord.getDefaultInstance()));
        } else if (change.table() == model.beats) {
            seats.beatChanged(
                    elements.getString(0),
                    decode(model.beats, change.before(), BeatRecord.getDefaultInstance()),
                    decode(model.beats, change.after(), BeatRecord.getDefaultInstance()));
        } else if (change.table() == model.commands) {
            seats.commandChanged(
                    elements.getString(0),
                    decode(model.commands, change.before(), CommandRecord.getDefaultInstance()),
                    decode(model.commands, change.after(), CommandRecord.getDefaultInstance()));
        } else if (change.table() == model.coordinator) {
            seats.coordinatorChanged(
                    decode(model.coordinator, change.before(), CoordinatorRecord.getDefaultInstance()),
                    decode(model.coordinator, change.after(), CoordinatorRecord.getDefaultInstance()));
        } else if (change.table() == model.futures) {
            FutureRecord before = before(change, changes);
            FutureRecord after = decode(model.futures, change.after(), FutureRecord.getDefaultInstance());
            futures.recordChanged(elements.getUUID(0), before, after);
            note(new FutureId(elements.getUUID(0)), before, after);
        }
    }

    /** The record of a future before a commit; of one that leaves its block what the block has said of it. */
    private FutureRecord before(Change change, List<Change> changes) {
        UUID id = change.table().elements(change.key()).getUUID(0);
        if (change.before() != null || !BlockIds.isInBlock(new FutureId(id))) {
            return decode(model.futures, change.before(), FutureRecord.getDefaultInstance());
        }
        byte[] blockKey = model.futures.key(BlockIds.blockOf(new FutureId(id)).value());
        return changes.stream()
                .filter(other -> Arrays.equals(other.key(), blockKey) && other.before() != null)
                .map(other -> decode(model.futures, other.before(), FutureRecord.getDefaultInstance()))
                .map(block -> BlockFutures.view(block, Optional.empty()).build())
                .findFirst()
                .orElse(FutureRecord.getDefaultInstance());
    }

    private void note(FutureId id, FutureRecord before, FutureRecord after) {
        if (after.getState() == State.STATE_UNSPECIFIED) {
            return;
        }
        if (before.getState() == State.STATE_UNSPECIFIED) {
            calls.recorded(id);
        }
        remember(id, after);
        if (before.getState() != after.getState()) {
            String name = after.hasBlock() ? "a block of " + BlockFutures.count(after) : after.getName();
            ClaimToken claim = after.getClaim();
            String by = " by " + claim.getSeat() + " incarnation " + claim.getIncarnation();
            cluster.world.note(name + " " + id + " is " + Lifecycle.word(after.getState())
                    + (after.getState() == State.STATE_CLAIMED ? by : "")
                    + (before.getState() == State.STATE_UNSPECIFIED && Lifecycle.isDone(after.getState())
                            ? " as it is recorded"
                            : ""));
        }
    }

    private void remember(FutureId id, FutureRecord record) {
        ClaimToken claim = record.getClaim();
        if (record.getState() == State.STATE_CLAIMED) {
            recorded.add(new Claimant(id, claim.getSeat(), claim.getIncarnation()));
        }
    }

    private static <V> V decode(Table<V> table, byte @Nullable [] value, V absent) {
        return value == null ? absent : table.decode(value);
    }

    @Override
    public void restarted(Map<byte[], byte[]> rows) {
        model.replace(rows);
        futures.restart();
        model.allFutures().forEach((id, value) -> remember(new FutureId(id.getUUID(0)), model.futures.decode(value)));
        cluster.workers().forEach(worker -> seats.remember(worker.name(), model.member(worker.name())));
        cluster.world.note("the store is back");
    }

    private void begun(Execution execution) {
        int number = execution.task().number();
        cluster.world.note("task " + number + " " + execution.future() + " begins on " + execution.process() + ", time "
                + execution.attempt());
        if (!wasRecorded(execution)) {
            execution.beginUnrecorded();
        }
        for (Execution other : executions.of(execution.task())) {
            ledger.require(
                    Rule.G1,
                    other == execution || !overlap(other, execution),
                    () -> "task " + number + " begins on " + execution.process() + " while it runs on "
                            + other.process());
        }
        if (wasRecorded(execution) && !isResidue(execution)) {
            calls.begun(execution, other -> overlap(other, execution));
        }
        worker(execution).ifPresent(worker -> requireInForce(execution, worker));
    }

    private boolean overlap(Execution former, Execution latter) {
        return former.isLive()
                && !isResidue(former)
                && !isResidue(latter)
                && wasRecorded(former)
                && wasRecorded(latter)
                && !former.wasUnrecorded();
    }

    /** Not so of a short future that runs before it is recorded: its client may have it run elsewhere meanwhile. */
    private boolean wasRecorded(Execution execution) {
        FutureId id = execution.future();
        return worker(execution)
                .filter(worker ->
                        isRecorded(id, worker) || (BlockIds.isInBlock(id) && isRecorded(BlockIds.blockOf(id), worker)))
                .isPresent();
    }

    private boolean isRecorded(FutureId id, SimulatedWorker worker) {
        return recorded.contains(new Claimant(id, worker.name(), worker.seat().incarnation()));
    }

    private static boolean isResidue(Execution execution) {
        return isResidue(execution.process());
    }

    /** Whether it went on a moment ago and may not know yet what became of its seat. */
    static boolean isResidue(VirtualProcess process) {
        return process.isBackWithin(RESIDUE_MILLIS);
    }

    private Optional<SimulatedWorker> worker(Execution execution) {
        return cluster.workers().stream()
                .filter(worker -> worker.process() == execution.process())
                .findFirst();
    }

    /** A claim may have been ended by a cancel that has not arrived; never by somebody who took the seat's claims. */
    private void requireInForce(Execution execution, SimulatedWorker worker) {
        long incarnation = worker.seat().incarnation();
        MemberRecord member = model.member(worker.name());
        boolean held = member.getIncarnation() == incarnation
                && member.getState() != dev.ratchet.protocol.membership.v1.State.STATE_MUST_DIE;
        ledger.require(
                Rule.G3,
                held || isResidue(execution),
                () -> "task " + execution.task().number() + " begins on " + worker + " incarnation " + incarnation
                        + " although the seat is " + member.getIncarnation() + " " + member.getState());
    }

    /** The faults are over and everything has had its time: what must be true then. */
    public void calm() {
        Map<Tuple, byte[]> claims = model.allClaims();
        ledger.require(Rule.P8, claims.isEmpty(), () -> "claims are left over: " + claims.keySet());
        for (SimulatedWorker worker : cluster.workers()) {
            if (!worker.isGone() && worker.membership().isJoined()) {
                long held = worker.work().now().futures();
                ledger.require(Rule.G4, held == 0, () -> worker + " holds " + held + " futures that are done");
            }
        }
        model.allBeats().forEach((seat, value) -> {
            BeatRecord beat = model.beats.decode(value);
            ledger.require(Rule.G5, beat.getHeldFutures() == 0, () -> seat + " says that it holds " + beat);
        });
        ledger.throwFirst();
    }

    /** Futures in the store that are not done: names and states. */
    public List<String> undone() {
        List<String> undone = new ArrayList<>();
        model.allFutures().forEach((id, value) -> {
            FutureRecord record = model.futures.decode(value);
            if (!FutureRules.isOver(record)) {
                undone.add(record.getName() + " " + id.getUUID(0) + " " + record.getState());
            }
        });
        return undone;
    }

    /** Futures of a job in the store that are not done. */
    public List<FutureId> undone(String job) {
        List<FutureId> undone = new ArrayList<>();
        model.allFutures().forEach((id, value) -> {
            FutureRecord record = model.futures.decode(value);
            if (!FutureRules.isOver(record) && record.getJob().equals(job)) {
                undone.add(new FutureId(id.getUUID(0)));
            }
        });
        return undone;
    }

    /** How many clients have a lease. */
    public int clients() {
        return model.allClients().size();
    }

    /** How often a task has begun. */
    public int times(SimulatedTask task) {
        return executions.of(task).size();
    }

    /** Whether the store has a record of the future. */
    public boolean exists(FutureId future) {
        return model.exists(future.value());
    }

    /** Whether the outcome of an acknowledged future is right. */
    public void outcome(boolean right, String found) {
        ledger.require(Rule.G2, right, () -> found);
        ledger.throwFirst();
    }
}
