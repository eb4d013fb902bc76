/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.conformance;

import com.apple.foundationdb.Database;
import dev.ratchet.store.engine.Durability;
import dev.ratchet.store.engine.EmbeddedEngine;
import dev.ratchet.store.engine.EngineSettings;
import dev.ratchet.store.engine.StartingPoint;
import dev.ratchet.store.environment.SystemEnvironment;
import dev.ratchet.store.transaction.ConnectionDatabase;

/** The embedded engine under faults. */
class EmbeddedWorkloadTest extends WorkloadConformance {

    @Override
    protected Database open() {
        SystemEnvironment environment = new SystemEnvironment();
        EmbeddedEngine engine =
                new EmbeddedEngine(environment, EngineSettings.DEFAULT, Durability.NONE, StartingPoint.empty());
        return new ConnectionDatabase(new FaultyConnection(engine, environment, 42, 12), environment);
    }
}
