/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.environment;

import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One task of an executor that completes many futures. What would be wasteful after each of them, such as sending what
 * one callback has left to send, waits for its end and happens once, in the same thread: a hand-over to another one
 * costs more than most callbacks.
 */
public final class Turn {

    private static final ThreadLocal<@Nullable Turn> CURRENT = new ThreadLocal<>();

    private final Set<Runnable> atEnd = new LinkedHashSet<>();

    private Turn() {}

    /** Runs a task as one turn, or as a part of the one that this thread is in. */
    public static void run(Runnable task) {
        if (CURRENT.get() != null) {
            task.run();
            return;
        }
        Turn turn = new Turn();
        CURRENT.set(turn);
        try {
            task.run();
        } finally {
            CURRENT.remove();
            GuardedCallbacks.each("the end of a turn", turn.atEnd, Runnable::run);
        }
    }

    /**
     * Runs an action once at the end of this thread's turn, however often it is asked to; false if there is no turn.
     */
    public static boolean atEnd(Runnable action) {
        Turn turn = CURRENT.get();
        if (turn == null) {
            return false;
        }
        turn.atEnd.add(action);
        return true;
    }
}
