/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli.store;

import com.apple.foundationdb.Database;
import dev.ratchet.environment.Environment;
import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.security.Identity.Kind;
import dev.ratchet.store.Access;
import dev.ratchet.store.ClusterConfiguration;
import dev.ratchet.store.DatabaseFactory;
import dev.ratchet.store.StoreConfiguration;
import dev.ratchet.store.keyspace.Keyspace;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which cluster's store a command works on, and as whom; by default as the pod that it runs in. */
public final class ClusterOptions {

    static final int SESSIONS_PORT = 7401;

    /** People and pods that wait longer for a store had better be told. */
    private static final long TIMEOUT_MILLIS = 60_000;

    private static final Path CONFIGURATION = Path.of("/etc/ratchet/config");

    @Option(
            names = "--config-dir",
            paramLabel = "DIR",
            description = "directory of cluster.json; default $RATCHET_CONFIG_DIR, then /etc/ratchet/config")
    private @Nullable Path configDirectory;

    @Mixin
    private Credentials credentials;

    /** Whether the caller has named a store. */
    public boolean isGiven() {
        return configDirectory != null;
    }

    /** Where the cluster's keys are. */
    public Keyspace keyspace() {
        return new Keyspace(configuration().store().subspace());
    }

    /** Opens the cluster's database, which the caller closes. */
    public Database open(Environment environment) {
        return open(configuration(), environment);
    }

    /** Reads cluster.json. */
    ClusterConfiguration configuration() {
        Path given = Variables.path(configDirectory, "RATCHET_CONFIG_DIR");
        Path directory = given == null ? CONFIGURATION : given;
        if (!Files.exists(directory.resolve(ClusterConfiguration.FILE))) {
            throw new IllegalArgumentException("There is no " + directory.resolve(ClusterConfiguration.FILE)
                    + ": run this in a pod of the cluster, or name the directory of its copy with --config-dir");
        }
        return ClusterConfiguration.read(directory);
    }

    /** Whether the configuration is the one that a pod was given, not one that somebody named. */
    boolean isThatOfThePod() {
        return configDirectory == null && Variables.text(null, "RATCHET_CONFIG_DIR") != null;
    }

    /** Opens the database that {@code configuration} names, which the caller closes. */
    Database open(ClusterConfiguration configuration, Environment environment) {
        Access access = configuration.store() instanceof StoreConfiguration.Embedded ? access(configuration) : null;
        Database database = DatabaseFactory.reach(configuration.store(), access, environment, TIMEOUT_MILLIS);
        database.options().setTransactionTimeout(TIMEOUT_MILLIS);
        return database;
    }

    /**
     * Where the embedded store of {@code configuration} answers: the store's own pod reaches it without the Service.
     */
    StoreConfiguration.Embedded nearest(StoreConfiguration.Embedded embedded, Access access) {
        String ownAddress = Variables.text(null, "RATCHET_POD_IP");
        if (ownAddress == null || access.self().kind() != Kind.STORE || !isThatOfThePod()) {
            return embedded;
        }
        return new StoreConfiguration.Embedded(
                Variables.host(ownAddress) + ":" + SESSIONS_PORT, embedded.serverName(), embedded.subspace());
    }

    /** As whom to speak to an embedded store. */
    Access access(ClusterConfiguration configuration) {
        return credentials.access(
                new Identity(configuration.namespace(), configuration.cluster(), Kind.WORKER, "ratchet-command"));
    }
}
