/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import dev.ratchet.crds.Names;
import dev.ratchet.crds.cluster.UpgradePolicy;
import dev.ratchet.crds.cluster.UpgradeStrategy;
import dev.ratchet.crds.layout.UpgradeProgress;
import dev.ratchet.operator.model.InPlaceChange;
import dev.ratchet.operator.model.WorkerRevisions;
import dev.ratchet.operator.observe.PodFacts;
import dev.ratchet.operator.observe.Snapshot;
import dev.ratchet.operator.plan.WalkStep.Counts;
import dev.ratchet.operator.status.PodTrouble;
import dev.ratchet.operator.status.Reason;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Owns the walk of layouts that replaces the workers of one revision by those of another: a layout with some of the new
 * more, then one with some of the old less, and so on. Which step is next follows from what is in force and from what
 * the newest layout carries, so that any operator goes on from there. Invariant: no step is proposed before all workers
 * of the new revision in force work and the old ones that left are gone.
 */
final class UpgradeWalk {
    /** A scheduler that has found no node for so long will not without help. */
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final Snapshot snapshot;
    private final WorkerRevisions revisions;
    private final LayoutView layouts;
    private final UpgradePolicy policy;
    private final int replicas;
    private final Optional<Obstacle> awaited;
    private final SeatChooser chooser;
    private final UpgradeGoal goal;
    private final NavigableMap<String, String> inForce;

    UpgradeWalk(
            Snapshot snapshot,
            WorkerRevisions revisions,
            LayoutView layouts,
            UpgradePolicy policy,
            int replicas,
            Optional<Obstacle> awaited) {
        this.snapshot = snapshot;
        this.revisions = revisions;
        this.layouts = layouts;
        this.policy = policy;
        this.replicas = replicas;
        this.awaited = awaited;
        this.chooser = new SeatChooser(snapshot);
        this.goal = UpgradeGoal.of(
                snapshot,
                revisions.update(),
                layouts.carried(),
                layouts.inForce().values(),
                layouts.open().isEmpty());
        this.inForce = refreshed(layouts.inForce(), goal.revision());
    }

    /** What should be in force next. */
    LayoutWish wish() {
        boolean walks = !others(inForce, goal.revision()).isEmpty() || isLastToCome();
        return layouts.epoch() > 0 && replicas > 0 && walks ? walk() : rest();
    }

    /** Where old workers leave first, the last step adds a new one. */
    private boolean isLastToCome() {
        UpgradeProgress carried = layouts.carriedInForce();
        return carried != null && goal.isOf(carried) && carried.step < carried.steps && inForce.size() < replicas;
    }

    /** Nothing is to be replaced: only the number of workers counts. */
    private LayoutWish rest() {
        boolean ends = layouts.epoch() > 0 && goal.isOf(layouts.carriedInForce()) && !layouts.isInForceComplete();
        UpgradeGate gate = gate(ends ? inForce.keySet() : Set.of());
        if (ends && goal.isForward() && gate.failed().isPresent() && mayGoBack()) {
            return back(gate.failed().get());
        }
        NavigableMap<String, String> members = resting();
        Optional<NavigableSet<String>> chosen = chooser.choose(Seats.copy(members.keySet()), replicas, goal.revision());
        chosen.ifPresent(seats -> {
            members.keySet().retainAll(seats);
            seats.forEach(seat -> members.putIfAbsent(seat, goal.revision()));
        });
        boolean gaveUp = !goal.isForward();
        UpgradeProgress carried = layouts.carried();
        // A step that is open ends the walk; what was tried in vain is never forgotten.
        boolean keeps = gaveUp || (layouts.open().isPresent() && goal.isOf(carried));
        return new LayoutWish(
                members,
                keeps ? carried : null,
                members.keySet().equals(layouts.inForce().keySet()),
                LayoutWish.OTHERS_WANTED,
                chosen.isPresent() ? Optional.empty() : Optional.of(Reason.COORDINATOR_UNREACHABLE),
                new Upgrade(
                        goal.revision(),
                        revisions.update(),
                        ends ? Optional.ofNullable(layouts.carriedInForce()) : Optional.empty(),
                        gaveUp ? Optional.of(gaveUp(Reason.ROLLED_BACK, goal.reason())) : gateFailed(gate)),
                ends ? gate.lookAt() : Optional.empty(),
                ends && (!gate.open() || gate.failed().isPresent()));
    }

    /** What was wished last, unless that was a step to another goal. */
    private NavigableMap<String, String> resting() {
        NavigableMap<String, String> base = refreshed(layouts.base(), goal.revision());
        boolean turned = layouts.epoch() > 0 && !others(base, goal.revision()).isEmpty();
        return turned ? sorted(inForce) : base;
    }

