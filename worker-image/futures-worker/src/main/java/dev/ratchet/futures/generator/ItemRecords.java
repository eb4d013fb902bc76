/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.generator;

import com.apple.foundationdb.KeySelector;
import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.StreamingMode;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.lifecycle.Lifecycle;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.model.ValueSizes;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.record.FutureTransaction;
import dev.ratchet.futures.record.LoadedFuture;
import dev.ratchet.protocol.client.v1.EmitReply;
import dev.ratchet.protocol.client.v1.EmitRequest;
import dev.ratchet.protocol.client.v1.ReadItemsReply;
import dev.ratchet.protocol.client.v1.ReadItemsRequest;
import dev.ratchet.protocol.futures.v1.ItemChunk;
import dev.ratchet.protocol.futures.v1.ItemDemand;
import dev.ratchet.protocol.futures.v1.State;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/**
 * Records the items of generators and reads them. An item is recorded once, by its number, in the name of a claim that
 * is in force; so of several attempts one after the other each goes on where the items end. Readers say how far they
 * are, which is what a generator waits for that is too far ahead. Repeating any of it changes nothing. Safe for use by
 * several threads.
 */
public final class ItemRecords {

    /** Items of one chunk, serialised. */
    public static final int CHUNK_BYTES_MAX = 1_000_000;

    /** Pieces of a chunk, and some more: one chunk at least is read whole. */
    public static final int ROWS_MAX = 30;

    private final FutureStore store;
    private final FutureKeys keys;
    private final String seat;
    private final Notices notices = new Notices();

    /** @param seat through whose gateway generators and readers come */
    public ItemRecords(FutureStore store, String seat) {
        this.store = store;
        this.keys = store.keys();
        this.seat = seat;
    }

    /** Says that somebody has recorded, read or ended something of this future. */
    public void noticed(FutureId id) {
        notices.tell(id);
    }

    /** Records items, and waits for readers if that is asked for. */
    public CompletableFuture<EmitReply> emit(EmitRequest request) {
        FutureId id = Ids.of(request.getId());
        return new LongPoll<>(
                        notices,
                        id,
                        () -> store.run(futures -> emit(futures, request)).thenApply(recorded -> {
                            if (request.getItemsCount() > 0) {
                                notices.tell(id);
                            }
                            return recorded;
                        }),
                        reply -> reply.getTaken() > request.getTakenBeyond())
                .start(store.environment());
    }

    /** Reads items, and waits for the next one where there is none. */
    public CompletableFuture<ReadItemsReply> read(ReadItemsRequest request) {
        FutureId id = Ids.of(request.getId());
        return new LongPoll<>(
                        notices,
                        id,
                        () -> store.run(futures -> read(futures, request)),
                        reply -> reply.getItemsCount() > 0 || reply.getEnd())
                .start(store.environment());
    }

    private CompletableFuture<EmitReply> emit(FutureTransaction futures, EmitRequest request) {
        FutureId id = Ids.of(request.getId());
        return futures.load(id).thenCompose(loaded -> {
            LoadedFuture future = loaded.filter(found -> found.state() == State.STATE_CLAIMED
                            && found.record().getClaim().equals(request.getClaim()))
                    .orElseThrow(() -> Status.FAILED_PRECONDITION
                            .withDescription("The attempt at " + id + " is not in force any more")
                            .asRuntimeException());
            return recorded(futures, id).thenCombine(demand(futures, id), (recorded, demand) -> {
                long now = append(futures, future, recorded, request);
                if (request.getTakenBeyond() >= demand.getTaken()
                        && !demand.getWaitingSeat().equals(seat)) {
                    ItemDemand waiting = demand.toBuilder().setWaitingSeat(seat).build();
                    keys.itemDemands.set(futures.transaction(), waiting, id.value());
                }
                return EmitReply.newBuilder()
                        .setRecorded(now)
                        .setTaken(demand.getTaken())
                        .build();
            });
        });
    }

    /** Records those of the items that are not; how many there are then. */
    private long append(FutureTransaction futures, LoadedFuture future, long recorded, EmitRequest request) {
        long end = request.getFirst() + request.getItemsCount();
        if (request.getItemsCount() == 0 || end <= recorded) {
            return recorded;
        }
        if (request.getFirst() > recorded) {
            throw new IllegalArgumentException("The items from " + recorded + " to " + (request.getFirst() - 1)
                    + " were not recorded: emit them first");
        }
        ByteString chunk = ItemChunk.newBuilder()
                .addAllItems(
                        request.getItemsList().subList((int) (recorded - request.getFirst()), request.getItemsCount()))
                .build()
                .toByteString();
        for (int piece = 0, at = 0; at < chunk.size(); piece++, at += ValueSizes.PIECE_BYTES) {
            ByteString part = chunk.substring(at, Math.min(chunk.size(), at + ValueSizes.PIECE_BYTES));
            keys.items.set(
                    futures.transaction(), part.toByteArray(), future.id().value(), end - 1, piece);
        }
        Set<String> others = new TreeSet<>(future.record().getWaitersList());
        others.remove(seat);
        others.forEach(reader -> futures.mail(reader, future.id()));
        return end;
    }

