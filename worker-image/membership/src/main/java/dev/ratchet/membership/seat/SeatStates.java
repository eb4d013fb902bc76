/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.seat;

import dev.ratchet.environment.GuardedCallbacks;
import dev.ratchet.membership.Seat;
import dev.ratchet.membership.WorkerState;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The state as this process knows it, and who is told of it. Listeners hear every change once and in order, outside of
 * any lock; whoever makes a change while another is being told leaves the telling to that thread.
 */
final class SeatStates {

    private static final int LISTENER_LIMIT = 64;

    private final List<Seat.Listener> listeners = new CopyOnWriteArrayList<>();
    private final Queue<Change> untold = new ArrayDeque<>();
    private boolean telling;
    private volatile WorkerState state = WorkerState.NEW;

    private record Change(WorkerState state, String reason) {}

    WorkerState state() {
        return state;
    }

    void add(Seat.Listener listener) {
        if (listeners.size() >= LISTENER_LIMIT) {
            throw new IllegalStateException("More than " + LISTENER_LIMIT + " listeners: one is added again and again");
        }
        listeners.add(listener);
    }

    /** Changes the state, unless it is this one already or MUST_DIE. Returns whether it did. */
    boolean set(WorkerState next, String reason) {
        synchronized (this) {
            if (state == next || state == WorkerState.MUST_DIE) {
                return false;
            }
            state = next;
            untold.add(new Change(next, reason));
            if (telling) {
                return true;
            }
            telling = true;
        }
        tell();
        return true;
    }

    private void tell() {
        while (true) {
            Change change;
            synchronized (this) {
                change = untold.poll();
                if (change == null) {
                    telling = false;
                    return;
                }
            }
            GuardedCallbacks.each(
                    "telling the state of the seat",
                    listeners,
                    listener -> listener.stateChanged(change.state(), change.reason()));
        }
    }
}
