/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli.store;

import com.apple.foundationdb.Transaction;
import dev.ratchet.environment.Environment;
import dev.ratchet.store.keyspace.Keyspace;
import dev.ratchet.store.keyspace.StoreRecord;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine.Command;

/**
 * {@code ratchet store clear}: removes everything that one cluster keeps in a store. The operator's pod for this need
 * not say {@code --yes}. Clearing what is clear already succeeds.
 */
@Command(
        name = "clear",
        description = "Removes everything that this cluster keeps in its store; in a pod of the cluster without --yes.",
        mixinStandardHelpOptions = true)
final class ClearCommand extends OwnerCommand {

    @Override
    String warning(String owner) {
        return "This removes all data of cluster " + owner;
    }

    @Override
    boolean isForPods() {
        return true;
    }

    @Override
    CompletableFuture<String> change(
            Transaction transaction, Keyspace keyspace, StoreRecord record, Environment environment) {
        keyspace.clear(transaction);
        return CompletableFuture.completedFuture("has no data any more in subspace " + keyspace);
    }
}
