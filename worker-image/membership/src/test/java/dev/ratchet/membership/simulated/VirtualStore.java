/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.simulated;

import com.apple.foundationdb.Database;
import dev.ratchet.store.engine.Durability;
import dev.ratchet.store.engine.EmbeddedEngine;
import dev.ratchet.store.engine.EngineSettings;
import dev.ratchet.store.engine.StartingPoint;
import dev.ratchet.store.transaction.ConnectionDatabase;
import dev.ratchet.store.transaction.StoreConnection;

/** The engine of a {@link VirtualWorld}, which never fails, and each process's own way to it. */
final class VirtualStore {

    private final StoreConnection engine;

    VirtualStore(VirtualProcess process) {
        engine = new EmbeddedEngine(process, EngineSettings.DEFAULT, Durability.NONE, StartingPoint.empty());
    }

    /** A database whose transactions run in {@code client}, and stand still when that does. */
    Database database(VirtualProcess client) {
        return new ConnectionDatabase(engine, client);
    }
}
