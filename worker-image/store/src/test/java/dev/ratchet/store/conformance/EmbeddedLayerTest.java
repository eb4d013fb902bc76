/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.conformance;

import com.apple.foundationdb.Database;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.store.EmbeddedDatabaseSupplier;
import org.junit.jupiter.api.AfterEach;

/** Layers on the embedded engine. */
class EmbeddedLayerTest extends LayerConformance {

    private final SystemEnvironment environment = new SystemEnvironment();

    @AfterEach
    void stop() {
        environment.close();
    }

    @Override
    protected Database open() {
        return new EmbeddedDatabaseSupplier(environment).get();
    }

    @Override
    protected Database openFaulty() {
        return FaultyDatabases.embedded(environment, 44);
    }
}
