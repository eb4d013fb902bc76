/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.upkeep;

import com.apple.foundationdb.Range;
import com.apple.foundationdb.ReadTransaction;
import dev.ratchet.store.keyspace.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Lists what the keys of a table begin with, one read for each, however many keys share it. */
final class Prefixes {

    private Prefixes() {}

    /** The first elements of the keys, which are texts, in their order; at most {@code limit}. */
    static CompletableFuture<List<String>> of(ReadTransaction transaction, Table<?> table, int limit) {
        return from(transaction, table, table.range().begin, limit, new ArrayList<>());
    }

    private static CompletableFuture<List<String>> from(
            ReadTransaction transaction, Table<?> table, byte[] from, int limit, List<String> found) {
        return transaction
                .getRange(new Range(from, table.range().end), 1)
                .asList()
                .thenCompose(next -> {
                    if (next.isEmpty() || found.size() >= limit) {
                        return CompletableFuture.completedFuture(found);
                    }
                    String first = table.elements(next.getFirst().getKey()).getString(0);
                    found.add(first);
                    return from(transaction, table, table.range(first).end, limit, found);
                });
    }
}
