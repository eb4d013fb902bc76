/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.check;

import com.apple.foundationdb.tuple.Tuple;
import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.lifecycle.Lifecycle;
import dev.ratchet.futures.model.BlockIds;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.protocol.futures.v1.State;
import java.util.concurrent.CompletableFuture;

/** The edges of stored joins: each has both ends, starts at somebody who waits, and leads to somebody not done. */
final class EdgeChecks {

    private EdgeChecks() {}

    /** A child names the future under which it is listed. */
    static TableCheck children(FutureKeys keys) {
        return TableCheck.of(keys.children, (page, row) -> {
            Tuple key = row.key();
            ByteString parent = Ids.bytes(new FutureId(key.getUUID(0)));
            return page.record(new FutureId(key.getUUID(1)))
                    .thenAccept(child -> row.require(
                            child.isPresent() && child.get().getParent().equals(parent),
                            "lists a child that does not know its parent"));
        });
    }

    /** From the future that waits. */
    static TableCheck waits(FutureKeys keys) {
        return TableCheck.of(keys.waits, (page, row) -> {
            Tuple key = row.key();
            FutureId downstream = new FutureId(key.getUUID(0));
            return page.record(downstream)
                    .thenAccept(record -> row.require(
                            record.isPresent() && record.get().getState() == State.STATE_WAITING,
                            "is an edge of a future that does not wait but is " + HolderChecks.state(record)))
                    .thenCompose(unused -> page.exists(keys.dependents.key(key.getUUID(1), key.getUUID(0))))
                    .thenAccept(there -> row.require(there, "is an edge that its upstream does not know"));
        });
    }

    /** From the future that is waited for. */
    static TableCheck dependents(FutureKeys keys) {
        return TableCheck.of(keys.dependents, (page, row) -> {
            Tuple key = row.key();
            FutureId upstream = new FutureId(key.getUUID(0));
            CompletableFuture<Boolean> unsettled = page.exists(keys.unsettled.key(key.getUUID(0)))
                    .thenCombine(
                            page.exists(
                                    keys.unsettled.key(BlockIds.sentAs(upstream).value())),
                            Boolean::logicalOr);
            CompletableFuture<Boolean> otherEnd = page.exists(keys.waits.key(key.getUUID(1), key.getUUID(0)));
            return page.record(upstream)
                    .thenCombine(unsettled, (record, releasing) -> {
                        row.require(
                                record.isPresent()
                                        && (!Lifecycle.isDone(record.get().getState()) || releasing),
                                "waits for a future that is " + HolderChecks.state(record));
                        return releasing;
                    })
                    .thenCombine(otherEnd, (releasing, there) -> {
                        row.require(there || releasing, "is an edge that its downstream does not know");
                        return null;
                    });
        });
    }

    /** Whose dependents are still to be released. */
    static TableCheck unsettled(FutureKeys keys) {
        return TableCheck.of(keys.unsettled, (page, row) -> {
            FutureId id = new FutureId(row.key().getUUID(0));
            return page.record(id)
                    .thenAccept(record -> row.require(record.isPresent(), "names a future that is not there"));
        });
    }
}
