/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.session;

import static dev.ratchet.environment.TransitionTable.row;

import dev.ratchet.environment.TransitionTable;
import java.util.List;

/** What a {@link SessionHolder} is doing about the store: at most one {@link SessionRound} is in flight. */
enum RoundPhase {
    /** What former incarnations of the seat held is not released yet. */
    NEW,
    /** No round is in flight. */
    RESTING,
    /** A round is in flight, or its next try is due. */
    LOOKING,
    /** The same, and no other round follows: it is the last one. */
    ENDING,
    /** No round begins any more. */
    ENDED;

    /** What happens to it. */
    enum Event {
        START,
        /** A round begins. */
        BEGIN,
        /** The round that was in flight is through. */
        OVER,
        END
    }

    static final TransitionTable<RoundPhase, Event> TABLE = new TransitionTable<>(List.of(
            row(NEW, Event.START, RESTING),
            row(NEW, Event.END, ENDED),
            row(RESTING, Event.BEGIN, LOOKING),
            row(RESTING, Event.END, ENDED),
            row(LOOKING, Event.OVER, RESTING),
            row(LOOKING, Event.END, ENDING),
            row(ENDING, Event.OVER, ENDED)));

    boolean isInFlight() {
        return switch (this) {
            case LOOKING, ENDING -> true;
            case NEW, RESTING, ENDED -> false;
        };
    }

    /** Whether rounds begin. */
    boolean looks() {
        return switch (this) {
            case RESTING, LOOKING -> true;
            case NEW, ENDING, ENDED -> false;
        };
    }
}
