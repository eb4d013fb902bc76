/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.environment;

/**
 * Where a protocol is in its {@link TransitionTable}. Any thread may ask for the state; its owner sees to it that one
 * step is taken at a time.
 */
public final class StateMachine<S extends Enum<S>, E extends Enum<E>> {

    private final TransitionTable<S, E> table;
    private volatile S state;

    StateMachine(TransitionTable<S, E> table, S initial) {
        this.table = table;
        this.state = initial;
    }

    /** Where it is now. */
    public S state() {
        return state;
    }

    /** Takes the step of an event that another one may have overtaken; false where the table has none from here. */
    public boolean on(E event) {
        S next = table.next(state, event);
        if (next == null) {
            return false;
        }
        state = next;
        return true;
    }

    /** Takes the step of an event that nothing overtakes: the table has one from here. Returns the state before. */
    public S must(E event) {
        S before = state;
        boolean taken = on(event);
        assert taken : event + " while " + before;
        return before;
    }
}
