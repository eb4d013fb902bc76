/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.isolation;

import dev.ratchet.futures.log.LogOwner;

/** A process that runs attempts, as those see it who share it out and end it. Safe for use by several threads. */
interface HostProcess {

    /** Begins an attempt in it. */
    ProcessAttempt open(LogOwner future);

    /** Runs {@code action} when it says nothing more, and before any of its attempts learns that. */
    void whenGone(Runnable action);

    boolean isAlive();

    /** TERM, without waiting. */
    void terminate();

    /** KILL, without waiting. */
    void kill();

    /**
     * Ends it: TERM, which interrupts its tasks, then KILL. Returns when it is gone, in a little more than the grace at
     * most, also for a thread that was interrupted.
     *
     * @return its exit code
     */
    int end(long graceMillis);

    /** Whether it has ended because its memory was exhausted. To be asked after its end. */
    boolean isExhausted();
}
