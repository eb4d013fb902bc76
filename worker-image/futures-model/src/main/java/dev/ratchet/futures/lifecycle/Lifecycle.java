/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.lifecycle;

import static dev.ratchet.protocol.futures.v1.State.STATE_ASSIGNED;
import static dev.ratchet.protocol.futures.v1.State.STATE_CANCELLED;
import static dev.ratchet.protocol.futures.v1.State.STATE_CLAIMED;
import static dev.ratchet.protocol.futures.v1.State.STATE_DELAYED;
import static dev.ratchet.protocol.futures.v1.State.STATE_DELETED;
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
 * realized one whose result is lost lives again, to compute the same result; and a done one may be deleted.
 */
public final class Lifecycle {

    /** Where a future waits to be started: for any worker, for one worker, for a time. Its record says which. */
    private static final List<State> READY = List.of(STATE_QUEUED, STATE_ASSIGNED, STATE_DELAYED);

    /** One row of the table; several states in {@code to} = the one that the record of the future asks for. */
    public record Transition(State from, Event event, List<State> to) {
        Transition(State from, Event event, State to) {
            this(from, event, List.of(to));
        }
    }

    private static final List<Transition> TABLE = List.of(
            new Transition(STATE_UNSPECIFIED, Event.SUBMIT, READY),
            new Transition(STATE_UNSPECIFIED, Event.SUBMIT_WAITING, STATE_WAITING),
            new Transition(STATE_UNSPECIFIED, Event.SUBMIT_DOOMED, STATE_FAILED),
            new Transition(STATE_UNSPECIFIED, Event.SUBMIT_REALIZED, STATE_REALIZED),
            new Transition(STATE_WAITING, Event.UPSTREAMS_DONE, READY),
            new Transition(STATE_WAITING, Event.CANCEL, STATE_CANCELLED),
            new Transition(STATE_DELAYED, Event.DUE, READY),
            new Transition(STATE_DELAYED, Event.MOVE, READY),
            new Transition(STATE_DELAYED, Event.CANCEL, STATE_CANCELLED),
            new Transition(STATE_QUEUED, Event.CLAIM, STATE_CLAIMED),
            new Transition(STATE_QUEUED, Event.MOVE, READY),
            new Transition(STATE_QUEUED, Event.FORSAKE, STATE_FAILED),
            new Transition(STATE_QUEUED, Event.CANCEL, STATE_CANCELLED),
            new Transition(STATE_ASSIGNED, Event.CLAIM, STATE_CLAIMED),
            new Transition(STATE_ASSIGNED, Event.MOVE, READY),
            new Transition(STATE_ASSIGNED, Event.FORSAKE, STATE_FAILED),
            new Transition(STATE_ASSIGNED, Event.CANCEL, STATE_CANCELLED),
            new Transition(STATE_CLAIMED, Event.REALIZE, STATE_REALIZED),
            new Transition(STATE_CLAIMED, Event.GIVE_BACK, READY),
            new Transition(STATE_CLAIMED, Event.AWAIT_UPSTREAM, STATE_WAITING),
            new Transition(STATE_CLAIMED, Event.RETRY, READY),
            new Transition(STATE_CLAIMED, Event.EXHAUST, STATE_FAILED),
            new Transition(STATE_CLAIMED, Event.CANCEL, STATE_CANCELLED),
            new Transition(STATE_REALIZED, Event.LOSE, STATE_LOST),
            new Transition(STATE_REALIZED, Event.DELETE, STATE_DELETED),
            new Transition(STATE_FAILED, Event.DELETE, STATE_DELETED),
            new Transition(STATE_CANCELLED, Event.DELETE, STATE_DELETED),
            new Transition(STATE_LOST, Event.RECONSTRUCT, READY),
            new Transition(STATE_LOST, Event.GIVE_UP, STATE_FAILED),
            new Transition(STATE_LOST, Event.CANCEL, STATE_CANCELLED),
            new Transition(STATE_LOST, Event.DELETE, STATE_DELETED));

    private static final Map<State, Map<Event, List<State>>> NEXT = index();

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
     * @throws IllegalStateException if the event can not happen there, or if the record has to say which state follows
     */
    public static State next(State state, Event event) {
        List<State> next = all(state, event);
        if (next.size() != 1) {
            throw new IllegalStateException("Several states may follow: state=" + state + " event=" + event);
        }
        return next.get(0);
    }

    /**
     * Checks that {@code to} may follow.
     *
     * @return {@code to}
     * @throws IllegalStateException if it may not
     */
    public static State next(State state, Event event, State to) {
        if (!all(state, event).contains(to)) {
            throw new IllegalStateException(
                    "No such step in the life of a future: state=" + state + " event=" + event + " to=" + to);
        }
        return to;
    }

    private static List<State> all(State state, Event event) {
        List<State> next = NEXT.getOrDefault(state, Map.of()).get(event);
        if (next == null) {
            throw new IllegalStateException("No such step in the life of a future: state=" + state + " event=" + event);
        }
        return next;
    }

    /** Whether the outcome is recorded. */
    public static boolean isDone(State state) {
        return state == STATE_REALIZED || state == STATE_FAILED || state == STATE_CANCELLED || state == STATE_DELETED;
    }

    /** Whether it waits or runs. */
    public static boolean isOpen(State state) {
        return !isDone(state) && state != STATE_LOST;
    }

    /** Whether it waits in a queue, for a worker or a time. */
    public static boolean isReady(State state) {
        return READY.contains(state);
    }

    /** The table as a Mermaid diagram, for the documents. */
    public static String diagram() {
        List<String> lines = new ArrayList<>();
        lines.add("stateDiagram-v2");
        lines.add("    state READY {");
        READY.forEach(state -> lines.add("        " + word(state)));
        lines.add("    }");
        for (Transition row : TABLE) {
            String to = row.to().size() == 1 ? word(row.to().get(0)) : "READY";
            lines.add("    " + word(row.from()) + " --> " + to + ": "
                    + row.event().name().toLowerCase(Locale.ROOT));
        }
        lines.add("    " + word(STATE_DELETED) + " --> [*]");
        return String.join("\n", lines) + "\n";
    }

    /** The state without its prefix, as people read it. */
    public static String word(State state) {
        return state == STATE_UNSPECIFIED ? "[*]" : state.name().substring("STATE_".length());
    }

    private static Map<State, Map<Event, List<State>>> index() {
        Map<State, Map<Event, List<State>>> index = new EnumMap<>(State.class);
        for (Transition row : TABLE) {
            List<State> former = index.computeIfAbsent(row.from(), unused -> new EnumMap<>(Event.class))
                    .put(row.event(), row.to());
            if (former != null) {
                throw new IllegalStateException("Two rows for " + row.from() + " and " + row.event());
            }
        }
        return index;
    }
}
