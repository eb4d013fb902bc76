/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.check;

import com.apple.foundationdb.tuple.Tuple;
import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.protocol.futures.v1.State;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/** What belongs to a record and is kept beside it has that record, and is complete. */
final class ContentChecks {

    private ContentChecks() {}

    /** The list of upstreams belongs to a future that has some. */
    static TableCheck upstreams(FutureKeys keys) {
        return TableCheck.of(keys.upstreams, (page, row) -> {
            return page.record(new FutureId(row.key().getUUID(0)))
                    .thenAccept(record -> row.require(record.isPresent(), "belongs to no future"));
        });
    }

    /**
     * Pieces of an argument belong to a future with that many, or to one that is still to be submitted, or to an upload
     * that its future does not name: the sweep clears it.
     */
    static TableCheck arguments(FutureKeys keys) {
        return TableCheck.of(keys.arguments, (page, row) -> {
            Tuple key = row.key();
            ByteString upload = key.size() == 2 ? ByteString.EMPTY : ByteString.copyFrom(key.getBytes(1));
            return page.record(new FutureId(key.getUUID(0)))
                    .thenAccept(record -> row.require(
                            record.isEmpty()
                                    || !record.get().getArgumentUpload().equals(upload)
                                    || key.getLong(key.size() - 1)
                                            < record.get().getArgumentChunks(),
                            "is a piece more than its future has"));
        });
    }

    /** Who was computed from a future says so too. */
    static TableCheck uses(FutureKeys keys) {
        return TableCheck.of(keys.uses, (page, row) -> {
            Tuple key = row.key();
            return page.record(new FutureId(key.getUUID(0)))
                    .thenAccept(record -> row.require(record.isPresent(), "is lineage from a future that is missing"))
                    .thenCompose(unused -> page.upstreams(new FutureId(key.getUUID(1))))
                    .thenAccept(upstreams -> row.require(
                            upstreams.contains(new FutureId(key.getUUID(0))),
                            "is no lineage that the downstream knows"));
        });
    }

    /** A timer that is in force is that of a DELAYED future which is due then. */
    static TableCheck timers(FutureKeys keys) {
        return TableCheck.of(keys.timers, (page, row) -> {
            Tuple key = row.key();
            if (row.value().length != Ids.BYTES + Long.BYTES) {
                row.violation("has " + row.value().length + " bytes");
                return CompletableFuture.completedFuture(null);
            }
            long ticket = ByteBuffer.wrap(row.value()).getLong(Ids.BYTES);
            return page.record(new FutureId(key.getUUID(1))).thenAccept(record -> record.filter(
                            future -> future.getState() == State.STATE_DELAYED && future.getTicket() == ticket)
                    .ifPresent(future -> row.require(
                            future.getNotBeforeWallMillis() == key.getLong(0),
                            "is in force and not at the time that its future is due, which is "
                                    + future.getNotBeforeWallMillis())));
        });
    }
}
