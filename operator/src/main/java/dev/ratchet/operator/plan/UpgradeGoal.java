/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import dev.ratchet.crds.Names;
import dev.ratchet.crds.layout.UpgradeDirection;
import dev.ratchet.crds.layout.UpgradeProgress;
import dev.ratchet.operator.observe.Snapshot;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Owns where an upgrade goes: to the revision that the spec asks for, unless that was tried as often as it may be, in
 * which case back to the one before. What was tried is what the newest layout carries; nothing else is remembered.
 *
 * @param revision that all workers shall have
 * @param from revision that the attempt left
 * @param to revision that the attempt wanted
 * @param reason why it goes back; "" forward, and where the layout does not say
 */
record UpgradeGoal(String revision, UpgradeDirection direction, String from, String to, int attempt, String reason) {
    /**
     * The goal.
     *
     * @param carried progress of the newest layout that was not given up
     * @param inForce revisions of the workers in force
     */
    static UpgradeGoal of(
            Snapshot snapshot,
            String update,
            @Nullable UpgradeProgress carried,
            Collection<String> inForce,
            boolean settled) {
        if (carried == null || !carried.to.equals(update)) {
            return new UpgradeGoal(update, UpgradeDirection.FORWARD, left(update, carried, inForce), update, 1, "");
        }
        if (carried.direction == UpgradeDirection.FORWARD) {
            return new UpgradeGoal(update, UpgradeDirection.FORWARD, carried.from, update, carried.attempt, "");
        }
        boolean isBack = settled && inForce.stream().allMatch(carried.from::equals);
        if (isBack && carried.attempt < attemptsAllowed(snapshot, update)) {
            return new UpgradeGoal(update, UpgradeDirection.FORWARD, carried.from, update, carried.attempt + 1, "");
        }
        return new UpgradeGoal(
                carried.from, UpgradeDirection.BACK, carried.from, update, carried.attempt, carried.reason);
    }

    /** The way back. */
    UpgradeGoal reversed(String why) {
        String told = why.substring(0, Math.min(why.length(), UpgradeProgress.REASON_LENGTH_MAX));
        return new UpgradeGoal(from, UpgradeDirection.BACK, from, to, attempt, told);
    }

    boolean isForward() {
        return direction == UpgradeDirection.FORWARD;
    }

    /** Whether there is something to go back to. */
    boolean hasWayBack() {
        return !from.equals(to);
    }

    /** Whether it goes to another revision than before: not on the way back, nor after an edit was taken back. */
    boolean isTrial() {
        return !revision.equals(from);
    }

    /** What the next layout towards this goal carries. */
    UpgradeProgress after(@Nullable UpgradeProgress carried, int steps) {
        UpgradeProgress next = new UpgradeProgress();
        next.from = from;
        next.to = to;
        next.direction = direction;
        next.attempt = attempt;
        next.reason = reason;
        boolean goesOn = isOf(carried);
        next.step = goesOn && carried != null ? carried.step + 1 : 1;
        next.steps = goesOn && carried != null ? Math.max(carried.steps, next.step) : steps;
        return next;
    }

    /** Whether {@code carried} is of the same attempt in the same direction. */
    boolean isOf(@Nullable UpgradeProgress carried) {
        return carried != null
                && carried.to.equals(to)
                && carried.from.equals(from)
                && carried.direction == direction
                && carried.attempt == attempt;
    }

    private static int attemptsAllowed(Snapshot snapshot, String update) {
        Map<String, String> annotations = snapshot.cluster().getMetadata().getAnnotations();
        boolean retries = annotations != null && update.equals(annotations.get(Names.RETRY_UPGRADE_ANNOTATION));
        return snapshot.cluster().getSpec().upgrade.rollback.maxAttempts + (retries ? 1 : 0);
    }

    /** What to go back to: what all workers had last, be it before an attempt that this one takes the place of. */
    private static String left(String update, @Nullable UpgradeProgress carried, Collection<String> inForce) {
        String first = inForce.stream()
                .filter(revision -> !revision.equals(update))
                .findFirst()
                .orElse(update);
        boolean uniform = inForce.stream().distinct().count() <= 1;
        return uniform || carried == null ? first : carried.from;
    }
}
