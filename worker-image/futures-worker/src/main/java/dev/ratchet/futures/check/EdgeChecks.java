/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.check;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.tuple.Tuple;
import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.lifecycle.Lifecycle;
import dev.ratchet.futures.model.BlockIds;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.protocol.futures.v1.State;
import dev.ratchet.store.keyspace.Table;
import java.util.concurrent.CompletableFuture;

/** The edges of stored joins: each has both ends, starts at somebody who waits, and leads to somebody not done. */
final class EdgeChecks {

    private EdgeChecks() {}

    /** A child names the future under which it is listed. */
    record Children(FutureKeys keys) implements TableCheck {
        @Override
        public Table<?> table() {
            return keys.children;
        }

        @Override
        public CompletableFuture<Void> judge(CheckPage page, KeyValue row) {
            Tuple key = keys.children.elements(row.getKey());
            ByteString parent = Ids.bytes(new FutureId(key.getUUID(0)));
            return page.record(new FutureId(key.getUUID(1)))
                    .thenAccept(child -> page.require(
                            child.isPresent() && child.get().getParent().equals(parent),
                            keys.children,
                            row.getKey(),
                            "lists a child that does not know its parent"));
        }
    }

    /** From the future that waits. */
    record Waits(FutureKeys keys) implements TableCheck {
        @Override
        public Table<?> table() {
            return keys.waits;
        }

        @Override
        public CompletableFuture<Void> judge(CheckPage page, KeyValue row) {
            Tuple key = keys.waits.elements(row.getKey());
            FutureId downstream = new FutureId(key.getUUID(0));
            return page.record(downstream)
                    .thenAccept(record -> page.require(
                            record.isPresent() && record.get().getState() == State.STATE_WAITING,
                            keys.waits,
                            row.getKey(),
                            "is an edge of a future that does not wait but is " + HolderChecks.state(record)))
                    .thenCompose(unused -> page.exists(keys.dependents.key(key.getUUID(1), key.getUUID(0))))
                    .thenAccept(there -> page.require(
                            there, keys.waits, row.getKey(), "is an edge that its upstream does not know"));
        }
    }

    /** From the future that is waited for. */
    record Dependents(FutureKeys keys) implements TableCheck {
        @Override
        public Table<?> table() {
            return keys.dependents;
        }

        @Override
        public CompletableFuture<Void> judge(CheckPage page, KeyValue row) {
            Tuple key = keys.dependents.elements(row.getKey());
            FutureId upstream = new FutureId(key.getUUID(0));
            CompletableFuture<Boolean> unsettled = page.exists(keys.unsettled.key(key.getUUID(0)))
                    .thenCombine(
                            page.exists(
                                    keys.unsettled.key(BlockIds.sentAs(upstream).value())),
                            Boolean::logicalOr);
            CompletableFuture<Boolean> otherEnd = page.exists(keys.waits.key(key.getUUID(1), key.getUUID(0)));
            return page.record(upstream)
                    .thenCombine(unsettled, (record, releasing) -> {
                        page.require(
                                record.isPresent()
                                        && (!Lifecycle.isDone(record.get().getState()) || releasing),
                                keys.dependents,
                                row.getKey(),
                                "waits for a future that is " + HolderChecks.state(record));
                        return releasing;
                    })
                    .thenCombine(otherEnd, (releasing, there) -> {
                        page.require(
                                there || releasing,
                                keys.dependents,
                                row.getKey(),
                                "is an edge that its downstream does not know");
                        return null;
                    });
        }
    }

    /** Whose dependents are still to be released. */
    record Unsettled(FutureKeys keys) implements TableCheck {
        @Override
        public Table<?> table() {
            return keys.unsettled;
        }

        @Override
        public CompletableFuture<Void> judge(CheckPage page, KeyValue row) {
            FutureId id = new FutureId(keys.unsettled.elements(row.getKey()).getUUID(0));
            return page.record(id)
                    .thenAccept(record -> page.require(
                            record.isPresent(), keys.unsettled, row.getKey(), "names a future that is not there"));
        }
    }
}
