/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.work;

import dev.ratchet.futures.queue.WorkQueue;
import dev.ratchet.membership.Liveness;
import dev.ratchet.membership.Member;
import dev.ratchet.membership.Seat;
import dev.ratchet.membership.WorkerState;
import java.util.List;

/**
 * Which part of the work for all is this worker's: the healthy ones share it in the order of their names. Where two see
 * them differently some is done twice or by nobody for a while, which harms nothing that is shared in this way.
 */
final class HealthyShare {

    private final Seat seat;
    private final Liveness liveness;

    HealthyShare(Seat seat, Liveness liveness) {
        this.seat = seat;
        this.liveness = liveness;
    }

    /** The part of the queue where this worker begins to look; that of the first for one that is not healthy. */
    WorkQueue.Slice slice() {
        List<String> healthy = liveness.latest().stream()
                .filter(member -> member.state() == WorkerState.HEALTHY && !member.ended())
                .map(Member::seat)
                .sorted()
                .toList();
        int index = healthy.indexOf(seat.name());
        return index < 0 ? new WorkQueue.Slice(0, 1) : new WorkQueue.Slice(index, healthy.size());
    }

    /** Whether it does what one does for all: the first of the healthy, and whoever does not see itself among them. */
    boolean isFirst() {
        return slice().index() == 0;
    }
}