    private CompletableFuture<Long> recorded(FutureTransaction futures, FutureId id) {
        return futures.transaction()
                .getRange(keys.items.range(id.value()), 1, true)
                .asList()
                .thenApply(last -> last.isEmpty() ? 0L : number(last.get(0)) + 1);
    }

    private CompletableFuture<ItemDemand> demand(FutureTransaction futures, FutureId id) {
        return futures.transaction().get(keys.itemDemands.key(id.value())).thenApply(value -> {
            ItemDemand found = keys.itemDemands.decodeOrNull(value);
            return found == null ? ItemDemand.getDefaultInstance() : found;
        });
    }

    private CompletableFuture<ReadItemsReply> read(FutureTransaction futures, ReadItemsRequest request) {
        FutureId id = Ids.of(request.getId());
        return futures.load(id).thenCompose(loaded -> {
            LoadedFuture future = loaded.orElse(null);
            if (future == null || future.state() == State.STATE_DELETED) {
                return CompletableFuture.completedFuture(
                        ReadItemsReply.newBuilder().setEnd(true).build());
            }
            if (future.record().getSchedulingSpec().getItemsAhead() == 0) {
                throw new IllegalArgumentException(
                        "The future " + id + " is no generator: it has a value and no items. Get that.");
            }
            return rows(futures, id, request.getFrom()).thenCombine(demand(futures, id), (rows, demand) -> {
                take(futures, id, demand, request.getFrom());
                ReadItemsReply.Builder reply = ReadItemsReply.newBuilder();
                chunks(rows).forEach(chunk -> add(reply, chunk, request.getFrom()));
                boolean done = Lifecycle.isDone(future.state());
                if (reply.getItemsCount() == 0 && !done) {
                    listen(future);
                }
                return reply.setEnd(done && reply.getItemsCount() == 0).build();
            });
        });
    }

    /** Notes how far the items are read, and tells the generator if it waits for that. */
    private void take(FutureTransaction futures, FutureId id, ItemDemand demand, long taken) {
        if (taken > demand.getTaken()) {
            if (!demand.getWaitingSeat().isEmpty()) {
                futures.mail(demand.getWaitingSeat(), id);
            }
            ItemDemand now = ItemDemand.newBuilder().setTaken(taken).build();
            keys.itemDemands.set(futures.transaction(), now, id.value());
        }
    }

    private void listen(LoadedFuture future) {
        if (!future.record().getWaitersList().contains(seat)) {
            future.change().addWaiters(seat);
        }
    }

    private CompletableFuture<List<KeyValue>> rows(FutureTransaction futures, FutureId id, long from) {
        Range all = keys.items.range(id.value());
        return futures.transaction()
                .getRange(
                        KeySelector.firstGreaterOrEqual(keys.items.range(id.value(), from).begin),
                        KeySelector.firstGreaterOrEqual(all.end),
                        ROWS_MAX,
                        false,
                        StreamingMode.WANT_ALL)
                .asList();
    }

    /** A whole chunk. */
    private record Chunk(long last, ItemChunk content) {}

    /** The chunks whose pieces are all there: the last one may be cut off by the limit. */
    private List<Chunk> chunks(List<KeyValue> rows) {
        List<Chunk> chunks = new ArrayList<>();
        ByteString pieces = ByteString.EMPTY;
        for (int i = 0; i < rows.size(); i++) {
            pieces = pieces.concat(ByteString.copyFrom(rows.get(i).getValue()));
            long last = number(rows.get(i));
            Optional<Long> next = i + 1 < rows.size() ? Optional.of(number(rows.get(i + 1))) : Optional.empty();
            boolean complete = next.isPresent() ? next.get() != last : rows.size() < ROWS_MAX;
            if (complete) {
                chunks.add(new Chunk(last, decode(pieces)));
                pieces = ByteString.EMPTY;
            }
        }
        return chunks;
    }

    private static ItemChunk decode(ByteString chunk) {
        try {
            return ItemChunk.parseFrom(chunk);
        } catch (InvalidProtocolBufferException damaged) {
            throw new IllegalStateException("A chunk of items is damaged in the store", damaged);
        }
    }

    /** The items of a chunk from number {@code from} on, as far as the reply has room for them. */
    private static void add(ReadItemsReply.Builder reply, Chunk chunk, long from) {
        long first = chunk.last() - chunk.content().getItemsCount() + 1;
        int skipped = (int) Math.max(0, from - first);
        reply.addAllItems(
                chunk.content().getItemsList().subList(skipped, chunk.content().getItemsCount()));
    }

    private long number(KeyValue row) {
        return keys.items.elements(row.getKey()).getLong(1);
    }
}
