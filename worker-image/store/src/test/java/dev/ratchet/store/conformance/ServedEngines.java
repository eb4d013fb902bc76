/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.conformance;

import dev.ratchet.store.engine.EngineSettings;
import dev.ratchet.store.remote.ServedEngine;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The served engines of one test, which end with it. */
final class ServedEngines implements AfterEachCallback {

    private final List<ServedEngine> engines = new ArrayList<>();

    /** Starts one more; for use by several threads. */
    synchronized ServedEngine start(EngineSettings settings) {
        ServedEngine engine = new ServedEngine(settings);
        engines.add(engine);
        return engine;
    }

    @Override
    public synchronized void afterEach(ExtensionContext context) {
        engines.forEach(ServedEngine::close);
    }
}
