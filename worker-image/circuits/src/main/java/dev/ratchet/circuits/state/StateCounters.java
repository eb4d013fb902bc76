/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.state;

import java.util.concurrent.atomic.AtomicLong;

/** Bytes that commits have written since the database was opened. */
final class StateCounters {

    private final AtomicLong changed = new AtomicLong();
    private final AtomicLong rewritten = new AtomicLong();
    private final AtomicLong manifests = new AtomicLong();

    void rows(long bytes, boolean again) {
        (again ? rewritten : changed).addAndGet(bytes);
    }

    void manifest(long bytes) {
        manifests.addAndGet(bytes);
    }

    long changed() {
        return changed.get();
    }

    long rewritten() {
        return rewritten.get();
    }

    long manifests() {
        return manifests.get();
    }
}
