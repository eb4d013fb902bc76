/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.circuit;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * How much of the heap the operators of a circuit may take for copies of what they could find in their traces: all of
 * them together one part, each an equal share of that. Safe for use by several threads.
 */
public final class CacheShares {

    private static final int PART_OF_HEAP = 8;

    private final long bytes;
    private final AtomicInteger users = new AtomicInteger();

    /** @param bytes for all users together */
    public CacheShares(long bytes) {
        this.bytes = bytes;
    }

    static CacheShares ofHeap() {
        return new CacheShares(Runtime.getRuntime().maxMemory() / PART_OF_HEAP);
    }

    /** Adds a user. */
    public void add() {
        users.incrementAndGet();
    }

    /** What each user may take. */
    public long bytesOfOne() {
        return bytes / Math.max(1, users.get());
    }
}
