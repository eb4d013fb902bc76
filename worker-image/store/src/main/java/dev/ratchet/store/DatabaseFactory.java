/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store;

import com.apple.foundationdb.Database;
import dev.ratchet.environment.Environment;
import dev.ratchet.protocol.security.Identity;
import dev.ratchet.store.foundationdb.FoundationDb;
import dev.ratchet.store.foundationdb.FoundationDbOptions;
import dev.ratchet.store.remote.RemoteBackup;
import dev.ratchet.store.remote.RemoteConnection;
import dev.ratchet.store.transaction.ConnectionDatabase;
import dev.ratchet.store.transaction.EmbeddedFDBException;
import dev.ratchet.store.transaction.ErrorCode;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Opens the store that a process is configured to use. */
public final class DatabaseFactory {

    /** With the two seconds that it takes to find out why, well within ten. */
    private static final long FOUNDATION_DB_MILLIS = 6_000;

    private DatabaseFactory() {}

    /**
     * The database that {@code configuration} names. Returns before the store was reached: transactions wait for it,
     * and fail where it refuses this process. The caller closes it.
     *
     * @param access as whom to use an embedded store in another process; null where the configuration needs none
     * @throws IllegalArgumentException if the configuration needs {@code access} and it is null
     * @throws dev.ratchet.store.foundationdb.FoundationDbException if FoundationDB can not be used as configured
     */
    public static Database open(StoreConfiguration configuration, @Nullable Access access, Environment environment) {
        return switch (configuration) {
            case StoreConfiguration.Embedded embedded -> {
                if (access == null) {
                    throw new IllegalArgumentException(
                            "The store at " + embedded.address() + " wants to know who calls: give RATCHET_TLS_DIR");
                }
                yield new ConnectionDatabase(connect(embedded, access, environment), environment);
            }
            case StoreConfiguration.FoundationDb foundation ->
                FoundationDb.open(options(foundation), environment.executor());
        };
    }

    /**
     * As {@link #open}, for those who would rather be told than wait: returns when the first session with an embedded
     * store is open, or FoundationDB has answered. Blocks.
     *
     * @param waitMillis how long to look for an embedded store that is away
     * @throws dev.ratchet.store.foundationdb.FoundationDbException if FoundationDB can not be used as configured, or
     *     has not answered within some seconds
     * @throws EmbeddedFDBException with code 6000 at once where this process and the store refuse each other, with code
     *     1004 when the time is over
     */
    public static Database reach(
            StoreConfiguration configuration, @Nullable Access access, Environment environment, long waitMillis) {
        if (configuration instanceof StoreConfiguration.FoundationDb foundation) {
            return reach(foundation, environment);
        }
        if (!(configuration instanceof StoreConfiguration.Embedded embedded) || access == null) {
            return open(configuration, access, environment);
        }
        RemoteConnection connection = connect(embedded, access, environment);
        try {
            var unused = connection
                    .opened()
                    .orTimeout(waitMillis, TimeUnit.MILLISECONDS)
                    .join();
            return new ConnectionDatabase(connection, environment);
        } catch (CompletionException failure) {
            connection.close();
            if (failure.getCause() instanceof EmbeddedFDBException refused) {
                throw refused;
            }
            throw new EmbeddedFDBException(
                    "No store answered at " + embedded.address() + " within " + waitMillis / 1_000
                            + " s: check that it runs there",
                    ErrorCode.TIMED_OUT);
        }
    }

    private static Database reach(StoreConfiguration.FoundationDb foundation, Environment environment) {
        Database database = FoundationDb.open(options(foundation), environment.executor());
        try {
            FoundationDb.awaitAnswer(database, options(foundation), FOUNDATION_DB_MILLIS);
            return database;
        } catch (RuntimeException silent) {
            database.close();
            throw silent;
        }
    }

    /**
     * Why the store gives no answer, as far as this process can find out within two seconds; empty where its errors say
     * so themselves.
     */
    public static Optional<String> silence(StoreConfiguration configuration) {
        return configuration instanceof StoreConfiguration.FoundationDb foundation
                ? Optional.of(FoundationDb.silence(options(foundation)))
                : Optional.empty();
    }

    private static FoundationDbOptions options(StoreConfiguration.FoundationDb foundation) {
        return new FoundationDbOptions(
                foundation.clusterFile(), foundation.tlsDirectory(), foundation.externalClientDirectory());
    }

    /**
     * Writes a copy of an embedded store in another process to {@code target}. Blocks until all of it is there.
     *
     * @throws IOException if the target fails, or the store refuses, breaks off or can not be reached
     */
    public static RemoteBackup backup(StoreConfiguration.Embedded embedded, Access access, WritableByteChannel target)
            throws IOException {
        ManagedChannel channel = channel(embedded, access).build();
        try {
            return RemoteBackup.take(channel, target);
        } finally {
            channel.shutdownNow();
        }
    }

    private static ManagedChannelBuilder<?> channel(StoreConfiguration.Embedded embedded, Access access) {
        String authority =
                Identity.authority(embedded.serverName(), access.self().namespace());
        return access.security().channelBuilder(embedded.address(), authority);
    }

    /** A connection to an embedded store in another process, for those who need more than a database. */
    public static RemoteConnection connect(
            StoreConfiguration.Embedded embedded, Access access, Environment environment) {
        return new RemoteConnection(
                () -> channel(embedded, access).directExecutor().build(), access.self(), access.release(), environment);
    }
}
