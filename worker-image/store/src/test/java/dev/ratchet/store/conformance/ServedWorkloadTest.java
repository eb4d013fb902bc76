/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.conformance;

import com.apple.foundationdb.Database;
import dev.ratchet.store.engine.EngineSettings;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The engine behind a server, under faults. */
class ServedWorkloadTest extends WorkloadConformance {

    @RegisterExtension
    final ServedEngines engines = new ServedEngines();

    @Override
    protected Database open() {
        return FaultyDatabases.served(engines.start(EngineSettings.DEFAULT), 43);
    }
}
