/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.conformance;

import com.apple.foundationdb.Database;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.store.engine.Durability;
import dev.ratchet.store.engine.EmbeddedEngine;
import dev.ratchet.store.engine.EngineSettings;
import dev.ratchet.store.engine.StartingPoint;
import dev.ratchet.store.remote.ServedEngine;
import dev.ratchet.store.transaction.ConnectionDatabase;
import dev.ratchet.store.transaction.Limits;

/** Databases on which about one call in twelve goes wrong. */
final class FaultyDatabases {

    private static final int ONE_IN = 12;

    /** So few bytes of old versions that a handful of commits makes a reader too old. */
    static final EngineSettings SMALL_WINDOW = new EngineSettings(Limits.WINDOW_VERSIONS, 1 << 16, 1 << 20, 1 << 20);

    /** A window of ten minutes: no pause of a busy machine makes a transaction too old. */
    static final EngineSettings PATIENT = new EngineSettings(
            600_000_000,
            EngineSettings.DEFAULT.windowBytesMax(),
            EngineSettings.DEFAULT.pendingBytesMax(),
            EngineSettings.DEFAULT.dataBytesMax());

    private FaultyDatabases() {}

    /** One on which nothing goes wrong. */
    static Database none(SystemEnvironment environment, EngineSettings settings) {
        return new ConnectionDatabase(
                new EmbeddedEngine(environment, settings, Durability.NONE, StartingPoint.empty()), environment);
    }

    static Database embedded(SystemEnvironment environment, long seed) {
        return embedded(environment, EngineSettings.DEFAULT, seed);
    }

    static Database embedded(SystemEnvironment environment, EngineSettings settings, long seed) {
        EmbeddedEngine engine = new EmbeddedEngine(environment, settings, Durability.NONE, StartingPoint.empty());
        return new ConnectionDatabase(new FaultyConnection(engine, environment, seed, ONE_IN), environment);
    }

    static Database served(ServedEngine served, long seed) {
        return new ConnectionDatabase(
                new FaultyConnection(served.connect(), served.environment, seed, ONE_IN), served.environment);
    }
}
