/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.store;

import com.apple.foundationdb.Database;
import dev.ratchet.bench.cluster.ServedStore;
import dev.ratchet.environment.SystemEnvironment;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.concurrent.Executor;

/** A store in a process of its own, with the options of this one, reached over loopback by one client process: this. */
final class ServedTarget implements StoreTarget {

    private final SystemEnvironment environment = new SystemEnvironment();
    private final ServedStore store;
    private final Database database;

    ServedTarget(Path directory, boolean syncs) throws IOException {
        store = new ServedStore(
                directory,
                new ServedStore.Settings(ManagementFactory.getRuntimeMXBean().getInputArguments(), syncs, 0, 0));
        database = store.open(environment);
    }

    @Override
    public Database database() {
        return database;
    }

    @Override
    public Executor executor() {
        return environment.executor();
    }

    @Override
    public long cpuNanos() {
        return StoreTarget.ownCpuNanos() + store.process().cpu().toNanos();
    }

    @Override
    public void close() {
        database.close();
        environment.close();
        store.close();
    }
}
