/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.conformance;

import com.apple.foundationdb.Database;
import dev.ratchet.environment.SystemEnvironment;

/** Transactions alone on the embedded engine, under faults. */
class EmbeddedOneTransactionTest extends OneTransactionConformance {

    @Override
    protected Database open() {
        return FaultyDatabases.embedded(new SystemEnvironment(), FaultyDatabases.PATIENT, 49);
    }
}
