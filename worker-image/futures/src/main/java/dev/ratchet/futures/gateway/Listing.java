/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.gateway;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.tuple.ByteArrayUtil;
import com.apple.foundationdb.tuple.Tuple;
import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.record.Ids;
import dev.ratchet.protocol.client.v1.FutureDescription;
import dev.ratchet.protocol.client.v1.ListReply;
import dev.ratchet.protocol.client.v1.ListRequest;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.State;
import dev.ratchet.store.keyspace.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Lists futures from the narrowest index that covers the request: the children of one, the claims of a seat, the
 * futures of a job, or all records. What the index does not know is looked up in the records, so nothing is missed and
 * nothing is stale; how far one page looks is limited, not how far the listing goes.
 */
final class Listing {

    private static final int PAGE_MAX = 1_000;

    /** Futures looked at in one transaction, and transactions of one page. */
    private static final int LOOKS_MAX = 1_000;

    private static final int TRANSACTIONS_MAX = 10;
    private static final int MESSAGE_CHARS_MAX = 200;

    private final FutureStore store;

    Listing(FutureStore store) {
        this.store = store;
    }

    /** Where a listing reads: each key ends with the id of a future. */
    private record Index(Table<?> table, Range range) {}

    /** A future that was looked at, and where. */
    private record Row(byte[] key, FutureId id, FutureRecord record) {}

    /** One page. @throws IllegalArgumentException if the request is malformed */
    CompletableFuture<ListReply> page(ListRequest request) {
        Index index = index(request);
        byte[] from = index.range().begin;
        if (!request.getAfter().isEmpty()) {
            byte[] after = request.getAfter().toByteArray();
            if (ByteArrayUtil.compareUnsigned(after, index.range().begin) < 0
                    || ByteArrayUtil.compareUnsigned(after, index.range().end) >= 0) {
                throw new IllegalArgumentException("The page does not belong to this listing. Start it again.");
            }
            from = ByteArrayUtil.keyAfter(after);
        }
        int limit = request.getLimit() <= 0 ? PAGE_MAX : Math.min(PAGE_MAX, request.getLimit());
        return look(request, index, from, limit, TRANSACTIONS_MAX, ListReply.newBuilder());
    }

    private Index index(ListRequest request) {
        FutureKeys keys = store.keys();
        if (!request.getParent().isEmpty()) {
            return new Index(
                    keys.children,
                    keys.children.range(Ids.of(request.getParent()).value()));
        }
        if (!request.getSeat().isEmpty() && request.getStatesList().equals(List.of(State.STATE_CLAIMED))) {
            return new Index(keys.claims, keys.claims.range(request.getSeat()));
        }
        if (!request.getJob().isEmpty()) {
            return new Index(keys.jobs, keys.jobs.range(request.getJob()));
        }
        return new Index(keys.records, keys.records.range());
    }

    private CompletableFuture<ListReply> look(
            ListRequest request, Index index, byte[] from, int limit, int transactions, ListReply.Builder reply) {
        int looks = isNarrow(request) ? LOOKS_MAX : limit;
        return store.read(transaction -> read(transaction, index, from, looks)).thenCompose(rows -> {
            byte[] last = from;
            for (Row row : rows) {
                last = row.key();
                if (matches(request, row.record())) {
                    reply.addFutures(brief(row));
                    if (reply.getFuturesCount() == limit) {
                        return CompletableFuture.completedFuture(
                                reply.setNext(ByteString.copyFrom(last)).build());
                    }
                }
            }
            if (rows.size() < looks) {
                return CompletableFuture.completedFuture(reply.build());
            }
            return transactions == 1
                    ? CompletableFuture.completedFuture(
                            reply.setNext(ByteString.copyFrom(last)).build())
                    : look(request, index, ByteArrayUtil.keyAfter(last), limit, transactions - 1, reply);
        });
    }

    /** Whether the index holds futures that the request does not want. */
    private static boolean isNarrow(ListRequest request) {
        return request.getStatesCount() > 0
                || !request.getName().isEmpty()
                || !request.getSeat().isEmpty()
                || !request.getTenant().isEmpty();
    }

    /** The futures of the next keys of the index; the record of one whose key is just being removed is empty. */
    private CompletableFuture<List<Row>> read(ReadTransaction transaction, Index index, byte[] from, int looks) {
        FutureKeys keys = store.keys();
        return transaction
                .getRange(from, index.range().end, looks, false, StreamingMode.WANT_ALL)
                .asList()
                .thenCompose(pairs -> {
                    List<CompletableFuture<Row>> rows = new ArrayList<>();
                    for (KeyValue pair : pairs) {
                        Tuple elements = index.table().elements(pair.getKey());
                        FutureId id = new FutureId(elements.getUUID(elements.size() - 1));
                        rows.add(
                                index.table() == keys.records
                                        ? CompletableFuture.completedFuture(
                                                new Row(pair.getKey(), id, keys.records.decode(pair.getValue())))
                                        : keys.record(transaction, id)
                                                .thenApply(record -> new Row(
                                                        pair.getKey(),
                                                        id,
                                                        record.orElse(FutureRecord.getDefaultInstance()))));
                    }
                    return CompletableFuture.allOf(rows.toArray(CompletableFuture[]::new))
                            .thenApply(unused ->
                                    rows.stream().map(CompletableFuture::join).toList());
                });
    }

    private static boolean matches(ListRequest request, FutureRecord record) {
        return record.getState() != State.STATE_UNSPECIFIED
                && (request.getStatesCount() == 0 || request.getStatesList().contains(record.getState()))
                && (request.getJob().isEmpty() || request.getJob().equals(record.getJob()))
                && (request.getName().isEmpty() || request.getName().equals(record.getName()))
                && (request.getSeat().isEmpty()
                        || request.getSeat().equals(record.getClaim().getSeat()))
                && (request.getTenant().isEmpty()
                        || request.getTenant().equals(record.getLane().getTenant()));
    }

    private static FutureDescription brief(Row row) {
        FutureDescription.Builder description = Queries.describe(row.id(), row.record()).toBuilder();
        if (description.hasFailure()) {
            String message = description.getFailure().getMessage();
            description.setFailure(description.getFailure().toBuilder()
                    .clearStackTrace()
                    .clearTypes()
                    .setMessage(
                            message.length() <= MESSAGE_CHARS_MAX ? message : message.substring(0, MESSAGE_CHARS_MAX)));
        }
        return description.build();
    }
}
