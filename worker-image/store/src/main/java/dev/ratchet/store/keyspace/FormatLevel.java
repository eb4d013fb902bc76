/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.keyspace;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The level of recorded formats of one keyspace as this process knows it. Whoever writes something that has more than
 * one form asks it and writes the form of that level; {@link Table#encode} does so for records. Invariant: it never
 * falls, and is never above what is recorded; it may be below for as long as a heartbeat takes, which is harmless,
 * because every process that lives reads the form of before, too. Safe for use by several threads.
 */
public final class FormatLevel {

    /** The level of the first release, until the store has been asked. */
    private final AtomicInteger level = new AtomicInteger(1);

    FormatLevel() {}

    /** The level to write in, at least 1. */
    public int get() {
        return level.get();
    }

    /** Takes notice of a level that was read from the store, or of 0, which says that none is recorded. */
    public void seen(int recorded) {
        level.accumulateAndGet(recorded, Math::max);
    }
}
