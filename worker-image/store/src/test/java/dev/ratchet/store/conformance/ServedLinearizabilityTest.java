/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.conformance;

import com.apple.foundationdb.Database;
import dev.ratchet.store.remote.ServedEngine;
import dev.ratchet.store.transaction.ConnectionDatabase;
import org.junit.jupiter.api.AfterEach;

/** Histories of clients of a server. */
class ServedLinearizabilityTest extends LinearizabilityConformance {

    private final ServedEngine served = new ServedEngine();

    @AfterEach
    void stop() {
        served.close();
    }

    @Override
    protected Database open(boolean faults) {
        return faults
                ? FaultyDatabases.served(served, 47)
                : new ConnectionDatabase(served.connect(), served.environment);
    }
}
