/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.upkeep;

import dev.ratchet.futures.queue.WorkQueue;
import dev.ratchet.membership.Liveness;
import dev.ratchet.membership.Member;
import dev.ratchet.membership.Seat;
import dev.ratchet.membership.WorkerState;
import java.util.Comparator;
import java.util.List;

/**
 * Which part of the work for all is this worker's: the healthy ones share it in the order of their names. Where two see
 * them differently some is done twice or by nobody for a while, which harms nothing that is shared in this way.
 */
public final class HealthyShare {

    /** With each beat: slots but for those whose future has run for long. Of releases that do not say it, all. */
    public static final String FREE_SLOTS = "slots";

    private final Seat seat;
    private final Liveness liveness;

    public HealthyShare(Seat seat, Liveness liveness) {
        this.seat = seat;
        this.liveness = liveness;
    }

    /**
     * The part of the queue where this worker begins to look: as large a part as it has of all slots that were free at
     * the last beats, so that nothing lies in the part of somebody who is busy for long. All of it for a worker that is
     * not healthy.
     */
    public WorkQueue.Slice slice() {
        List<Member> healthy = healthy();
        int index = index(healthy);
        if (index < 0) {
            return new WorkQueue.Slice(0, 1, 1);
        }
        int first = freeSlots(healthy.subList(0, index));
        int end = first + freeSlots(healthy.subList(index, index + 1));
        int all = freeSlots(healthy);
        return all == 0 ? new WorkQueue.Slice(index, index + 1, healthy.size()) : new WorkQueue.Slice(first, end, all);
    }

    private static int freeSlots(List<Member> members) {
        return members.stream()
                .mapToInt(member ->
                        Math.toIntExact(member.freeResources().getOrDefault(FREE_SLOTS, (long) member.threads())))
                .sum();
    }

    /** How many are healthy, at least 1. */
    int healthyWorkers() {
        return Math.max(1, healthy().size());
    }

    /** Whether it does what one does for all: the first of the healthy, and whoever does not see itself among them. */
    boolean isFirst() {
        return index(healthy()) <= 0;
    }

    private int index(List<Member> members) {
        return members.stream().map(Member::seat).toList().indexOf(seat.name());
    }

    private List<Member> healthy() {
        return liveness.latest().stream()
                .filter(member -> member.state() == WorkerState.HEALTHY
                        && !member.ended()
                        && !liveness.isDead(member.seat(), member.incarnation()))
                .sorted(Comparator.comparing(Member::seat))
                .toList();
    }
}
