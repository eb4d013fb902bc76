/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store;

import com.apple.foundationdb.Database;
import dev.ratchet.environment.Environment;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.store.engine.Durability;
import dev.ratchet.store.engine.EmbeddedEngine;
import dev.ratchet.store.engine.EngineSettings;
import dev.ratchet.store.engine.StartingPoint;
import dev.ratchet.store.transaction.ConnectionDatabase;
import java.util.function.Supplier;

/**
 * Gives a fresh, empty database in the memory of this process at each call: for tests, and for whoever wants to try the
 * embedded engine against FoundationDB's interfaces.
 */
public final class EmbeddedDatabaseSupplier implements Supplier<Database> {

    private final Environment environment;

    /** With the clocks and threads of this JVM. */
    public EmbeddedDatabaseSupplier() {
        this(new SystemEnvironment());
    }

    /** With clocks and threads of the caller's choice. */
    public EmbeddedDatabaseSupplier(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Database get() {
        return new ConnectionDatabase(
                new EmbeddedEngine(environment, EngineSettings.DEFAULT, Durability.NONE, StartingPoint.empty()),
                environment);
    }
}
