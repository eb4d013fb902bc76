/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership;

/** The seat is held, but its recorded state permits no new work. Ask again after the next state change. */
public final class NotWorkingException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final WorkerState state;

    public NotWorkingException(String seat, WorkerState state) {
        super("The seat takes no new work: seat=" + seat + " state=" + state, null, false, false);
        this.state = state;
    }

    /** The recorded state. */
    public WorkerState state() {
        return state;
    }
}
