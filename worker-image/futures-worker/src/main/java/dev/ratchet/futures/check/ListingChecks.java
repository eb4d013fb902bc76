/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.check;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.tuple.Tuple;
import dev.ratchet.futures.record.FutureIndex;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.store.keyspace.Table;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** What listings read names futures that are so, and nothing else. */
final class ListingChecks {

    private ListingChecks() {}

    /** A name that is counted has futures. */
    record Named(FutureKeys keys) implements TableCheck {
        @Override
        public Table<?> table() {
            return keys.named;
        }

        @Override
        public CompletableFuture<Void> judge(CheckPage page, KeyValue row) {
            Tuple name = keys.named.elements(row.getKey());
            long count = keys.named.decode(row.getValue());
            List<CompletableFuture<Integer>> found = FutureIndex.PHASES.stream()
                    .map(phase -> page.first(
                                    keys.listed.range(
                                            (long) phase.getNumber(),
                                            name.getString(1),
                                            name.getString(2),
                                            name.getString(0)),
                                    1)
                            .thenApply(List::size))
                    .toList();
            return CompletableFuture.allOf(found.toArray(CompletableFuture[]::new))
                    .thenAccept(unused -> page.require(
                            count > 0 && found.stream().anyMatch(futures -> futures.join() > 0),
                            keys.named,
                            row.getKey(),
                            "counts " + count + " futures and should not, or there is none"));
        }
    }
}
