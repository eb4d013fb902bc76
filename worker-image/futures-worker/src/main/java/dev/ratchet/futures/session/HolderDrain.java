/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.session;

import static dev.ratchet.environment.TransitionTable.row;

import dev.ratchet.environment.TransitionTable;
import java.util.List;

/** Whether a {@link SessionHolder} grants slots, and which of its sessions end because its worker leaves. */
enum HolderDrain {
    GRANTING,
    /** It grants nothing, and waits for its sessions to end by themselves. */
    DRAINING,
    /** The same, but those that the next process of the seat binds again may stay open. */
    PARKING,
    /** It has waited for too long: whatever is open ends. */
    ENDING,
    /** The same, but those that the next process of the seat binds again stay open. */
    ENDING_PARKED;

    /** What happens to it. */
    enum Event {
        DRAIN,
        PARK,
        /** The drain has lasted for too long, be it before the first round of it. */
        EXPIRE,
        /** The drain is called off. */
        REOPEN
    }

    static final TransitionTable<HolderDrain, Event> TABLE = new TransitionTable<>(List.of(
            row(GRANTING, Event.DRAIN, DRAINING),
            row(GRANTING, Event.PARK, PARKING),
            row(GRANTING, Event.EXPIRE, ENDING),
            row(DRAINING, Event.PARK, PARKING),
            row(DRAINING, Event.EXPIRE, ENDING),
            row(DRAINING, Event.REOPEN, GRANTING),
            row(PARKING, Event.DRAIN, DRAINING),
            row(PARKING, Event.EXPIRE, ENDING_PARKED),
            row(PARKING, Event.REOPEN, GRANTING),
            row(ENDING, Event.PARK, ENDING_PARKED),
            row(ENDING, Event.REOPEN, GRANTING),
            row(ENDING_PARKED, Event.DRAIN, ENDING),
            row(ENDING_PARKED, Event.REOPEN, GRANTING)));

    boolean grants() {
        return this == GRANTING;
    }

    /** Whether the next process of the seat binds sessions again. */
    boolean comesBack() {
        return switch (this) {
            case PARKING, ENDING_PARKED -> true;
            case GRANTING, DRAINING, ENDING -> false;
        };
    }

    /** Whether what would be lost with this process ends now. */
    boolean endsWhatIsLost() {
        return switch (this) {
            case ENDING, ENDING_PARKED -> true;
            case GRANTING, DRAINING, PARKING -> false;
        };
    }
}
