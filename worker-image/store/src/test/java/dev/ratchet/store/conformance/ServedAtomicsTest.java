/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.conformance;

import com.apple.foundationdb.Database;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Atomic operations on an engine behind its server, under faults. */
class ServedAtomicsTest extends AtomicsConformance {

    @RegisterExtension
    final ServedEngines engines = new ServedEngines();

    @Override
    protected Database open() {
        return FaultyDatabases.served(engines.start(FaultyDatabases.PATIENT), 48);
    }
}
