/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.record;

import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.Transaction;
import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.model.BlockFutures;
import dev.ratchet.futures.model.BlockIds;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.model.SchedulingSpecs;
import dev.ratchet.protocol.futures.v1.ArtifactRecord;
import dev.ratchet.protocol.futures.v1.BlockResults;
import dev.ratchet.protocol.futures.v1.FunctionRecord;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.ItemDemand;
import dev.ratchet.protocol.futures.v1.Requirements;
import dev.ratchet.protocol.futures.v1.State;
import dev.ratchet.store.keyspace.Keyspace;
import dev.ratchet.store.keyspace.Table;
import dev.ratchet.store.keyspace.TableSet;
import dev.ratchet.store.keyspace.Values;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The tables of futures in one cluster, with the reads that need no more than a key. Truth is in {@code record};
 * {@code argument}, {@code upstreams}, {@code function} and {@code artifact} hold what is too large for it; everything
 * else is an index that is written in the same transaction as the record it follows from. Ids of futures are UUIDs,
 * digests 32 or 16 bytes. Immutable.
 */
public final class FutureKeys extends TableSet {

    /** The value of index keys. */
    public static final byte[] PRESENT = {};

    /** The index of retentions is spread over so many ranges, each in the order of time. */
    public static final int EXPIRY_SHARDS = 16;

    public final Table<FutureRecord> records = table("record", Values.message(FutureRecord.parser()), "future");

    /** Arguments too large for the record, in pieces; of a block all of them. */
    public final Table<byte[]> arguments = table("argument", Values.bytes(), "future", "piece");

    /** Results of the futures of blocks, in chunks by the number of their first future. */
    public final Table<BlockResults> results =
            table("result", Values.message(BlockResults.parser()), "block", "number");

    /** Ids of the upstreams in their order, 16 bytes each; kept as lineage. */
    public final Table<byte[]> upstreams = table("upstreams", Values.ids(), "future");

    /** An upstream that a WAITING future still waits for. */
    public final Table<byte[]> waits = table("wait", Values.bytes(), "future", "upstream");

    /** The same edges from the other end: whom to look at when a future is done. */
    public final Table<byte[]> dependents = table("dependent", Values.bytes(), "future", "downstream");

    /** A done future with more dependents than one transaction can release: the rest is still to be done. */
    public final Table<byte[]> unsettled = table("unsettled", Values.bytes(), "future");

    /**
     * 16 bytes of id and the ticket (64 bit, big-endian) under which the future may be claimed. Keys of former releases
     * end with the versionstamp; readers look at nothing behind it.
     */
    public final Table<byte[]> queue =
            table("queue", Values.ids(), "requirement class", "band", "tenant", "shard", "versionstamp", "future");

    /** As the queue, of futures that one seat alone may claim. */
    public final Table<byte[]> assignments =
            table("assignment", Values.ids(), "seat", "band", "versionstamp", "future");

    /** DELAYED futures by the wall clock at which they are due; the value is the ticket, as in a queue entry. */
    public final Table<byte[]> timers = table("timer", Values.ids(), "due millis", "future");

    /** What the ids of requirement classes mean. */
    public final Table<Requirements> requirements =
            table("requirements", Values.message(Requirements.parser()), "requirement class");

    /**
     * Requirement classes of which something is queued in a band, or was a while ago, by what they require; of custom
     * resources a hash, empty where there are none.
     */
    public final Table<Requirements> waitingClasses = table(
            "waiting-class",
            Values.message(Requirements.parser()),
            "band",
            "custom resources",
            "gpu millis",
            "cpu millis",
            "memory bytes",
            "requirement class");

    /**
     * Numbers that hold for the whole cluster: {@code shards}, over which queue keys are spread, and
     * {@code watchedMillis}, the time of those who collect.
     */
    public final Table<Long> settings = table("setting", Values.counter(), "name");

