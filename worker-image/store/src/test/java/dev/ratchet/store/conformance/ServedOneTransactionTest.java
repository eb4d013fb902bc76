/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.conformance;

import com.apple.foundationdb.Database;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Transactions alone on an engine behind its server, under faults. */
class ServedOneTransactionTest extends OneTransactionConformance {

    @RegisterExtension
    final ServedEngines engines = new ServedEngines();

    @Override
    protected Database open() {
        return FaultyDatabases.served(engines.start(FaultyDatabases.PATIENT), 49);
    }
}
