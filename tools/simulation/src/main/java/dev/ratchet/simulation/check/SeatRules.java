/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.check;

import com.apple.foundationdb.tuple.Tuple;
import dev.ratchet.client.simulated.SimulatedExecutions;
import dev.ratchet.membership.WorkerState;
import dev.ratchet.membership.record.StoredMembers;
import dev.ratchet.membership.seat.CommandReceiver;
import dev.ratchet.protocol.membership.v1.BeatRecord;
import dev.ratchet.protocol.membership.v1.CommandRecord;
import dev.ratchet.protocol.membership.v1.CoordinatorRecord;
import dev.ratchet.protocol.membership.v1.MemberRecord;
import dev.ratchet.protocol.membership.v1.State;
import dev.ratchet.simulation.cluster.SimulatedCluster;
import dev.ratchet.simulation.cluster.SimulatedWorker;
import dev.ratchet.simulation.world.VirtualProcess;
import dev.ratchet.store.transaction.CommitRequest;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rules about seats, terms and commands: of one commit after the other, and of what processes believe. */
final class SeatRules {

    private final SimulatedCluster cluster;
    private final SimulatedExecutions executions;
    private final StoreModel model;
    private final Ledger ledger;
    /** States that were recorded, by seat and incarnation. */
    private final Map<String, Set<WorkerState>> recorded = new HashMap<>();

    private final Map<SimulatedWorker, Belief> beliefs = new HashMap<>();

    /** What a process believed when it was last looked at. */
    private record Belief(WorkerState state, CommandReceiver.Heard heard) {}

    SeatRules(SimulatedCluster cluster, SimulatedExecutions executions, StoreModel model, Ledger ledger) {
        this.cluster = cluster;
        this.executions = executions;
        this.model = model;
        this.ledger = ledger;
    }

    void memberChanged(String seat, MemberRecord before, MemberRecord after) {
        boolean sameLife = before.getIncarnation() == after.getIncarnation();
        remember(seat, after);
        ledger.require(
                Rule.P6,
                after.getIncarnation() > before.getIncarnation()
                        || (sameLife
                                && (before.getState() != State.STATE_MUST_DIE
                                        || after.getState() == State.STATE_MUST_DIE)),
                () -> seat + " went from " + before.getIncarnation() + " " + before.getState() + " to "
                        + after.getIncarnation() + " " + after.getState());
        boolean works = after.getState() != State.STATE_NEW && after.getState() != State.STATE_MUST_DIE;
        if (sameLife && before.getState() == State.STATE_NEW && works) {
            List<Tuple> left = model.claimsOf(seat).stream()
                    .filter(claim -> claim.getLong(1) < after.getIncarnation()
                            && !model.future(claim.getUUID(2))
                                    .getSchedulingSpec()
                                    .getExternalEffects())
                    .toList();
            ledger.require(Rule.P1, left.isEmpty(), () -> seat + " left NEW with " + left);
        }
        if (after.getDrained() && !(sameLife && before.getDrained())) {
            ledger.require(
                    Rule.P10,
                    model.claimsOf(seat).isEmpty(),
                    () -> seat + " is recorded as drained with " + model.claimsOf(seat));
            long running = cluster.workers().stream()
                    .filter(worker -> worker.name().equals(seat) && !worker.isGone() && isLife(worker, after))
                    .filter(worker ->
                            after.getState() != State.STATE_MUST_DIE || !ClusterRules.isResidue(worker.process()))
                    .mapToLong(worker -> executions.live(worker.process()))
                    .sum();
            ledger.require(Rule.P20, running == 0, () -> seat + " is recorded as drained and runs " + running);
        }
    }

    private static boolean isLife(SimulatedWorker worker, MemberRecord record) {
        return worker.membership().isJoined() && worker.seat().incarnation() == record.getIncarnation();
    }

