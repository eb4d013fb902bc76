/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.conformance;

import com.apple.foundationdb.Database;
import dev.ratchet.store.engine.EngineSettings;
import dev.ratchet.store.remote.ServedEngine;
import dev.ratchet.store.transaction.ConnectionDatabase;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/** The engine behind a server with mutual TLS answers as FoundationDB does. */
class ServedTraceTest extends TraceConformance {

    /** No pause of a busy machine makes what was recorded too old. */
    private static final long WINDOW_VERSIONS = 600_000_000;

    private final List<ServedEngine> engines = new ArrayList<>();

    @AfterEach
    void stop() {
        engines.forEach(ServedEngine::close);
    }

    @Override
    protected Database open() {
        EngineSettings usual = EngineSettings.DEFAULT;
        ServedEngine served = new ServedEngine(new EngineSettings(
                WINDOW_VERSIONS, usual.windowBytesMax(), usual.pendingBytesMax(), usual.dataBytesMax()));
        engines.add(served);
        return new ConnectionDatabase(served.connect(), served.environment);
    }
}
