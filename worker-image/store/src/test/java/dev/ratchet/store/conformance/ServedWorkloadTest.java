/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.conformance;

import com.apple.foundationdb.Database;
import dev.ratchet.store.remote.ServedEngine;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/** The engine behind a server, under faults. */
class ServedWorkloadTest extends WorkloadConformance {

    private final List<ServedEngine> engines = new ArrayList<>();

    @AfterEach
    void stop() {
        engines.forEach(ServedEngine::close);
    }

    @Override
    protected Database open() {
        ServedEngine served = new ServedEngine();
        engines.add(served);
        return FaultyDatabases.served(served, 43);
    }
}
