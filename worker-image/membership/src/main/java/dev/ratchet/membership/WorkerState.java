/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership;

/**
 * How far a worker is. The stored state is what a worker says of itself; only {@link #MUST_DIE} is ever written by
 * others, and it absorbs: an incarnation never leaves it.
 */
public enum WorkerState {
    /** The seat is taken; what its former incarnation held is being released. */
    NEW,
    /** Alive, but the last proof that it can run work is missing or too old. */
    UNHEALTHY,
    /** Takes and runs work. */
    HEALTHY,
    /** Finishes or gives back what it has and takes nothing new. */
    DRAINING,
    /** Ended, replaced or told to end. Nothing is written in its name any more. */
    MUST_DIE
}