    void remember(String seat, MemberRecord record) {
        recorded.computeIfAbsent(seat + " " + record.getIncarnation(), life -> EnumSet.noneOf(WorkerState.class))
                .add(StoredMembers.state(record.getState()));
    }

    void beatChanged(String seat, BeatRecord before, BeatRecord after) {
        boolean grows = after.getIncarnation() > before.getIncarnation()
                || (after.getIncarnation() == before.getIncarnation() && after.getBeat() >= before.getBeat());
        ledger.require(
                Rule.P6,
                grows && after.getIncarnation() == model.member(seat).getIncarnation(),
                () -> "beat of " + seat + " went from " + before.getIncarnation() + "/" + before.getBeat() + " to "
                        + after.getIncarnation() + "/" + after.getBeat());
        ledger.require(
                Rule.G5,
                after.getHeldFutures() >= 0
                        && after.getFreeResourcesMap().values().stream().allMatch(free -> free >= 0),
                () -> seat + " says that it has " + after);
    }

    void coordinatorChanged(CoordinatorRecord before, CoordinatorRecord after) {
        ledger.require(
                Rule.P16,
                after.getTerm() > before.getTerm()
                        || (after.getTerm() == before.getTerm()
                                && after.getSeat().isEmpty()),
                () -> "the term went from " + before + " to " + after);
    }

    /** Before a commit is taken in: layout, drains and commands are written by the holder of the term. */
    void decided(CommitRequest request, VirtualProcess by) {
        if (request.mutations().stream().anyMatch(mutation -> model.isDecision(mutation.key()))) {
            CoordinatorRecord holder = model.holder();
            boolean holds = cluster.workers().stream()
                    .anyMatch(worker -> worker.process() == by
                            && worker.name().equals(holder.getSeat())
                            && worker.seat().incarnation() == holder.getIncarnation());
            ledger.require(Rule.P16, holds, () -> by + " decided something while the term was " + holder);
        }
    }

    void commandChanged(String seat, CommandRecord before, CommandRecord after) {
        ledger.require(
                Rule.P11,
                after.getTerm() > before.getTerm()
                        || (after.getTerm() == before.getTerm() && after.getSeq() > before.getSeq()),
                () -> "the command to " + seat + " went from " + before + " to " + after);
        ledger.require(
                Rule.P16,
                after.getTerm() == model.holder().getTerm(),
                () -> "a command of term " + after.getTerm() + " was written in term "
                        + model.holder().getTerm());
    }

    /** What a process believes after an event of its; what it believed before was looked at then. */
    void look(VirtualProcess process) {
        for (SimulatedWorker worker : cluster.workers()) {
            if (worker.process() != process
                    || worker.isGone()
                    || !worker.membership().isJoined()) {
                continue;
            }
            Belief now = new Belief(worker.state(), worker.seat().commands().heard());
            Belief before = beliefs.get(worker);
            if (!now.equals(before)) {
                beliefs.put(worker, now);
                requireRight(worker, before, now);
            }
        }
    }

    private void requireRight(SimulatedWorker worker, @Nullable Belief before, Belief now) {
        WorkerState state = now.state();
        if (state != WorkerState.NEW && state != WorkerState.MUST_DIE) {
            String life = worker.name() + " " + worker.seat().incarnation();
            ledger.require(
                    Rule.P2,
                    recorded.getOrDefault(life, Set.of()).contains(state),
                    () -> life + " calls itself " + state + " and was recorded as " + recorded.get(life));
        }
        ledger.require(
                Rule.P4,
                now.heard().term() >= now.heard().lastTerm()
                        && (before == null || isAfter(before.heard(), now.heard())),
                () -> worker + " had heard " + before + " and now " + now);
    }

    private static boolean isAfter(CommandReceiver.Heard before, CommandReceiver.Heard now) {
        return now.term() >= before.term()
                && (now.lastTerm() > before.lastTerm()
                        || (now.lastTerm() == before.lastTerm() && now.lastSeq() >= before.lastSeq()));
    }
}
