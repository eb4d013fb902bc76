/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.check;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.tuple.Tuple;
import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.Ids;
import dev.ratchet.store.keyspace.Table;
import java.util.concurrent.CompletableFuture;

/** What is kept for clients and by names agrees with the records. */
final class HeldChecks {

    private HeldChecks() {}

    /** A parked future knows for whom. That the lease lasts is not asked: sweeps act on its end later. */
    record Parked(FutureKeys keys) implements TableCheck {
        @Override
        public Table<?> table() {
            return keys.parked;
        }

        @Override
        public CompletableFuture<Void> judge(CheckPage page, KeyValue row) {
            Tuple key = keys.parked.elements(row.getKey());
            ByteString client = Ids.bytes(new FutureId(key.getUUID(0)));
            return page.record(new FutureId(key.getUUID(1)))
                    .thenAccept(record -> page.require(
                            record.isPresent()
                                    && record.get().getParkedFor().equals(client)
                                    && record.get().getClientsList().contains(client),
                            keys.parked,
                            row.getKey(),
                            "parks a future that does not say so"));
        }
    }

    /** A name is bound to a future that lists it. */
    record Bound(FutureKeys keys) implements TableCheck {
        @Override
        public Table<?> table() {
            return keys.bound;
        }

        @Override
        public CompletableFuture<Void> judge(CheckPage page, KeyValue row) {
            if (row.getValue().length != Ids.BYTES) {
                page.violation(keys.bound, row.getKey(), "has " + row.getValue().length + " bytes");
                return CompletableFuture.completedFuture(null);
            }
            String name = keys.bound.elements(row.getKey()).getString(1);
            FutureId id = Ids.read(row.getValue(), 0);
            return page.record(id)
                    .thenAccept(record -> page.require(
                            record.isPresent()
                                    && record.get().getBoundNamesList().contains(name),
                            keys.bound,
                            row.getKey(),
                            "is bound to " + id + ", which does not know"));
        }
    }
}
