/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli.store;

import com.apple.foundationdb.Database;
import dev.ratchet.store.ClusterConfiguration;
import dev.ratchet.store.environment.SystemEnvironment;
import dev.ratchet.store.keyspace.Keyspace;
import dev.ratchet.store.keyspace.StoreRecord;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code ratchet store fence}: raises the generation of a cluster's data, so that every process that worked with them
 * before leaves and starts again. What {@code ratchet store restore} does by itself; for FoundationDB, whose own tools
 * know nothing of it.
 */
@Command(
        name = "fence",
        description = "Makes every worker of a cluster leave and start again, after FoundationDB's data were restored.",
        mixinStandardHelpOptions = true)
final class FenceCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    private ClusterOptions cluster;

    @Option(names = "--yes", description = "really do it")
    private boolean sure;

    @Override
    public Integer call() {
        return Failures.report(spec.commandLine().getErr(), () -> {
            ClusterConfiguration configuration = cluster.configuration();
            String owner = configuration.namespace() + "/" + configuration.cluster();
            if (!sure) {
                throw new IllegalArgumentException("This makes every worker of " + owner + " start again: say --yes");
            }
            Keyspace keyspace = new Keyspace(configuration.store().subspace());
            try (SystemEnvironment environment = new SystemEnvironment();
                    Database database = cluster.open(configuration, environment)) {
                // A restore counts seconds too, and a data set may come back that was fenced after it was copied.
                long least = TimeUnit.MILLISECONDS.toSeconds(environment.wallClockMillis());
                long generation = database.runAsync(transaction -> StoreRecord.openOrCreate(
                                        transaction, keyspace, owner, environment.random())
                                .thenCompose(record -> StoreRecord.raiseGeneration(
                                        transaction, keyspace, Math.max(record.generation() + 1, least))))
                        .join();
                spec.commandLine().getOut().println("Cluster " + owner + " has generation " + generation);
            }
            return 0;
        });
    }
}
