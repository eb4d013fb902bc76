/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.claim;

import static dev.ratchet.environment.TransitionTable.row;

import dev.ratchet.environment.TransitionTable;
import java.util.List;

/** Whether a worker takes work at all. */
enum Intake {
    OPEN,
    /** It drains: it takes nothing, and nobody is to wake it. */
    CLOSED,
    /** It has lost its seat, for good: it takes nothing, and leaves the store alone. */
    ABANDONED;

    /** What happens to it. */
    enum Event {
        CLOSE,
        REOPEN,
        ABANDON
    }

    static final TransitionTable<Intake, Event> TABLE = new TransitionTable<>(List.of(
            row(OPEN, Event.CLOSE, CLOSED),
            row(OPEN, Event.ABANDON, ABANDONED),
            row(CLOSED, Event.REOPEN, OPEN),
            row(CLOSED, Event.ABANDON, ABANDONED)));
}
