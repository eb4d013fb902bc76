/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.gateway;

import com.apple.foundationdb.KeySelector;
import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.tuple.ByteArrayUtil;
import com.apple.foundationdb.tuple.Tuple;
import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.record.Treatments;
import dev.ratchet.protocol.client.v1.FutureDescription;
import dev.ratchet.protocol.client.v1.ListReply;
import dev.ratchet.protocol.client.v1.ListRequest;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.State;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Lists futures from the indexes that cover the request best. Everything is looked up in the records, so nothing is
 * stale. All pages of one listing are read at one version as long as the store keeps it, so that nothing is missed or
 * told twice; a listing that takes longer goes on at a newer one. How far one page looks is limited, not how far the
 * listing goes.
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

    /** Where a listing goes on: behind a key, at a version if the store still knows it. */
    private record Position(long version, byte[] after) {

        static final Position START = new Position(0, new byte[0]);

        static Position of(ByteString token) {
            if (token.isEmpty()) {
                return START;
            }
            if (token.size() <= Long.BYTES) {
                throw new IllegalArgumentException("This is not where a page of futures can begin. Start again.");
            }
            byte[] bytes = token.toByteArray();
            return new Position(ByteBuffer.wrap(bytes).getLong(), Arrays.copyOfRange(bytes, Long.BYTES, bytes.length));
        }

        ByteString token() {
            return ByteString.copyFrom(ByteBuffer.allocate(Long.BYTES + after.length)
                    .putLong(version)
                    .put(after)
                    .flip());
        }
    }

    /** A future that was looked at, and where. */
    private record Row(byte[] key, FutureId id, FutureRecord record) {}

    /** What one transaction has looked at; {@code end}: there is nothing behind it. */
    private record Look(long version, List<Row> rows, boolean end) {}

    /** One page. @throws IllegalArgumentException if the request is malformed */
    CompletableFuture<ListReply> page(ListRequest request) {
        int limit = request.getLimit() <= 0 ? PAGE_MAX : Math.min(PAGE_MAX, request.getLimit());
        return page(request, Position.of(request.getAfter()), limit, TRANSACTIONS_MAX, ListReply.newBuilder());
    }

    private CompletableFuture<ListReply> page(
            ListRequest request, Position from, int limit, int transactions, ListReply.Builder reply) {
        return look(request, from, isExact(request) ? limit - reply.getFuturesCount() : LOOKS_MAX)
                .thenCompose(look -> {
                    byte[] last = from.after();
                    for (Row row : look.rows()) {
                        last = row.key();
                        if (matches(request, row.record())) {
                            reply.addFutures(brief(row));
                        }
                        if (reply.getFuturesCount() == limit) {
                            break;
                        }
                    }
                    Position next = new Position(look.version(), last);
                    if (reply.getFuturesCount() == limit || (transactions == 1 && !look.end())) {
                        return CompletableFuture.completedFuture(
                                reply.setNext(next.token()).build());
                    }
                    return look.end()
                            ? CompletableFuture.completedFuture(reply.build())
                            : page(request, next, limit, transactions - 1, reply);
                });
    }

    /** Whether what the plan reads is all wanted. */
    private static boolean isExact(ListRequest request) {
        return request.getParent().isEmpty()
                && request.getSeat().isEmpty()
                && !request.getStatesList().contains(State.STATE_QUEUED)
                && !request.getStatesList().contains(State.STATE_CLAIMED);
    }

    private CompletableFuture<Look> look(ListRequest request, Position from, int looks) {
        boolean[] again = {false};
        return store.runPlain((Transaction transaction) -> {
            if (from.version() > 0 && !again[0]) {
                transaction.setReadVersion(from.version());
            }
            again[0] = true;
            ReadTransaction snapshot = transaction.snapshot();
            return transaction.getReadVersion().thenCompose(version -> ListingPlan.of(request, store.keys(), snapshot)
                    .thenCompose(plan -> read(snapshot, plan, 0, from.after(), looks, new ArrayList<>()))
                    .thenApply(rows -> new Look(version, rows, rows.size() < looks)));
        });
    }

    /** The futures of the next {@code looks} keys behind {@code after} in the parts from {@code at} on. */
    private CompletableFuture<List<Row>> read(
            ReadTransaction transaction, ListingPlan plan, int at, byte[] after, int looks, List<Row> found) {
        if (at == plan.parts().size() || found.size() == looks) {
            return CompletableFuture.completedFuture(found);
        }
        ListingPlan.Part part = plan.parts().get(at);
        if (ByteArrayUtil.compareUnsigned(part.range().end, after) <= 0) {
            return read(transaction, plan, at + 1, after, looks, found);
        }
        KeySelector begin = ByteArrayUtil.compareUnsigned(part.range().begin, after) > 0
                ? KeySelector.firstGreaterOrEqual(part.range().begin)
                : KeySelector.firstGreaterThan(after);
        return transaction
                .getRange(
                        begin,
                        KeySelector.firstGreaterOrEqual(part.range().end),
                        looks - found.size(),
                        false,
                        StreamingMode.WANT_ALL)
                .asList()
                .thenCompose(pairs -> rows(transaction, part, pairs))
                .thenCompose(rows -> {
                    found.addAll(rows);
                    return read(transaction, plan, at + 1, after, looks, found);
                });
    }

    /** The records behind some keys; that of a future that is unknown is empty. */
    private CompletableFuture<List<Row>> rows(
            ReadTransaction transaction, ListingPlan.Part part, List<KeyValue> pairs) {
        FutureKeys keys = store.keys();
        List<CompletableFuture<Row>> rows = new ArrayList<>();
        for (KeyValue pair : pairs) {
            Tuple elements = part.table().elements(pair.getKey());
            if (part.table() == keys.records) {
                FutureId id = new FutureId(elements.getUUID(0));
                rows.add(CompletableFuture.completedFuture(
                        new Row(pair.getKey(), id, keys.records.decode(pair.getValue()))));
            } else {
                FutureId id = new FutureId(elements.getUUID(elements.size() - 1));
                rows.add(keys.record(transaction, id)
                        .thenApply(record ->
                                new Row(pair.getKey(), id, record.orElse(FutureRecord.getDefaultInstance()))));
            }
        }
        return CompletableFuture.allOf(rows.toArray(CompletableFuture[]::new))
                .thenApply(unused -> rows.stream().map(CompletableFuture::join).toList());
    }

    private static boolean matches(ListRequest request, FutureRecord record) {
        return record.getState() != State.STATE_UNSPECIFIED
                && (request.getStatesCount() == 0 || request.getStatesList().contains(record.getState()))
                && (request.getJob().isEmpty() || request.getJob().equals(record.getJob()))
                && (request.getName().isEmpty() || request.getName().equals(record.getName()))
                && (request.getSeat().isEmpty()
                        || request.getSeat().equals(record.getClaim().getSeat()))
                && (request.getTenant().isEmpty() || request.getTenant().equals(Treatments.tenant(record)));
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
