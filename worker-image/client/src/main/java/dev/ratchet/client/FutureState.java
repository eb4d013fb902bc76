/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

/** Where a future is in its life. Later versions may add states: treat an unknown one as not done. */
public enum FutureState {
    /** Waits for the futures that it takes as arguments. */
    WAITING(false),
    /** Not to be started before a time. */
    DELAYED(false),
    /** Waits for a worker. */
    QUEUED(false),
    /** Waits for one particular worker. */
    ASSIGNED(false),
    /** A worker has claimed it and runs it, or is about to. */
    CLAIMED(false),
    /** Its result is recorded. */
    REALIZED(true),
    /** Its attempts are used up, or something that it depends on failed. */
    FAILED(true),
    /** Cancelled before it had a result. */
    CANCELLED(true),
    /** Realized once, but no worker holds the result any more; computed again when somebody asks for it. */
    LOST(false),
    /** Deleted by its user. */
    DELETED(true);

    private final boolean done;

    FutureState(boolean done) {
        this.done = done;
    }

    /** Whether the outcome is recorded and stays. */
    public boolean isDone() {
        return done;
    }
}
