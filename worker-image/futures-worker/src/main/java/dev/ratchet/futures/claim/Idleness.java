/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.claim;

import static dev.ratchet.environment.TransitionTable.row;

import dev.ratchet.environment.TransitionTable;
import dev.ratchet.futures.queue.Room;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the store may say of whether this worker is idle: whoever fills the queue takes a worker off the idle ones and
 * wakes it. What this process knows of it is soft; it only saves looks that would find nothing. Immutable.
 *
 * @param room what the worker is declared idle with; null but where it is IDLE
 */
record Idleness(State state, @Nullable Room room) {

    static final Idleness BUSY = new Idleness(State.BUSY, null);

    /** What is known. */
    enum State {
        /** The store does not say that it is idle. */
        BUSY,
        /** It did not say so, and a declaration is in flight. */
        DECLARING,
        /** The store may say so: a declaration has an unknown outcome, or somebody may have woken this worker. */
        UNSURE,
        /** The store says so, as far as is known: somebody wakes this worker for what fits into its room. */
        IDLE
    }

    /** What happens to it. */
    enum Event {
        /** A declaration begins. */
        DECLARE,
        /** It is recorded. */
        ACCEPT,
        /** It is not recorded, because something waits. */
        REFUSE,
        /** Nobody knows whether it is recorded. */
        FAIL,
        /** A claim has brought something, and has taken the declaration back. */
        TAKE,
        /** Somebody may have woken this worker. */
        WAKE,
        /** The declaration is being taken back, or whatever else there may be of it. */
        WITHDRAW,
        /** It is taken back. */
        WITHDRAWN
    }

    static final TransitionTable<State, Event> TABLE = new TransitionTable<>(List.of(
            row(State.BUSY, Event.DECLARE, State.DECLARING),
            row(State.BUSY, Event.WITHDRAW, State.UNSURE),
            row(State.DECLARING, Event.ACCEPT, State.IDLE),
            row(State.DECLARING, Event.REFUSE, State.BUSY),
            row(State.DECLARING, Event.FAIL, State.UNSURE),
            row(State.UNSURE, Event.ACCEPT, State.IDLE),
            row(State.UNSURE, Event.TAKE, State.BUSY),
            row(State.UNSURE, Event.WITHDRAWN, State.BUSY),
            row(State.IDLE, Event.DECLARE, State.UNSURE),
            row(State.IDLE, Event.TAKE, State.BUSY),
            row(State.IDLE, Event.WAKE, State.UNSURE),
            row(State.IDLE, Event.WITHDRAW, State.UNSURE)));

    Idleness {
        assert (room != null) == (state == State.IDLE) : state + (room == null ? " without" : " with") + " a room";
    }

    /** What is known after an event; the same where the table has no step for it. */
    Idleness on(Event event) {
        State next = TABLE.next(state, event);
        return next == null ? this : new Idleness(next, null);
    }

    /** What is known after a declaration with this room is recorded. */
    Idleness accepted(Room declared) {
        State next = TABLE.next(state, Event.ACCEPT);
        assert next != null : "what was not declared is accepted while " + state;
        return next == null ? this : new Idleness(next, declared);
    }

    boolean isBusy() {
        return state == State.BUSY;
    }

    boolean isIdle() {
        return state == State.IDLE;
    }

    /** Whether this worker will be woken for whatever fits into this room. */
    boolean willWakeFor(Room wanted) {
        return room != null
                && mayWakeFor(wanted)
                && room.others() >= wanted.others()
                && room.capacity().equals(wanted.capacity());
    }

    /** Whether a wake-up, and not room that has become free, may be why this room is claimed for. */
    boolean mayWakeFor(Room wanted) {
        return room != null && (room.futures() > 0 || wanted.futures() == 0);
    }
}
