/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.state;

/** State databases for tests elsewhere: files that are arrays, small enough caches that much is read again. */
public final class MemoryDatabase {

    private MemoryDatabase() {}

    public static StateDatabase create(long seed) {
        return FileStateDatabase.on(new CrashingFiles(seed), 100_000, seed % 2 == 0 ? 2_000 : 1 << 20);
    }
}
