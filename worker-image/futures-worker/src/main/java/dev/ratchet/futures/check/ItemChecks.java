/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.check;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.tuple.Tuple;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.generator.ItemRecords;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.ItemChunk;
import dev.ratchet.protocol.futures.v1.ItemDemand;
import dev.ratchet.protocol.futures.v1.State;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** What generators have yielded is whole, numbered from 0 on without a gap, and goes with its generator. */
final class ItemChecks {

    private ItemChecks() {}

    /** A chunk has all its pieces, and begins where the one before ends. */
    static TableCheck items(FutureKeys keys) {
        return TableCheck.of(keys.items, (page, row) -> {
            Tuple key = row.key();
            UUID future = key.getUUID(0);
            long last = key.getLong(1);
            long piece = key.getLong(2);
            if (piece > 0) {
                return page.exists(keys.items.key(future, last, piece - 1))
                        .thenAccept(there -> row.require(there, "goes on after a piece that is missing"));
            }
            return page.record(new FutureId(future))
                    .thenAccept(record -> row.require(isGenerator(record), "was yielded by no generator"))
                    .thenCompose(unused -> page.first(keys.items.range(future, last), ItemRecords.ROWS_MAX))
                    .thenCompose(pieces -> follows(keys, page, row, future, last, pieces));
        });
    }

    private static CompletableFuture<Void> follows(
            FutureKeys keys, CheckPage page, CheckedRow row, UUID future, long last, List<KeyValue> pieces) {
        long first;
        try {
            first = last - items(pieces) + 1;
        } catch (InvalidProtocolBufferException damaged) {
            row.violation("can not be read: " + damaged.getMessage());
            return CompletableFuture.completedFuture(null);
        }
        row.require(first >= 0 && first <= last, "has items from " + first + " to " + last);
        return first <= 0
                ? CompletableFuture.completedFuture(null)
                : page.exists(keys.items.key(future, first - 1, 0))
                        .thenAccept(there -> row.require(there, "begins with " + first + ", and nothing before"));
    }

    private static int items(List<KeyValue> pieces) throws InvalidProtocolBufferException {
        ByteString chunk = ByteString.EMPTY;
        for (KeyValue piece : pieces) {
            chunk = chunk.concat(ByteString.copyFrom(piece.getValue()));
        }
        return ItemChunk.parseFrom(chunk).getItemsCount();
    }

    /** How far items are read is known of generators only, and who waits for it has a seat. */
    static TableCheck demands(FutureKeys keys) {
        return TableCheck.of(keys.itemDemands, (page, row) -> {
            ItemDemand demand = keys.itemDemands.decode(row.value());
            return page.record(new FutureId(row.key().getUUID(0)))
                    .thenAccept(record -> row.require(isGenerator(record), "is demand for no generator"))
                    .thenCompose(unused -> demand.getWaitingSeat().isEmpty()
                            ? CompletableFuture.completedFuture(true)
                            : page.member(demand.getWaitingSeat()).thenApply(Optional::isPresent))
                    .thenAccept(known ->
                            row.require(known, "makes " + demand.getWaitingSeat() + " wait, which is no seat"));
        });
    }

    private static boolean isGenerator(Optional<FutureRecord> record) {
        return record.isPresent()
                && record.get().getSchedulingSpec().getItemsAhead() > 0
                && record.get().getState() != State.STATE_DELETED;
    }
}
