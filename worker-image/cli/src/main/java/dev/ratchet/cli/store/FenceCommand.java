/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli.store;

import com.apple.foundationdb.Transaction;
import dev.ratchet.environment.Environment;
import dev.ratchet.store.keyspace.Keyspace;
import dev.ratchet.store.keyspace.StoreRecord;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;

/**
 * {@code ratchet store fence}: raises the generation of a cluster's data, so that every process that worked with them
 * before leaves and starts again. What {@code ratchet store restore} does by itself; for FoundationDB, whose own tools
 * know nothing of it.
 */
@Command(
        name = "fence",
        description = "Makes every worker of a cluster leave and start again, after FoundationDB's data were restored.",
        mixinStandardHelpOptions = true)
final class FenceCommand extends OwnerCommand {

    @Override
    String warning(String owner) {
        return "This makes every worker of " + owner + " start again";
    }

    @Override
    boolean isForPods() {
        return false;
    }

    @Override
    CompletableFuture<String> change(
            Transaction transaction, Keyspace keyspace, StoreRecord record, Environment environment) {
        // A restore counts seconds too, and a data set may come back that was fenced after it was copied.
        long least = TimeUnit.MILLISECONDS.toSeconds(environment.wallClockMillis());
        return StoreRecord.raiseGeneration(transaction, keyspace, Math.max(record.generation() + 1, least))
                .thenApply(generation -> "has generation " + generation);
    }
}
