/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.record;

import com.apple.foundationdb.ReadTransaction;
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
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** The futures tables of one cluster, with the reads that need no more than a key. Immutable. */
public final class FutureKeys {

    /** The value of index keys. */
    public static final byte[] PRESENT = {};

    /** The index of retentions is spread over so many ranges, each in the order of time. */
    public static final int EXPIRY_SHARDS = 16;

    public final Table<FutureRecord> records;
    public final Table<byte[]> arguments;
    public final Table<BlockResults> results;
    public final Table<byte[]> upstreams;
    public final Table<byte[]> waits;
    public final Table<byte[]> dependents;
    public final Table<byte[]> unsettled;
    public final Table<byte[]> queue;
    public final Table<byte[]> claims;
    public final Table<byte[]> held;
    public final Table<byte[]> assignments;
    public final Table<byte[]> timers;
    public final Table<Requirements> requirements;
    public final Table<Requirements> waitingClasses;
    public final Table<Long> settings;
    public final Table<byte[]> children;
    public final Table<byte[]> user;
    public final Table<byte[]> actorStates;
    public final Table<byte[]> actorCalls;
    public final Table<byte[]> items;
    public final Table<ItemDemand> itemDemands;
    public final Table<byte[]> uses;
    public final Table<byte[]> expiries;
    public final Table<byte[]> garbage;
    public final Table<byte[]> parked;
    public final Table<byte[]> bound;
    public final Table<Requirements> idle;
    public final Table<Long> wake;
    public final Table<byte[]> mailbox;
    public final Table<byte[]> listed;
    public final Table<byte[]> ran;
    public final Table<Long> named;
    public final Table<Long> counts;
    public final Table<FunctionRecord> functions;
    public final Table<byte[]> functionContent;
    public final Table<Long> functionUses;
    public final Table<Long> unused;
    public final Table<ArtifactRecord> artifacts;
    public final Table<byte[]> artifactContent;

    private final Keyspace keyspace;

    public FutureKeys(Keyspace keyspace) {
        this.keyspace = keyspace;
        records = FutureTables.RECORD.in(keyspace);
        arguments = FutureTables.ARGUMENT.in(keyspace);
        results = FutureTables.RESULT.in(keyspace);
        upstreams = FutureTables.UPSTREAMS.in(keyspace);
        waits = FutureTables.WAIT.in(keyspace);
        dependents = FutureTables.DEPENDENT.in(keyspace);
        unsettled = FutureTables.UNSETTLED.in(keyspace);
        queue = FutureTables.QUEUE.in(keyspace);
        assignments = FutureTables.ASSIGNMENT.in(keyspace);
        timers = FutureTables.TIMER.in(keyspace);
        requirements = FutureTables.REQUIREMENTS.in(keyspace);
        waitingClasses = FutureTables.WAITING_CLASS.in(keyspace);
        settings = FutureTables.SETTING.in(keyspace);
        children = FutureTables.CHILD.in(keyspace);
        user = FutureTables.USER.in(keyspace);
        actorStates = FutureTables.ACTOR_STATE.in(keyspace);
        actorCalls = FutureTables.ACTOR_CALL.in(keyspace);
        items = FutureTables.ITEM.in(keyspace);
        itemDemands = FutureTables.ITEM_DEMAND.in(keyspace);
        claims = FutureTables.CLAIM.in(keyspace);
        held = FutureTables.HELD.in(keyspace);
        uses = FutureTables.USE.in(keyspace);
        expiries = FutureTables.EXPIRY.in(keyspace);
        garbage = FutureTables.GARBAGE.in(keyspace);
        parked = FutureTables.PARKED.in(keyspace);
        bound = FutureTables.BOUND.in(keyspace);
        idle = FutureTables.IDLE.in(keyspace);
        wake = FutureTables.WAKE.in(keyspace);
        mailbox = FutureTables.MAILBOX.in(keyspace);
        listed = FutureTables.LISTED.in(keyspace);
        ran = FutureTables.RAN.in(keyspace);
        named = FutureTables.NAMED.in(keyspace);
        counts = FutureTables.COUNT.in(keyspace);
        functions = FutureTables.FUNCTION.in(keyspace);
        functionContent = FutureTables.FUNCTION_CONTENT.in(keyspace);
        functionUses = FutureTables.FUNCTION_USE.in(keyspace);
        unused = FutureTables.UNUSED.in(keyspace);
        artifacts = FutureTables.ARTIFACT.in(keyspace);
        artifactContent = FutureTables.ARTIFACT_CONTENT.in(keyspace);
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

    /** Where these tables are, with those of other modules. */
    public Keyspace keyspace() {
        return keyspace;
    }

    /** Whether a future, or a block, has a record of its own. */
    public CompletableFuture<Boolean> hasRecord(ReadTransaction transaction, UUID id) {
        return transaction.get(records.key(id)).thenApply(Objects::nonNull);
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
