/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.conformance;

import com.apple.foundationdb.Database;
import dev.ratchet.environment.SystemEnvironment;

/** Calls on the embedded engine. */
class EmbeddedContractTest extends ContractConformance {

    @Override
    protected Database open() {
        return FaultyDatabases.none(new SystemEnvironment(), FaultyDatabases.PATIENT);
    }
}
