/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli.store;

import com.apple.foundationdb.Database;
import dev.ratchet.store.ClusterConfiguration;
import dev.ratchet.store.environment.SystemEnvironment;
import dev.ratchet.store.keyspace.Keyspace;
import dev.ratchet.store.keyspace.StoreRecord;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code ratchet store clear}: removes everything that one cluster keeps in a store, in one transaction. Refuses a
 * subspace that belongs to another cluster, and asks for {@code --yes} unless it runs in the pod that the operator
 * starts for it. Clearing what is clear already succeeds.
 */
@Command(
        name = "clear",
        description = "Removes everything that this cluster keeps in its store.",
        mixinStandardHelpOptions = true)
final class ClearCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    private ClusterOptions cluster;

    @Option(names = "--yes", description = "really do it; not needed in a pod of the cluster")
    private boolean sure;

    @Override
    public Integer call() {
        return Failures.report(spec.commandLine().getErr(), () -> {
            ClusterConfiguration configuration = cluster.configuration();
            String owner = configuration.namespace() + "/" + configuration.cluster();
            if (!sure && !cluster.isThatOfThePod()) {
                throw new IllegalArgumentException("This removes all data of cluster " + owner + ": say --yes");
            }
            Keyspace keyspace = new Keyspace(configuration.store().subspace());
            try (SystemEnvironment environment = new SystemEnvironment();
                    Database database = cluster.open(configuration, environment)) {
                database.runAsync(transaction -> StoreRecord.openOrCreate(
                                        transaction, keyspace, owner, environment.random())
                                .thenAccept(record ->
                                        transaction.clear(keyspace.root().range())))
                        .join();
            }
            spec.commandLine().getOut().println("Cleared subspace " + keyspace + " of cluster " + owner);
            return 0;
        });
    }
}
