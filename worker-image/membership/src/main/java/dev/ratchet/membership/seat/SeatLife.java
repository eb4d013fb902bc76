/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.seat;

import static dev.ratchet.environment.TransitionTable.row;

import dev.ratchet.environment.StateMachine;
import dev.ratchet.environment.TransitionTable;
import dev.ratchet.environment.TransitionTable.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * How far this process is with its seat, as one table: nothing else decides which phase follows which. An event that
 * has no row in the phase changes nothing, because another one has overtaken it; ENDED has no rows at all. What is
 * recorded in the store is the {@link dev.ratchet.membership.WorkerState}. Safe for use by several threads.
 */
final class SeatLife {

    /** How far it is. */
    enum Phase {
        /** Tries to take the seat. */
        WAITING,
        /** Goes on trying, and the log says for whom it waits. */
        BLOCKED,
        /** Has the seat; what the former incarnation held is being released. */
        NEW,
        /** Works, as its health permits. */
        SERVING,
        /** The store says that it drains or parks. */
        DRAINING,
        /** The store says that it takes nothing, and that it holds nothing or may end parked. */
        DRAINED,
        /** Its end is being recorded; no heartbeat begins any more. */
        ENDING,
        /** Has no seat and never gets one again. */
        ENDED
    }

    /** What happens to it. */
    enum Event {
        /** Somebody else has the seat. */
        BLOCK,
        /** The store has issued an incarnation. */
        TAKE,
        /** What the former incarnation held is released. */
        SETTLE,
        /** A heartbeat has recorded that it drains. */
        DRAIN,
        /** A heartbeat has recorded that it holds nothing, or is parked when it is to end. */
        EMPTY,
        /** A heartbeat has recorded that it drains no longer. */
        RESUME,
        /** It begins to end in order. */
        END,
        /** Its end is recorded. */
        FREE,
        /** The seat is lost. */
        LOSE
    }

    private static final TransitionTable<Phase, Event> TABLE = new TransitionTable<>(List.of(
            row(Phase.WAITING, Event.BLOCK, Phase.BLOCKED),
            row(Phase.WAITING, Event.TAKE, Phase.NEW),
            row(Phase.WAITING, Event.END, Phase.ENDED),
            row(Phase.WAITING, Event.LOSE, Phase.ENDED),
            row(Phase.BLOCKED, Event.TAKE, Phase.NEW),
            row(Phase.BLOCKED, Event.END, Phase.ENDED),
            row(Phase.BLOCKED, Event.LOSE, Phase.ENDED),
            row(Phase.NEW, Event.SETTLE, Phase.SERVING),
            row(Phase.NEW, Event.END, Phase.ENDING),
            row(Phase.NEW, Event.LOSE, Phase.ENDED),
            row(Phase.SERVING, Event.DRAIN, Phase.DRAINING),
            row(Phase.SERVING, Event.EMPTY, Phase.DRAINED),
            row(Phase.SERVING, Event.END, Phase.ENDING),
            row(Phase.SERVING, Event.LOSE, Phase.ENDED),
            row(Phase.DRAINING, Event.EMPTY, Phase.DRAINED),
            row(Phase.DRAINING, Event.RESUME, Phase.SERVING),
            row(Phase.DRAINING, Event.END, Phase.ENDING),
            row(Phase.DRAINING, Event.LOSE, Phase.ENDED),
            row(Phase.DRAINED, Event.DRAIN, Phase.DRAINING),
            row(Phase.DRAINED, Event.RESUME, Phase.SERVING),
            row(Phase.DRAINED, Event.END, Phase.ENDING),
            row(Phase.DRAINED, Event.LOSE, Phase.ENDED),
            row(Phase.ENDING, Event.FREE, Phase.ENDED),
            row(Phase.ENDING, Event.LOSE, Phase.ENDED)));

    private final StateMachine<Phase, Event> machine = TABLE.startingIn(Phase.WAITING);

    /** The rows. */
    static List<Row<Phase, Event>> transitions() {
        return TABLE.rows();
    }

    /** Where it is now. */
    Phase phase() {
        return machine.state();
    }

    /** Takes the step of {@code event}; false where the table has none from here. */
    synchronized boolean on(Event event) {
        return machine.on(event);
    }

    /** The seat is this process's, as far as it knows, and heartbeats keep it. */
    boolean isKept() {
        return switch (phase()) {
            case NEW, SERVING, DRAINING, DRAINED -> true;
            case WAITING, BLOCKED, ENDING, ENDED -> false;
        };
    }

    /** Nothing is left to be waited for before its end is recorded. */
    boolean mayEnd() {
        return switch (phase()) {
            case DRAINED, ENDING, ENDED -> true;
            case WAITING, BLOCKED, NEW, SERVING, DRAINING -> false;
        };
    }

    /** The table as a Mermaid diagram, for the documents. */
    static String diagram() {
        List<String> lines = new ArrayList<>();
        lines.add("stateDiagram-v2");
        lines.add("    [*] --> " + Phase.WAITING);
        for (Row<Phase, Event> row : TABLE.rows()) {
            lines.add("    " + row.from() + " --> " + row.to() + ": "
                    + row.event().name().toLowerCase(Locale.ROOT));
        }
        lines.add("    " + Phase.ENDED + " --> [*]");
        return String.join("\n", lines) + "\n";
    }
}
