/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.check;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.tuple.Tuple;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.ListingIndex;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.store.keyspace.Table;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** What listings read names futures that are so, and nothing else. */
final class ListingChecks {

    private ListingChecks() {}

    /** Each entry is where its future's record says. */
    record Listed(FutureKeys keys) implements TableCheck {
        @Override
        public Table<?> table() {
            return keys.listed;
        }

        @Override
        public CompletableFuture<Void> judge(CheckPage page, KeyValue row) {
            FutureId id = new FutureId(keys.listed.elements(row.getKey()).getUUID(4));
            return agrees(page, keys.listed, row, id, record -> Optional.of(ListingIndex.entry(keys, id, record)));
        }
    }

    /** Each entry is under the seat that ran its future last. */
    record Ran(FutureKeys keys) implements TableCheck {
        @Override
        public Table<?> table() {
            return keys.ran;
        }

        @Override
        public CompletableFuture<Void> judge(CheckPage page, KeyValue row) {
            FutureId id = new FutureId(keys.ran.elements(row.getKey()).getUUID(3));
            return agrees(page, keys.ran, row, id, record -> ListingIndex.ranEntry(keys, id, record));
        }
    }

    private static CompletableFuture<Void> agrees(
            CheckPage page, Table<?> table, KeyValue row, FutureId id, Function<FutureRecord, Optional<byte[]>> entry) {
        return page.record(id).thenAccept(record -> {
            if (record.isEmpty()) {
                page.violation(table, row.getKey(), "lists a future that is missing");
            } else {
                byte[] right = entry.apply(record.get()).orElse(FutureKeys.PRESENT);
                page.require(
                        Arrays.equals(right, row.getKey()),
                        table,
                        row.getKey(),
                        "lists a future that belongs "
                                + (right.length == 0 ? "nowhere" : "to " + CheckPage.path(table, right)));
            }
        });
    }

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
            List<CompletableFuture<Integer>> found = ListingIndex.PHASES.stream()
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
