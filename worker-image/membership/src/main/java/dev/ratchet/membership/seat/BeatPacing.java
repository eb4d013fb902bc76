/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.seat;

/**
 * At most one heartbeat at a time: whoever asks for one while another runs gets one after it, since what the running
 * one wrote was read before. Safe for use by several threads.
 */
final class BeatPacing {

    private enum State {
        IDLE,
        BEATING,
        /** A heartbeat runs, and another one follows it. */
        BEATING_AND_ASKED
    }

    private State state = State.IDLE;

    /** Asks for a heartbeat after the one that runs; false if none runs, and the caller is to begin one. */
    synchronized boolean askWhileBeating() {
        if (state == State.IDLE) {
            return false;
        }
        state = State.BEATING_AND_ASKED;
        return true;
    }

    synchronized void begin() {
        assert state == State.IDLE : "a heartbeat begins beside another one";
        state = State.BEATING;
    }

    /** The heartbeat that ran is over; returns whether another one was asked for meanwhile. */
    synchronized boolean done() {
        assert state != State.IDLE : "a heartbeat ends that never began";
        boolean asked = state == State.BEATING_AND_ASKED;
        state = State.IDLE;
        return asked;
    }
}
