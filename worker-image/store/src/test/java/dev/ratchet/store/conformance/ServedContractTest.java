/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.conformance;

import com.apple.foundationdb.Database;
import dev.ratchet.store.remote.ServedEngine;
import dev.ratchet.store.transaction.ConnectionDatabase;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Calls on an engine behind its server. */
class ServedContractTest extends ContractConformance {

    @RegisterExtension
    final ServedEngines engines = new ServedEngines();

    @Override
    protected Database open() {
        ServedEngine served = engines.start(FaultyDatabases.PATIENT);
        return new ConnectionDatabase(served.connect(), served.environment);
    }
}