    private boolean mayGoBack() {
        return policy.rollback.onFailure && goal.hasWayBack();
    }

    private LayoutWish walk() {
        UpgradeGate gate = gate(updatedSeats());
        if (goal.isForward() && gate.failed().isPresent() && mayGoBack()) {
            return back(gate.failed().get());
        }
        Counts counts = counts(goal.revision());
        WalkStep scale = WalkStep.ofScale(counts);
        if (!scale.equals(WalkStep.NONE)) {
            UpgradeProgress carried = goal.isOf(layouts.carried()) ? layouts.carried() : null;
            return take(scale, scaledTo(counts, gate), carried, Optional.empty(), gate);
        }
        WalkStep next = WalkStep.next(counts);
        UpgradeProgress progress = goal.after(layouts.carriedInForce(), WalkStep.steps(counts));
        if (isOpen(next, progress)) {
            return take(next, goal.revision(), progress, joinersTrouble(gate), gate);
        }
        if (!inForce.equals(layouts.inForce())) {
            return wish(inForce, progress, Optional.empty(), gate);
        }
        Optional<Obstacle> blocked = whyNot(gate);
        if (blocked.isPresent() || !gate.open() || isSomebodyLeaving()) {
            return wish(inForce, layouts.carriedInForce(), blocked, gate);
        }
        return take(next, goal.revision(), progress, Optional.empty(), gate);
    }

    /** Gives the attempt up: a layout that says so, and that takes the first step back if there is one. */
    private LayoutWish back(String why) {
        UpgradeGoal reversed = goal.reversed(why);
        NavigableMap<String, String> members = refreshed(layouts.inForce(), reversed.revision());
        Counts counts = counts(members, reversed.revision());
        UpgradeProgress progress = reversed.after(layouts.carried(), WalkStep.steps(counts));
        WalkStep next = WalkStep.next(counts);
        if (counts.others() > 0 && !next.equals(WalkStep.NONE)) {
            members = changed(members, next, reversed.revision(), reversed.revision());
        }
        Obstacle failed = new Obstacle(Reason.UPGRADE_GATE_FAILED, why);
        return new LayoutWish(
                members,
                progress,
                true,
                failed,
                Optional.empty(),
                new Upgrade(goal.from(), goal.to(), Optional.of(progress), Optional.of(failed)),
                Optional.empty(),
                false);
    }

    private LayoutWish take(
            WalkStep step,
            String revision,
            @Nullable UpgradeProgress progress,
            Optional<Obstacle> blocked,
            UpgradeGate gate) {
        Optional<NavigableMap<String, String>> open = layouts.open()
                .map(LayoutFacts::members)
                .filter(members -> isStep(members, step, revision))
                .map(UpgradeWalk::sorted);
        if (open.isEmpty()
                && step.removes() + step.changes() > 0
                && snapshot.clusterReport().isEmpty()) {
            return wish(inForce, layouts.carriedInForce(), whyNot(gate), gate);
        }
        return wish(open.orElseGet(() -> changed(inForce, step, revision, goal.revision())), progress, blocked, gate);
    }

    private LayoutWish wish(
            NavigableMap<String, String> members,
            @Nullable UpgradeProgress progress,
            Optional<Obstacle> blocked,
            UpgradeGate gate) {
        boolean shrinks = isShort() && waitsForRoom();
        UpgradeProgress shown = progress == null ? goal.after(null, WalkStep.steps(counts(goal.revision()))) : progress;
        return new LayoutWish(
                members,
                progress,
                progress != null && !progress.equals(layouts.carriedInForce()),
                shrinks ? noRoom() : LayoutWish.OTHERS_WANTED,
                Optional.empty(),
                new Upgrade(goal.from(), goal.to(), Optional.of(shown), blocked),
                gate.lookAt(),
                false);
    }

    /** Who comes gets {@code revision}; who goes is rather not of the one that all shall have. */
    private NavigableMap<String, String> changed(
            Map<String, String> from, WalkStep step, String revision, String wanted) {
        NavigableMap<String, String> members = sorted(from);
        chooser.newSeats(members.keySet(), step.adds()).forEach(seat -> members.put(seat, revision));
        chooser.leaving(from.keySet(), others(from, wanted), step.removes()).forEach(members::remove);
        chooser.leaving(others(from, wanted), Set.of(), step.changes()).forEach(seat -> members.put(seat, revision));
        return members;
    }

