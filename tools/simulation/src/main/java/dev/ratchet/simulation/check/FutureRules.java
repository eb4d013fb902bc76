/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.check;

import com.apple.foundationdb.tuple.Tuple;
import dev.ratchet.futures.lifecycle.Lifecycle;
import dev.ratchet.futures.model.BlockFutures;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.protocol.futures.v1.ClaimToken;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.State;
import dev.ratchet.protocol.membership.v1.MemberRecord;
import dev.ratchet.simulation.cluster.SimulatedProgram;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** The rules about claims and outcomes, of one commit after the other. */
final class FutureRules {

    private static final Map<State, Set<State>> REACHABLE = reachable();

    private final StoreModel model;
    private final Ledger ledger;
    /** Who has claims on a future, by the index. */
    private final Map<Object, Set<String>> claimants = new HashMap<>();

    FutureRules(StoreModel model, Ledger ledger) {
        this.model = model;
        this.ledger = ledger;
    }

    /** States that several steps of one commit may lead to. */
    private static Map<State, Set<State>> reachable() {
        Map<State, Set<State>> reachable = new EnumMap<>(State.class);
        for (State state : State.values()) {
            Set<State> found = EnumSet.of(state);
            boolean grown = true;
            while (grown) {
                grown = false;
                for (Lifecycle.Transition row : Lifecycle.transitions()) {
                    grown |= found.contains(row.from()) && found.addAll(row.to());
                }
            }
            reachable.put(state, found);
        }
        return reachable;
    }

    void recordChanged(UUID id, FutureRecord before, FutureRecord after) {
        if (after.getState() == State.STATE_UNSPECIFIED) {
            removed(id, before);
            return;
        }
        ClaimToken former = before.getClaim();
        ClaimToken claim = after.getClaim();
        ledger.require(
                Rule.P7,
                REACHABLE.getOrDefault(before.getState(), Set.of()).contains(after.getState())
                        && !(isSame(before, after, State.STATE_REALIZED)
                                && !before.getResult()
                                        .getInline()
                                        .equals(after.getResult().getInline())),
                () -> id + " went from " + before.getState() + " to " + after.getState());
        ledger.require(
                Rule.P12,
                after.getEpoch() >= before.getEpoch(),
                () -> id + " fell from epoch " + before.getEpoch() + " to " + after.getEpoch());
        ledger.require(
                Rule.P5,
                claim.equals(former) || former.getEpoch() == 0 || claim.getEpoch() > former.getEpoch(),
                () -> id + " gave its epoch to " + former + " and then to " + claim);
        ledger.require(
                Rule.P14,
                after.getNumAttempts() >= 0
                        && after.getNumAttempts() <= after.getEpoch() + lostAttemptsMax(after)
                        && after.getNumAttempts() <= after.getMaxRetries() + 1,
                () -> id + " counts " + after.getNumAttempts() + " attempts, epoch " + after.getEpoch() + ", retries "
                        + after.getMaxRetries());
        if (after.getState() == State.STATE_CLAIMED && !claim.equals(former)) {
            claimed(id, claim);
        }
        if (before.getState() == State.STATE_CLAIMED && after.getState() == State.STATE_REALIZED) {
            realized(id, former, claim);
        }
    }

    /**
     * A short future may have run on a worker that died before it was recorded: whoever submits it says so. Those of
     * programs and of tasks may have been found to be short.
     */
    private static int lostAttemptsMax(FutureRecord record) {
        boolean found = SimulatedProgram.JOBS.contains(record.getJob())
                || !record.getParent().isEmpty();
        return found || record.getSchedulingSpec().getShortTask() ? 1 : 0;
    }

    /** Only what is over is removed, and only when no client that holds it lives. */
    private void removed(UUID id, FutureRecord before) {
        ledger.require(Rule.P7, isOver(before), () -> id + " was removed while it was " + before.getState());
        List<UUID> holders = before.getClientsList().stream()
                .map(client -> Ids.of(client).value())
                .filter(model::isClient)
                .toList();
        ledger.require(Rule.G2, holders.isEmpty(), () -> id + " was removed while " + holders + " held it");
    }

    /** Whether nothing more happens to it by itself; a block that every future has left is nobody's. */
    static boolean isOver(FutureRecord record) {
        return BlockFutures.count(record) == 0
                || switch (record.getState()) {
                    case STATE_REALIZED, STATE_FAILED, STATE_CANCELLED, STATE_LOST, STATE_DELETED -> true;
                    default -> false;
                };
    }

    private static boolean isSame(FutureRecord before, FutureRecord after, State state) {
        return before.getState() == state && after.getState() == state;
    }

    private void claimed(Object id, ClaimToken claim) {
        MemberRecord member = model.member(claim.getSeat());
        ledger.require(
                Rule.P3,
                member.getIncarnation() == claim.getIncarnation(),
                () -> id + " was claimed by " + claim.getSeat() + " " + claim.getIncarnation() + " while incarnation "
                        + member.getIncarnation() + " had the seat");
        ledger.require(
                Rule.P15,
                member.getState() == dev.ratchet.protocol.membership.v1.State.STATE_HEALTHY,
                () -> id + " was claimed by " + claim.getSeat() + ", which was " + member.getState());
        ledger.require(
                Rule.P9,
                member.getState() != dev.ratchet.protocol.membership.v1.State.STATE_NEW,
                () -> id + " was claimed by the NEW " + claim.getSeat());
    }

    private void realized(Object id, ClaimToken former, ClaimToken claim) {
        MemberRecord member = model.member(claim.getSeat());
        ledger.require(
                Rule.P17, former.equals(claim), () -> id + " was claimed by " + former + " and realized by " + claim);
        boolean may = member.getIncarnation() == claim.getIncarnation()
                && member.getState() != dev.ratchet.protocol.membership.v1.State.STATE_NEW
                && member.getState() != dev.ratchet.protocol.membership.v1.State.STATE_MUST_DIE;
        ledger.require(
                Rule.P19,
                may,
                () -> id + " was realized by " + claim.getSeat() + " " + claim.getIncarnation() + " while the seat was "
                        + member.getIncarnation() + " " + member.getState());
    }

    void claimChanged(Tuple claim, boolean exists) {
        Set<String> holders = claimants.computeIfAbsent(claim.get(2), id -> new HashSet<>());
        String holder = claim.getString(0) + " " + claim.getLong(1);
        if (exists) {
            holders.add(holder);
        } else {
            holders.remove(holder);
        }
    }

    /** After all rows of a commit: index and record agree. */
    void settled(Object id) {
        FutureRecord record = model.future(id);
        Set<String> holders = claimants.getOrDefault(id, Set.of());
        ledger.require(Rule.P18, holders.size() <= 1, () -> id + " is claimed by " + holders);
        ClaimToken claim = record.getClaim();
        Set<String> expected = record.getState() == State.STATE_CLAIMED && BlockFutures.count(record) > 0
                ? Set.of(claim.getSeat() + " " + claim.getIncarnation())
                : Set.of();
        ledger.require(
                Rule.P13,
                holders.equals(expected),
                () -> id + " is " + record.getState() + " by " + expected + " and the index says " + holders);
    }

    /** Takes what is there as it is, after commits that were not seen one by one. */
    void restart() {
        claimants.clear();
        model.allClaims().keySet().forEach(claim -> claimChanged(claim, true));
    }
}