    /** What the code of futures keeps for itself, written with their results. */
    public final Table<byte[]> user = table("user", Values.bytes(), "tenant", "key");

    /**
     * States of actors, in pieces; the first begins with the id (16 bytes) and epoch (8) of the attempt that wrote it.
     */
    public final Table<byte[]> actorStates = table("actor-state", Values.bytes(), "actor", "piece");

    /**
     * What is too large for the record of a state, in pieces: under the actor and the attempt that has written them,
     * which is named by its call and the epoch and nonce of its claim.
     */
    public final Table<byte[]> actorPieces =
            table("actor-piece", Values.bytes(), "actor", "call", "epoch", "nonce", "piece");

    /** The calls of each actor behind which the next ones queue, latest last. */
    public final Table<byte[]> actorCalls = table("actor-call", Values.ids(), "actor");

    /** What generators have yielded: chunks of items, in pieces. */
    public final Table<byte[]> items = table("item", Values.bytes(), "future", "last item", "piece");

    /** How far items are read, and who waits for that. */
    public final Table<ItemDemand> itemDemands = table("item-demand", Values.message(ItemDemand.parser()), "future");

    /** Which futures the code of a future has submitted. */
    public final Table<byte[]> children = table("child", Values.bytes(), "future", "child");

    /** Who runs what: the claims of each incarnation. */
    public final Table<byte[]> claims = table("claim", Values.bytes(), "seat", "incarnation", "future");

    /** Who holds which results: the objects of each incarnation. */
    public final Table<byte[]> held = table("held", Values.bytes(), "seat", "incarnation", "future", "epoch");

    /** Which futures were computed from a future: while there is one, its record stays as their lineage. */
    public final Table<byte[]> uses = table("use", Values.bytes(), "future", "downstream");

    /** When the retention of a future that is done ends; the shard is 0 to 15. */
    public final Table<byte[]> expiries = table("expiry", Values.bytes(), "shard", "wall millis", "future");

    /** Copies of results that nobody needs: the incarnation that holds them is to delete the bytes. */
    public final Table<byte[]> garbage = table("garbage", Values.bytes(), "seat", "incarnation", "future", "epoch");

    /** Futures whose retention is over and which a client still holds: looked at again when its lease ends. */
    public final Table<byte[]> parked = table("parked", Values.bytes(), "client", "future");

    /** The id (16 bytes) of the future that a name is bound to. */
    public final Table<byte[]> bound = table("bound", Values.ids(), "tenant", "name");

    /** Seats that found nothing to do; the value is what they have free. */
    public final Table<Requirements> idle = table("idle", Values.message(Requirements.parser()), "seat", "incarnation");

    /** The one key that each worker watches: raised when there is something for it. */
    public final Table<Long> wake = table("wake", Values.counter(), "seat");

    /** Futures that a worker is to look at: done, and its clients wait for them; or cancelled, and it runs them. */
    public final Table<byte[]> mailbox = table("mailbox", Values.bytes(), "seat", "future");

    /**
     * Each future once, by what listings ask for. A phase is the number of a state; {@link FutureIndex#LISTED} tells
     * more.
     */
    public final Table<byte[]> listed = table("listed", Values.bytes(), "phase", "tenant", "job", "name", "future");

    /** Futures by the seat that ran them last. */
    public final Table<byte[]> ran = table("ran", Values.bytes(), "phase", "seat", "job", "future");

    /** How many futures have a name; absent where none has. */
    public final Table<Long> named = table("named", Values.counter(), "name", "tenant", "job");

    /**
     * Exact counters by job: {@code state} and its number, {@code tenant} and its name, {@code realized} and the seat,
     * {@code retried}, {@code recomputed}.
     */
    public final Table<Long> counts = table("count", Values.counter(), "job", "what", "which");

    public final Table<FunctionRecord> functions = table("function", Values.message(FunctionRecord.parser()), "digest");

    /** How many records name a function; absent where none does. */
    public final Table<Long> functionUses = table("function-use", Values.counter(), "digest");