    /** What a worker becomes that is added for the number's sake: new only once new ones have been seen to work. */
    private String scaledTo(Counts counts, UpgradeGate gate) {
        boolean passed = !goal.isForward() || (counts.updated() > 0 && gate.open());
        return passed || !revisions.isKnown(goal.from()) ? goal.revision() : goal.from();
    }

    /** As {@code members}, but seats that no process ever took may take the newest revision at once. */
    private NavigableMap<String, String> refreshed(Map<String, String> members, String revision) {
        NavigableMap<String, String> fresh = Seats.members();
        members.forEach((seat, before) ->
                fresh.put(seat, revisions.isKnown(before) && WorkerFacts.wasTaken(snapshot, seat) ? before : revision));
        return fresh;
    }

    private static NavigableMap<String, String> sorted(Map<String, String> members) {
        NavigableMap<String, String> sorted = Seats.members();
        sorted.putAll(members);
        return sorted;
    }

    private static Set<String> others(Map<String, String> members, String revision) {
        return members.entrySet().stream()
                .filter(member -> !member.getValue().equals(revision))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    private boolean isOpen(WalkStep step, UpgradeProgress progress) {
        return layouts.open()
                .filter(open -> progress.equals(open.upgrade()) && isStep(open.members(), step, goal.revision()))
                .isPresent();
    }

    private boolean isStep(Map<String, String> members, WalkStep step, String revision) {
        Set<String> added = new TreeSet<>(members.keySet());
        added.removeAll(inForce.keySet());
        Set<String> removed = new TreeSet<>(inForce.keySet());
        removed.removeAll(members.keySet());
        Set<String> changed = inForce.entrySet().stream()
                .filter(member -> !removed.contains(member.getKey()))
                .filter(member -> !member.getValue().equals(members.get(member.getKey())))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
        return added.size() == step.adds()
                && removed.size() == step.removes()
                && changed.size() == step.changes()
                && Stream.concat(added.stream(), changed.stream()).allMatch(seat -> revision.equals(members.get(seat)));
    }

    private Optional<Obstacle> whyNot(UpgradeGate gate) {
        if (snapshot.clusterReport().isEmpty()) {
            return Optional.of(new Obstacle(
                    Reason.COORDINATOR_UNREACHABLE, "no worker says what the workers hold, so none is replaced"));
        }
        Optional<Obstacle> failed = gateFailed(gate);
        if (failed.isPresent()) {
            return failed;
        }
        Optional<Obstacle> impossible = impossible();
        if (impossible.isPresent()) {
            return impossible;
        }
        if (goal.isForward() && awaited.isPresent()) {
            return awaited;
        }
        Optional<Obstacle> trouble = trouble(updatedSeats());
        if (!gate.open() && trouble.isPresent()) {
            return trouble;
        }
        boolean mayGo = !goal.isForward() || !policy.suspended || layouts.isApproved();
        if (gate.open() && !isSomebodyLeaving() && !mayGo) {
            return Optional.of(new Obstacle(
                    Reason.UPGRADE_SUSPENDED,
                    "spec.upgrade.suspended is true; set it to false, or let one step through by the annotation "
                            + Names.APPROVE_STEP_ANNOTATION + ": \"" + layouts.nextEpoch() + "\""));
        }
        return Optional.empty();
    }

    private Optional<Obstacle> gateFailed(UpgradeGate gate) {
        return gate.failed()
                .map(why -> goal.isTrial()
                        ? gaveUp(Reason.UPGRADE_GATE_FAILED, why)
                        : new Obstacle(Reason.UPGRADE_GATE_FAILED, "the way back does not go on: " + why));
    }

    /** What of the change no living pod can take. */
    private Optional<InPlaceChange> notInPlace() {
        return others(inForce, goal.revision()).stream()
                .map(inForce::get)
                .map(before -> revisions.change(before, goal.revision()))
                .flatMap(Optional::stream)
                .filter(InPlaceChange::isImpossible)
                .findFirst();
    }

    /** Said before any pod is touched. */
    private Optional<Obstacle> impossible() {
        return notInPlace()
                .filter(unused -> policy.strategy == UpgradeStrategy.IN_PLACE)
                .map(change -> new Obstacle(
                        Reason.NOT_IN_PLACE,
                        "InPlace changes the image of a living pod, and without spec.workers.storage nothing else, but "
                                + String.join(", ", change.others())
                                + " would change too; put that back, or set spec.upgrade.strategy to"
                                + " SurgeThenRemove or Replace"));
    }

    private Optional<Obstacle> joinersTrouble(UpgradeGate gate) {
        if (waitsForRoom()) {
            return Optional.of(noRoom());
        }
        return gateFailed(gate).or(() -> trouble(layouts.joiners()));
    }

    private Optional<Obstacle> trouble(Set<String> seats) {
        return seats.stream()
                .sorted(Seats.BY_NUMBER)
                .map(seat -> snapshot.pods().get(seat))
                .filter(Objects::nonNull)
                .map(PodTrouble::of)
                .flatMap(Optional::stream)
                .map(words -> new Obstacle(Reason.PODS_CAN_NOT_START, words))
                .findFirst();
    }

    private Obstacle noRoom() {
        if (policy.strategy == UpgradeStrategy.ALL_AT_ONCE) {
            return new Obstacle(
                    Reason.INSUFFICIENT_CAPACITY,
                    "no node has room for all new workers beside the old ones; add nodes, or set"
                            + " spec.upgrade.strategy to "
                            + (notInPlace().isEmpty() ? "InPlace, which needs no room, or to " : "")
                            + "SurgeThenRemove, which needs room for spec.upgrade.maxSurge workers more");
        }
        return new Obstacle(
                Reason.INSUFFICIENT_CAPACITY,
                "no node has room for a worker more; add a node, or set spec.upgrade.maxUnavailable to 1 or more, so"
                        + " that an old worker leaves first");
    }

    private Obstacle gaveUp(Reason reason, String why) {
        return new Obstacle(
                reason,
                "revision " + goal.to() + " did not pass its gate" + (why.isEmpty() ? "" : ": " + why)
                        + "; change the spec, or try it once more by the annotation " + Names.RETRY_UPGRADE_ANNOTATION
                        + ": \"" + goal.to() + "\"");
    }

    /** No room for workers above their number, now or earlier on this walk. */
    private boolean isShort() {
        if (policy.maxUnavailable == 0
                || policy.strategy == UpgradeStrategy.ALL_AT_ONCE
                || policy.strategy == UpgradeStrategy.IN_PLACE) {
            return false;
        }
        return waitsForRoom() || layouts.foundNoRoom(goal);
    }

    private boolean waitsForRoom() {
        return layouts.joiners().stream().map(seat -> snapshot.pods().get(seat)).anyMatch(this::hasNoRoom);
    }

    private boolean hasNoRoom(@Nullable Pod pod) {
        return pod != null
                && PodFacts.unschedulableSince(pod)
                        .filter(since -> !snapshot.now().isBefore(since.plus(TIMEOUT)))
                        .isPresent();
    }

    private UpgradeGate gate(Set<String> seats) {
        long stableMillis = goal.isForward() ? policy.gates.stableMillis : 0;
        Instant since = layouts.since(snapshot.now());
        UpgradeGate gate = UpgradeGate.judge(snapshot, seats, since, policy.gates, stableMillis);
        Optional<LayoutFacts> step = layouts.open().filter(open -> goal.isOf(open.upgrade()));
        Optional<String> joiners = step.flatMap(open -> UpgradeGate.failureOfJoiners(
                snapshot, layouts.joiners(), goal.revision(), LayoutView.createdAt(open), policy.gates));
        Set<String> tried = new TreeSet<>(goal.isTrial() ? seats : Set.of());
        if (goal.isTrial() && step.isPresent()) {
            tried.addAll(layouts.joiners());
        }
        Optional<String> restarted = UpgradeGate.restarted(snapshot, tried, goal.revision(), policy.gates);
        Optional<Instant> lookAt =
                layouts.open().isPresent() ? Optional.of(snapshot.now().plusSeconds(5)) : gate.lookAt();
        Optional<String> failures =
                goal.isTrial() ? FailureShare.tooMany(snapshot, seats, policy.gates) : Optional.empty();
        Optional<String> failed = layouts.failedStep(goal)
                .or(() -> restarted)
                .or(gate::failed)
                .or(() -> failures)
                .or(() -> joiners);
        return new UpgradeGate(gate.open() && restarted.isEmpty(), failed, lookAt);
    }

    private Set<String> updatedSeats() {
        return inForce.entrySet().stream()
                .filter(member -> member.getValue().equals(goal.revision()))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /** Old workers that left hold a place until they are gone. */
    private boolean isSomebodyLeaving() {
        return !inForce.keySet().containsAll(snapshot.workers().keySet());
    }

    private Counts counts(String revision) {
        return counts(inForce, revision);
    }

    private Counts counts(Map<String, String> members, String revision) {
        int others = others(members, revision).size();
        boolean isInPlace = policy.strategy == UpgradeStrategy.IN_PLACE;
        return new Counts(
                members.size() - others,
                others,
                replicas,
                isShort() || isInPlace ? 0 : policy.maxSurge,
                isInPlace ? 0 : policy.maxUnavailable,
                policy.strategy);
    }
}
