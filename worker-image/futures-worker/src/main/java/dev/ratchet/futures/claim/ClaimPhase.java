/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.claim;

import static dev.ratchet.environment.TransitionTable.row;

import dev.ratchet.environment.TransitionTable;
import java.util.List;

/**
 * What a worker is doing about the queue. In flight is at most one of: a claim, the declaration after it that this
 * worker is idle, and taking that back.
 */
enum ClaimPhase {
    /** Nothing is in flight, and nothing is known that it would have to look for. */
    RESTING,
    /** Nothing is in flight; a wake-up has not led to a look yet. */
    WOKEN,
    /** Something is in flight. */
    CLAIMING,
    /** Something is in flight, and room has become free meanwhile. */
    CLAIMING_AND_FREED,
    /** Something is in flight, and a look follows it, because somebody has asked for one meanwhile. */
    CLAIMING_AND_WOKEN;

    /** What happens to it. */
    enum Event {
        /** A claim begins. */
        BEGIN,
        /** A worker that takes no work begins to take back that it is idle; nobody else is doing so. */
        WITHDRAW,
        /** A look is asked for that can not begin now, because something is in flight or the seat is in doubt. */
        WAKE,
        /** Room has become free. */
        FREE,
        /** Whatever was in flight is through, also where it has failed: then its next try is due after a while. */
        END
    }

    static final TransitionTable<ClaimPhase, Event> TABLE = new TransitionTable<>(List.of(
            row(RESTING, Event.BEGIN, CLAIMING),
            row(RESTING, Event.WITHDRAW, CLAIMING),
            row(RESTING, Event.WAKE, WOKEN),
            row(WOKEN, Event.BEGIN, CLAIMING),
            row(WOKEN, Event.WITHDRAW, CLAIMING_AND_WOKEN),
            row(CLAIMING, Event.WAKE, CLAIMING_AND_WOKEN),
            row(CLAIMING, Event.FREE, CLAIMING_AND_FREED),
            row(CLAIMING, Event.END, RESTING),
            row(CLAIMING_AND_FREED, Event.WAKE, CLAIMING_AND_WOKEN),
            row(CLAIMING_AND_FREED, Event.END, RESTING),
            row(CLAIMING_AND_WOKEN, Event.END, WOKEN)));

    boolean isInFlight() {
        return switch (this) {
            case RESTING, WOKEN -> false;
            case CLAIMING, CLAIMING_AND_FREED, CLAIMING_AND_WOKEN -> true;
        };
    }
}
