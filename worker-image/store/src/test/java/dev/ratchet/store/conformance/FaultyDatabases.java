/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.conformance;

import com.apple.foundationdb.Database;
import dev.ratchet.store.engine.Durability;
import dev.ratchet.store.engine.EmbeddedEngine;
import dev.ratchet.store.engine.EngineSettings;
import dev.ratchet.store.engine.StartingPoint;
import dev.ratchet.store.environment.SystemEnvironment;
import dev.ratchet.store.remote.ServedEngine;
import dev.ratchet.store.transaction.ConnectionDatabase;

/** Databases on which about one call in twelve goes wrong. */
final class FaultyDatabases {

    private static final int ONE_IN = 12;

    private FaultyDatabases() {}

    static Database embedded(SystemEnvironment environment, long seed) {
        EmbeddedEngine engine =
                new EmbeddedEngine(environment, EngineSettings.DEFAULT, Durability.NONE, StartingPoint.empty());
        return new ConnectionDatabase(new FaultyConnection(engine, environment, seed, ONE_IN), environment);
    }

    static Database served(ServedEngine served, long seed) {
        return new ConnectionDatabase(
                new FaultyConnection(served.connect(), served.environment, seed, ONE_IN), served.environment);
    }
}