    /**
     * What may have nobody any more, and when that was first seen, in milliseconds as of the setting
     * {@code watchedMillis}: of kind {@code function} and {@code artifact} by digest, {@code argument} by future.
     */
    public final Table<Long> unused = table("unused", Values.counter(), "kind", "owner");

    public final Table<byte[]> functionContent = table("function-content", Values.bytes(), "digest", "piece");

    public final Table<ArtifactRecord> artifacts = table("artifact", Values.message(ArtifactRecord.parser()), "digest");

    public final Table<byte[]> artifactContent = table("artifact-content", Values.bytes(), "digest", "piece");

    public FutureKeys(Keyspace keyspace) {
        super("futures", keyspace);
    }

    /** What is declared, in no cluster. */
    public FutureKeys() {
        this(NO_CLUSTER);
    }

    /** Where it is listed that something of a class waits in a band. */
    public byte[] waitingClass(long band, String requirementClass, Requirements amounts) {
        return waitingClasses.key(
                band,
                amounts.getCustomCount() == 0
                        ? ""
                        : SchedulingSpecs.requirementClass(Requirements.newBuilder()
                                .putAllCustom(amounts.getCustomMap())
                                .build()),
                amounts.getGpuMillis(),
                amounts.getCpuMillis(),
                amounts.getMemoryBytes(),
                requirementClass);
    }

    /** Raises the key that the worker on a seat watches. */
    public void wake(Transaction transaction, String seat) {
        wake.add(transaction, 1L, seat);
    }

    /** The record of a future, if it is known; of one in a block what its record would be, without its argument. */
    public CompletableFuture<Optional<FutureRecord>> record(ReadTransaction transaction, FutureId id) {
        return transaction.get(records.key(id.value())).thenCompose(value -> {
            Optional<FutureRecord> record = Optional.ofNullable(records.decodeOrNull(value));
            return record.isPresent() || !BlockIds.isInBlock(id)
                    ? CompletableFuture.completedFuture(record)
                    : inBlock(transaction, BlockIds.blockOf(id), BlockIds.number(id));
        });
    }

    private CompletableFuture<Optional<FutureRecord>> inBlock(ReadTransaction transaction, FutureId block, int number) {
        return record(transaction, block).thenCompose(found -> {
            if (found.isEmpty() || !BlockFutures.contains(found.get(), number)) {
                return CompletableFuture.completedFuture(Optional.empty());
            }
            return (found.get().getState() == State.STATE_REALIZED
                            ? new BlockContent(this, block).result(transaction, number)
                            : CompletableFuture.completedFuture(Optional.<ByteString>empty()))
                    .thenApply(result ->
                            Optional.of(BlockFutures.view(found.get(), result).build()));
        });
    }

    /** Where in the index of retentions a future or a block is. */
    public byte[] expiry(long wallMillis, FutureId id) {
        return expiries.key(expiryShard(id), wallMillis, id.value());
    }

    static int expiryShard(FutureId id) {
        return (int) (BlockIds.spread(id) & (EXPIRY_SHARDS - 1));
    }

    /** The upstreams of a future in their order; empty if it has none. */
    public CompletableFuture<List<FutureId>> upstreamsOf(ReadTransaction transaction, FutureId id) {
        return transaction.get(upstreams.key(id.value())).thenApply(value -> {
            List<FutureId> ids = new ArrayList<>();
            for (int at = 0; value != null && at < value.length; at += Ids.BYTES) {
                ids.add(Ids.read(value, at));
            }
            return ids;
        });
    }

    /** What {@link #upstreamsOf} reads. */
    public static byte[] encodeUpstreams(Collection<FutureId> ids) {
        byte[] value = new byte[ids.size() * Ids.BYTES];
        int at = 0;
        for (FutureId id : ids) {
            Ids.write(id, value, at);
            at += Ids.BYTES;
        }
        return value;
    }
}
