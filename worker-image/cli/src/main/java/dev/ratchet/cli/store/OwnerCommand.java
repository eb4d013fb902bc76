/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli.store;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.Transaction;
import dev.ratchet.environment.Environment;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.protocol.release.ReleaseFormats;
import dev.ratchet.store.ClusterConfiguration;
import dev.ratchet.store.keyspace.Keyspace;
import dev.ratchet.store.keyspace.StoreRecord;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * What the owner of a cluster's data does to all of them, in one transaction. Refuses a subspace that belongs to
 * another cluster, and does nothing without {@code --yes}.
 */
abstract class OwnerCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    private ClusterOptions cluster;

    @Option(names = "--yes", description = "really do it")
    private boolean sure;

    /** What would happen to cluster {@code owner}, as a sentence without its end. */
    abstract String warning(String owner);

    /** Whether the pod that the operator starts for this need not say that it is sure. */
    abstract boolean isForPods();

    /** Records it in {@code transaction} and gives what to say once that has committed. */
    abstract CompletableFuture<String> change(
            Transaction transaction, Keyspace keyspace, StoreRecord record, Environment environment);

    @Override
    public final Integer call() {
        ClusterConfiguration configuration = cluster.configuration();
        String owner = configuration.namespace() + "/" + configuration.cluster();
        if (!sure && !(isForPods() && cluster.isThatOfThePod())) {
            throw new IllegalArgumentException(warning(owner) + ": say --yes");
        }
        Keyspace keyspace = new Keyspace(configuration.store().subspace());
        try (SystemEnvironment environment = new SystemEnvironment();
                Database database = cluster.open(configuration, environment)) {
            String done = database.runAsync(transaction -> StoreRecord.openOrCreate(
                                    transaction, keyspace, owner, ReleaseFormats.OWN, environment.random())
                            .thenCompose(record -> change(transaction, keyspace, record, environment)))
                    .join();
            spec.commandLine().getOut().println("Cluster " + owner + " " + done);
        }
        return 0;
    }
}
