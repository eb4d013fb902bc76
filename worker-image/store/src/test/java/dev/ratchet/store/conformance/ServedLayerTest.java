/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.conformance;

import com.apple.foundationdb.Database;
import dev.ratchet.store.remote.ServedEngine;
import dev.ratchet.store.transaction.ConnectionDatabase;
import org.junit.jupiter.api.AfterEach;

/** Layers on the engine behind a server. */
class ServedLayerTest extends LayerConformance {

    private final ServedEngine served = new ServedEngine();

    @AfterEach
    void stop() {
        served.close();
    }

    @Override
    protected Database open() {
        return new ConnectionDatabase(served.connect(), served.environment);
    }

    @Override
    protected Database openFaulty() {
        return FaultyDatabases.served(served, 45);
    }
}
