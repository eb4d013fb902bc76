/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.keyspace;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The level of recorded formats as this process knows it. Whoever writes something that has more than one form asks it
 * and writes the form of that level. Invariant: it never falls, and is never above what is recorded; it may be below
 * for as long as a heartbeat takes, which is harmless, because every process that lives reads the form of before, too.
 * Safe for use by several threads.
 */
public final class FormatLevel {

    private final AtomicInteger level;

    /** @param recorded the level of the opened store */
    public FormatLevel(int recorded) {
        level = new AtomicInteger(recorded);
    }

    /** The level to write in, at least 1. */
    public int get() {
        return level.get();
    }

    /** Takes notice of a level that was read from the store. */
    public void seen(int recorded) {
        level.accumulateAndGet(recorded, Math::max);
    }
}
