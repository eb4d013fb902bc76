/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.lifecycle;

import static dev.ratchet.protocol.futures.v1.State.STATE_CANCELLED;
import static dev.ratchet.protocol.futures.v1.State.STATE_CLAIMED;
import static dev.ratchet.protocol.futures.v1.State.STATE_FAILED;
import static dev.ratchet.protocol.futures.v1.State.STATE_LOST;
import static dev.ratchet.protocol.futures.v1.State.STATE_QUEUED;
import static dev.ratchet.protocol.futures.v1.State.STATE_REALIZED;
import static dev.ratchet.protocol.futures.v1.State.STATE_UNSPECIFIED;
import static dev.ratchet.protocol.futures.v1.State.STATE_WAITING;

import dev.ratchet.protocol.futures.v1.State;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The whole life of a future as one table: nothing else decides which state follows which. A future that does not exist
 * yet is in STATE_UNSPECIFIED. Once done (REALIZED, FAILED, CANCELLED) a future never gets another outcome; only a
 * realized one whose result is lost lives again, to compute the same result.
 */
public final class Lifecycle {

    /** One row of the table. */
    public record Transition(State from, Event event, State to) {}

    private static final List<Transition> TABLE = List.of(
            new Transition(STATE_UNSPECIFIED, Event.SUBMIT, STATE_QUEUED),
            new Transition(STATE_UNSPECIFIED, Event.SUBMIT_WAITING, STATE_WAITING),
            new Transition(STATE_UNSPECIFIED, Event.SUBMIT_DOOMED, STATE_FAILED),
            new Transition(STATE_WAITING, Event.UPSTREAMS_DONE, STATE_QUEUED),
            new Transition(STATE_WAITING, Event.CANCEL, STATE_CANCELLED),
            new Transition(STATE_QUEUED, Event.CLAIM, STATE_CLAIMED),
            new Transition(STATE_QUEUED, Event.CANCEL, STATE_CANCELLED),
            new Transition(STATE_CLAIMED, Event.REALIZE, STATE_REALIZED),
            new Transition(STATE_CLAIMED, Event.GIVE_BACK, STATE_QUEUED),
            new Transition(STATE_CLAIMED, Event.AWAIT_UPSTREAM, STATE_WAITING),
            new Transition(STATE_CLAIMED, Event.RETRY, STATE_QUEUED),
            new Transition(STATE_CLAIMED, Event.EXHAUST, STATE_FAILED),
            new Transition(STATE_CLAIMED, Event.CANCEL, STATE_CANCELLED),
            new Transition(STATE_REALIZED, Event.LOSE, STATE_LOST),
            new Transition(STATE_LOST, Event.RECONSTRUCT, STATE_QUEUED),
            new Transition(STATE_LOST, Event.GIVE_UP, STATE_FAILED),
            new Transition(STATE_LOST, Event.CANCEL, STATE_CANCELLED));

    private static final Map<State, Map<Event, State>> NEXT = index();

    private Lifecycle() {}

    /** The rows. */
    public static List<Transition> transitions() {
        return TABLE;
    }

    /** Whether {@code event} can happen to a future in {@code state}. */
    public static boolean allows(State state, Event event) {
        return NEXT.getOrDefault(state, Map.of()).containsKey(event);
    }

    /**
     * The state that follows.
     *
     * @throws IllegalStateException if the event can not happen there
     */
    public static State next(State state, Event event) {
        State next = NEXT.getOrDefault(state, Map.of()).get(event);
        if (next == null) {
            throw new IllegalStateException("No such step in the life of a future: state=" + state + " event=" + event);
        }
        return next;
    }

    /** Whether the outcome is recorded. */
    public static boolean isDone(State state) {
        return state == STATE_REALIZED || state == STATE_FAILED || state == STATE_CANCELLED;
    }

    /** The table as a Mermaid diagram, for the documents. */
    public static String diagram() {
        List<String> lines = new ArrayList<>();
        lines.add("stateDiagram-v2");
        for (Transition row : TABLE) {
            lines.add("    " + word(row.from()) + " --> " + word(row.to()) + ": "
                    + row.event().name().toLowerCase(Locale.ROOT));
        }
        for (State state : List.of(STATE_REALIZED, STATE_FAILED, STATE_CANCELLED)) {
            lines.add("    " + word(state) + " --> [*]");
        }
        return String.join("\n", lines) + "\n";
    }

    /** The state without its prefix, as people read it. */
    public static String word(State state) {
        return state == STATE_UNSPECIFIED ? "[*]" : state.name().substring("STATE_".length());
    }

    private static Map<State, Map<Event, State>> index() {
        Map<State, Map<Event, State>> index = new EnumMap<>(State.class);
        for (Transition row : TABLE) {
            State former = index.computeIfAbsent(row.from(), unused -> new EnumMap<>(Event.class))
                    .put(row.event(), row.to());
            if (former != null) {
                throw new IllegalStateException("Two rows for " + row.from() + " and " + row.event());
            }
        }
        return index;
    }
}
