/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.conformance;

import com.apple.foundationdb.Database;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.store.EmbeddedDatabaseSupplier;
import org.junit.jupiter.api.AfterEach;

/** Histories of the embedded engine. */
class EmbeddedLinearizabilityTest extends LinearizabilityConformance {

    private final SystemEnvironment environment = new SystemEnvironment();

    @AfterEach
    void stop() {
        environment.close();
    }

    @Override
    protected Database open(boolean faults) {
        return faults ? FaultyDatabases.embedded(environment, 46) : new EmbeddedDatabaseSupplier(environment).get();
    }
}
