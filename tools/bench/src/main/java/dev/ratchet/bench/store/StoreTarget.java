/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.store;

import com.apple.foundationdb.Database;
import com.sun.management.OperatingSystemMXBean;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.store.EmbeddedOptions;
import dev.ratchet.store.EmbeddedStore;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.concurrent.Executor;

/** A store that is measured, empty at first. Closing it stops its process, if it has one. */
interface StoreTarget extends AutoCloseable {

    /** What is measured, in this order. */
    enum Kind {
        /** In process, without files. */
        MEMORY("memory"),
        /** In process, the log not synced. */
        NO_FSYNC("no-fsync"),
        /** In process, durable. */
        FSYNC("fsync"),
        /** Served by another process, the log not synced. */
        LOOPBACK_NO_FSYNC("loopback-no-fsync"),
        /** Served by another process, durable. */
        LOOPBACK("loopback");

        /** As it stands in reports. */
        final String title;

        Kind(String title) {
            this.title = title;
        }

        /** A store of this kind with its files in an empty directory. */
        StoreTarget open(Path directory) throws IOException {
            EmbeddedOptions durable = EmbeddedOptions.in(directory);
            return switch (this) {
                case MEMORY -> new InProcess(EmbeddedOptions.inMemory());
                case NO_FSYNC -> new InProcess(new EmbeddedOptions(directory, false, durable.engine()));
                case FSYNC -> new InProcess(durable);
                case LOOPBACK_NO_FSYNC -> new ServedTarget(directory, false);
                case LOOPBACK -> new ServedTarget(directory, true);
            };
        }
    }

    Database database();

    /** Where clients run. */
    Executor executor();

    /** Processor time that client and store have taken so far. */
    long cpuNanos();

    /** Processor time that this process has taken so far. */
    static long ownCpuNanos() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }

    @Override
    void close();

    /** The engine in this process. */
    final class InProcess implements StoreTarget {

        private final SystemEnvironment environment = new SystemEnvironment();
        private final EmbeddedStore store;
        private final Database database;

        InProcess(EmbeddedOptions options) {
            store = EmbeddedStore.open(options, environment);
            database = store.database();
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
            return StoreTarget.ownCpuNanos();
        }

        @Override
        public void close() {
            database.close();
            store.close();
            environment.close();
        }
    }
}
