/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.gateway;

import com.apple.foundationdb.KeySelector;
import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.async.AsyncUtil;
import com.apple.foundationdb.tuple.ByteArrayUtil;
import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.model.BlockFutures;
import dev.ratchet.futures.model.BlockIds;
import dev.ratchet.futures.model.SchedulingSpecs;
import dev.ratchet.futures.record.BlockContent;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.protocol.client.v1.FutureDescription;
import dev.ratchet.protocol.client.v1.ListReply;
import dev.ratchet.protocol.client.v1.ListRequest;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.State;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;

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

    /** Keys read at once where one may stand for a block, which has the futures of many and is as large. */
    private static final int KEYS_OF_BLOCKS = 8;

    private static final int MESSAGE_CHARS_MAX = 200;

    private final FutureStore store;

    Listing(FutureStore store) {
        this.store = store;
    }

    /**
     * Where a listing goes on: behind a key, at a version if the store still knows it. With a number: behind the future
     * of that number in the block that the key names.
     */
    private record Position(long version, int number, byte[] after) {

        static final Position START = new Position(0, 0, new byte[0]);

        private static final int HEAD_BYTES = Long.BYTES + Short.BYTES;

        static Position of(ByteString token) {
            if (token.isEmpty()) {
                return START;
            }
            if (token.size() <= HEAD_BYTES) {
                throw new IllegalArgumentException("This is not where a page of futures can begin. Start again.");
            }
            byte[] bytes = token.toByteArray();
            ByteBuffer head = ByteBuffer.wrap(bytes);
            return new Position(head.getLong(), head.getShort(), Arrays.copyOfRange(bytes, HEAD_BYTES, bytes.length));
        }

        /** Where in a range that begins with {@code first} it goes on. */
        KeySelector begin(byte[] first) {
            return ByteArrayUtil.compareUnsigned(first, after) > 0
                    ? KeySelector.firstGreaterOrEqual(first)
                    : number > 0 ? KeySelector.firstGreaterOrEqual(after) : KeySelector.firstGreaterThan(after);
        }

        ByteString token() {
            return ByteString.copyFrom(ByteBuffer.allocate(HEAD_BYTES + after.length)
                    .putLong(version)
                    .putShort((short) number)
                    .put(after)
                    .flip());
        }
    }

    /** A future that was looked at, and where; its number is 0 where the key is its own. */
    private record Row(byte[] key, int number, FutureId id, FutureRecord record) {

        Position position(long version) {
            return new Position(version, number, key);
        }
    }

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
                    Position next = new Position(look.version(), from.number(), from.after());
                    for (Row row : look.rows()) {
                        next = row.position(look.version());
                        if (matches(request, row.record())) {
                            reply.addFutures(brief(row));
                        }
                        if (reply.getFuturesCount() == limit) {
                            break;
                        }
                    }
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
                    .thenCompose(plan -> read(snapshot, plan, 0, from, looks, KEYS_OF_BLOCKS, new ArrayList<>()))
                    .thenApply(rows -> new Look(version, rows, rows.size() < looks)));
        });
    }

    /**
     * At least {@code looks} futures behind {@code from} in the parts from {@code at} on, if there are so many; reads
     * no more than {@code keys} at first.
     */
    private CompletableFuture<List<Row>> read(
            ReadTransaction transaction,
            ListingPlan plan,
            int at,
            Position from,
            int looks,
            int keys,
            List<Row> found) {
        if (at == plan.parts().size() || found.size() >= looks) {
            return CompletableFuture.completedFuture(found);
        }
        ListingPlan.Part part = plan.parts().get(at);
        if (ByteArrayUtil.compareUnsigned(part.range().end, from.after()) <= 0) {
            return read(transaction, plan, at + 1, from, looks, keys, found);
        }
        int limit = Math.min(keys, looks - found.size());
        return transaction
                .getRange(
                        from.begin(part.range().begin),
                        KeySelector.firstGreaterOrEqual(part.range().end),
                        limit,
                        false,
                        StreamingMode.WANT_ALL)
                .asList()
                .thenCompose(pairs -> {
                    List<KeyValue> some = upToBlock(part, pairs);
                    boolean hasBlock = !some.isEmpty() && BlockIds.isBlock(part.future(some.getLast()));
                    int more = hasBlock ? KEYS_OF_BLOCKS : looks;
                    return rows(transaction, part, some, from).thenCompose(rows -> {
                        found.addAll(rows);
                        return some.size() < limit && some.size() == pairs.size()
                                ? read(transaction, plan, at + 1, from, looks, more, found)
                                : read(
                                        transaction,
                                        plan,
                                        at,
                                        new Position(
                                                from.version(),
                                                0,
                                                some.getLast().getKey()),
                                        looks,
                                        more,
                                        found);
                    });
                });
    }

    /** Pairs up to the first block, which stands for many. */
    private static List<KeyValue> upToBlock(ListingPlan.Part part, List<KeyValue> pairs) {
        for (int i = 0; i < pairs.size(); i++) {
            if (BlockIds.isBlock(part.future(pairs.get(i)))) {
                return pairs.subList(0, i + 1);
            }
        }
        return pairs;
    }

    /** The records behind some keys; that of a future that is unknown is empty. */
    private CompletableFuture<List<Row>> rows(
            ReadTransaction transaction, ListingPlan.Part part, List<KeyValue> pairs, Position from) {
        FutureKeys keys = store.keys();
        List<CompletableFuture<List<Row>>> rows = new ArrayList<>();
        for (KeyValue pair : pairs) {
            FutureId id = part.future(pair);
            CompletableFuture<FutureRecord> read = part.table() == keys.records
                    ? CompletableFuture.completedFuture(keys.records.decode(pair.getValue()))
                    : keys.record(transaction, id).thenApply(found -> found.orElse(FutureRecord.getDefaultInstance()));
            int behind = Arrays.equals(pair.getKey(), from.after()) ? from.number() : 0;
            rows.add(read.thenCompose(record -> record.hasBlock()
                    ? inBlock(transaction, pair.getKey(), id, record, behind)
                    : CompletableFuture.completedFuture(List.of(new Row(pair.getKey(), 0, id, record)))));
        }
        return AsyncUtil.whenAll(rows)
                .thenApply(unused ->
                        rows.stream().flatMap(some -> some.join().stream()).toList());
    }

    /** The futures in a block that have a larger number. */
    private CompletableFuture<List<Row>> inBlock(
            ReadTransaction transaction, byte[] key, FutureId block, FutureRecord record, int behind) {
        return new BlockContent(store.keys(), block).results(transaction).thenApply(runs -> {
            IntFunction<ByteString> results = BlockContent.byNumber(runs);
            return Arrays.stream(BlockFutures.numbers(record))
                    .filter(number -> number > behind)
                    .mapToObj(number -> new Row(
                            key,
                            number,
                            BlockIds.future(block, number),
                            BlockFutures.view(record, Optional.of(results.apply(number)))
                                    .build()))
                    .toList();
        });
    }

    private static boolean matches(ListRequest request, FutureRecord record) {
        return record.getState() != State.STATE_UNSPECIFIED
                && (request.getStatesCount() == 0 || request.getStatesList().contains(record.getState()))
                && (request.getJob().isEmpty() || request.getJob().equals(record.getJob()))
                && (request.getName().isEmpty() || request.getName().equals(record.getName()))
                && (request.getSeat().isEmpty()
                        || request.getSeat().equals(record.getClaim().getSeat()))
                && (request.getTenant().isEmpty() || request.getTenant().equals(SchedulingSpecs.tenant(record)));
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
