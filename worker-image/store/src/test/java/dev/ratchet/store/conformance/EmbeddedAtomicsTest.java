/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.conformance;

import com.apple.foundationdb.Database;
import dev.ratchet.environment.SystemEnvironment;

/** Atomic operations on the embedded engine, under faults. */
class EmbeddedAtomicsTest extends AtomicsConformance {

    @Override
    protected Database open() {
        return FaultyDatabases.embedded(new SystemEnvironment(), FaultyDatabases.PATIENT, 48);
    }
}
