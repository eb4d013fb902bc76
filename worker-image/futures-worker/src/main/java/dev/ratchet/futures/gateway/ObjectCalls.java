/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.gateway;

import com.apple.foundationdb.KeySelector;
import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.async.AsyncUtil;
import com.apple.foundationdb.tuple.ByteArrayUtil;
import com.apple.foundationdb.tuple.Tuple;
import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.recover.Placement;
import dev.ratchet.protocol.client.v1.ListObjectsReply;
import dev.ratchet.protocol.client.v1.ListObjectsRequest;
import dev.ratchet.protocol.client.v1.ObjectDescription;
import dev.ratchet.protocol.client.v1.ObjectHolder;
import dev.ratchet.protocol.client.v1.PlaceReply;
import dev.ratchet.protocol.client.v1.PlaceRequest;
import dev.ratchet.protocol.futures.v1.Copy;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.StoredObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** What clients ask about results and where they are. */
final class ObjectCalls {

    private static final int LIST_MAX = 1_000;

    private final FutureStore store;
    private final Placement placement;

    ObjectCalls(FutureStore store, Placement placement) {
        this.store = store;
        this.placement = placement;
    }

    /** Makes copies, or moves. */
    CompletableFuture<PlaceReply> place(PlaceRequest request) {
        FutureId id = Ids.of(request.getId());
        return (request.hasSeat()
                        ? placement.transfer(id, request.getSeat())
                        : placement.replicate(id, request.getCopies()))
                .thenApply(seats -> PlaceReply.newBuilder().addAllSeats(seats).build());
    }

    /** One page of results, each told where its first copy is listed, so that it comes once. */
    CompletableFuture<ListObjectsReply> list(ListObjectsRequest request) {
        int limit = request.getLimit() == 0 ? LIST_MAX : request.getLimit();
        if (limit < 1 || limit > LIST_MAX) {
            return CompletableFuture.failedFuture(
                    new IllegalArgumentException("A page has 1 to " + LIST_MAX + " results, not " + limit));
        }
        Range all = store.keys().held.range();
        byte[] from =
                request.getFrom().isEmpty() ? all.begin : request.getFrom().toByteArray();
        if (ByteArrayUtil.compareUnsigned(from, all.begin) < 0 || ByteArrayUtil.compareUnsigned(from, all.end) > 0) {
            return CompletableFuture.failedFuture(
                    new IllegalArgumentException("This is not where a page of results can begin"));
        }
        return store.read(transaction -> transaction
                .getRange(
                        KeySelector.firstGreaterOrEqual(from),
                        KeySelector.firstGreaterOrEqual(all.end),
                        limit,
                        false,
                        StreamingMode.WANT_ALL)
                .asList()
                .thenCompose(found -> describe(transaction, found, limit)));
    }

    private CompletableFuture<ListObjectsReply> describe(ReadTransaction transaction, List<KeyValue> found, int limit) {
        FutureKeys keys = store.keys();
        List<CompletableFuture<Optional<ObjectDescription>>> lines = new ArrayList<>();
        for (KeyValue pair : found) {
            Tuple key = keys.held.elements(pair.getKey());
            FutureId id = new FutureId(key.getUUID(2));
            lines.add(keys.record(transaction, id).thenApply(record -> record.filter(future -> isFirst(future, key))
                    .map(future -> describe(id, future))));
        }
        return AsyncUtil.whenAll(lines).thenApply(unused -> {
            ListObjectsReply.Builder reply = ListObjectsReply.newBuilder();
            lines.forEach(line -> line.join().ifPresent(reply::addObjects));
            if (found.size() == limit) {
                byte[] last = found.get(found.size() - 1).getKey();
                reply.setNext(ByteString.copyFrom(ByteArrayUtil.join(last, new byte[1])));
            }
            return reply.build();
        });
    }

    private static boolean isFirst(FutureRecord record, Tuple key) {
        StoredObject object = record.getResult().getObject();
        return object.getCopiesCount() > 0
                && object.getEpoch() == key.getLong(3)
                && object.getCopies(0).getSeat().equals(key.getString(0))
                && object.getCopies(0).getIncarnation() == key.getLong(1);
    }

    private static ObjectDescription describe(FutureId id, FutureRecord record) {
        ObjectDescription.Builder description = ObjectDescription.newBuilder()
                .setId(Ids.bytes(id))
                .setBytes(record.getResult().getObject().getBytes())
                .setState(record.getState())
                .setName(record.getName())
                .setJob(record.getJob());
        for (Copy copy : record.getResult().getObject().getCopiesList()) {
            description.addHolders(
                    ObjectHolder.newBuilder().setSeat(copy.getSeat()).setIncarnation(copy.getIncarnation()));
        }
        return description.build();
    }
}
