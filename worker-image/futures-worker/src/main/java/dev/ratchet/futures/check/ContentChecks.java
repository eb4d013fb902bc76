/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.check;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.tuple.Tuple;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.protocol.futures.v1.State;
import dev.ratchet.store.keyspace.Table;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/** What belongs to a record and is kept beside it has that record, and is complete. */
final class ContentChecks {

    private ContentChecks() {}

    /** The list of upstreams belongs to a future that has some. */
    record Upstreams(FutureKeys keys) implements TableCheck {
        @Override
        public Table<?> table() {
            return keys.upstreams;
        }

        @Override
        public CompletableFuture<Void> judge(CheckPage page, KeyValue row) {
            return page.record(
                            new FutureId(keys.upstreams.elements(row.getKey()).getUUID(0)))
                    .thenAccept(record ->
                            page.require(record.isPresent(), keys.upstreams, row.getKey(), "belongs to no future"));
        }
    }

    /** Pieces of an argument belong to a future with that many, or to one that is still to be submitted. */
    record Arguments(FutureKeys keys) implements TableCheck {
        @Override
        public Table<?> table() {
            return keys.arguments;
        }

        @Override
        public int pageRows() {
            return PAGE_PIECES;
        }

        @Override
        public CompletableFuture<Void> judge(CheckPage page, KeyValue row) {
            Tuple key = keys.arguments.elements(row.getKey());
            return page.record(new FutureId(key.getUUID(0)))
                    .thenAccept(record -> page.require(
                            record.isEmpty() || key.getLong(1) < record.get().getArgumentChunks(),
                            keys.arguments,
                            row.getKey(),
                            "is a piece more than its future has"));
        }
    }

    /** Who was computed from a future says so too. */
    record Uses(FutureKeys keys) implements TableCheck {
        @Override
        public Table<?> table() {
            return keys.uses;
        }

        @Override
        public CompletableFuture<Void> judge(CheckPage page, KeyValue row) {
            Tuple key = keys.uses.elements(row.getKey());
            return page.record(new FutureId(key.getUUID(0)))
                    .thenAccept(record -> page.require(
                            record.isPresent(), keys.uses, row.getKey(), "is lineage from a future that is missing"))
                    .thenCompose(unused -> page.upstreams(new FutureId(key.getUUID(1))))
                    .thenAccept(upstreams -> page.require(
                            upstreams.contains(new FutureId(key.getUUID(0))),
                            keys.uses,
                            row.getKey(),
                            "is no lineage that the downstream knows"));
        }
    }

    /** A timer that is in force is that of a DELAYED future which is due then. */
    record Timers(FutureKeys keys) implements TableCheck {
        @Override
        public Table<?> table() {
            return keys.timers;
        }

        @Override
        public CompletableFuture<Void> judge(CheckPage page, KeyValue row) {
            Tuple key = keys.timers.elements(row.getKey());
            if (row.getValue().length != Ids.BYTES + Long.BYTES) {
                page.violation(keys.timers, row.getKey(), "has " + row.getValue().length + " bytes");
                return CompletableFuture.completedFuture(null);
            }
            long ticket = ByteBuffer.wrap(row.getValue()).getLong(Ids.BYTES);
            return page.record(new FutureId(key.getUUID(1))).thenAccept(record -> record.filter(
                            future -> future.getState() == State.STATE_DELAYED && future.getTicket() == ticket)
                    .ifPresent(future -> page.require(
                            future.getNotBeforeWallMillis() == key.getLong(0),
                            keys.timers,
                            row.getKey(),
                            "is in force and not at the time that its future is due, which is "
                                    + future.getNotBeforeWallMillis())));
        }
    }
}
