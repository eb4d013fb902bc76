/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.claim;

import dev.ratchet.futures.queue.Room;

/**
 * The claims that this worker holds, as far as they decide how much more it claims. Safe for use by several threads.
 */
public interface HeldClaims {

    /** Work claimed ahead of the slots, in time. */
    long AHEAD_NANOS = 50_000_000L;

    /** How many there are. */
    int size();

    /**
     * What may be claimed beside them.
     *
     * @param averageRunNanos how long a future runs, as far as is known
     */
    Room room(long nowNanos, double averageRunNanos);
}
