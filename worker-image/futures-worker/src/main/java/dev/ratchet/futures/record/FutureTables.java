/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.record;

import dev.ratchet.protocol.futures.v1.ArtifactRecord;
import dev.ratchet.protocol.futures.v1.BlockResults;
import dev.ratchet.protocol.futures.v1.FunctionRecord;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.ItemDemand;
import dev.ratchet.protocol.futures.v1.Requirements;
import dev.ratchet.store.keyspace.KeyTree;
import dev.ratchet.store.keyspace.TableSchema;
import dev.ratchet.store.keyspace.Values;
import java.util.List;

/**
 * The tables of the futures module. Truth is in {@code record}; {@code argument}, {@code upstreams}, {@code function}
 * and {@code artifact} hold what is too large for it; everything else is an index that is written in the same
 * transaction as the record it follows from. Ids of futures are UUIDs, digests 32 or 16 bytes.
 */
public final class FutureTables implements KeyTree {

    public static final TableSchema<FutureRecord> RECORD =
            TableSchema.of("futures", "record", Values.message(FutureRecord.parser()), "future");

    /** Arguments too large for the record, in pieces; of a block all of them. */
    public static final TableSchema<byte[]> ARGUMENT =
            TableSchema.of("futures", "argument", Values.bytes(), "future", "piece");

    /** Results of the futures of blocks, in chunks by the number of their first future. */
    public static final TableSchema<BlockResults> RESULT =
            TableSchema.of("futures", "result", Values.message(BlockResults.parser()), "block", "number");

    /** Ids of the upstreams in their order, 16 bytes each; kept as lineage. */
    public static final TableSchema<byte[]> UPSTREAMS = TableSchema.of("futures", "upstreams", Values.ids(), "future");

    /** An upstream that a WAITING future still waits for. */
    public static final TableSchema<byte[]> WAIT =
            TableSchema.of("futures", "wait", Values.bytes(), "future", "upstream");

    /** The same edges from the other end: whom to look at when a future is done. */
    public static final TableSchema<byte[]> DEPENDENT =
            TableSchema.of("futures", "dependent", Values.bytes(), "future", "downstream");

    /** A done future with more dependents than one transaction can release: the rest is still to be done. */
    public static final TableSchema<byte[]> UNSETTLED =
            TableSchema.of("futures", "unsettled", Values.bytes(), "future");

    /**
     * 16 bytes of id and the ticket (64 bit, big-endian) under which the future may be claimed. Keys of former releases
     * end with the versionstamp; readers look at nothing behind it.
     */
    public static final TableSchema<byte[]> QUEUE = TableSchema.of(
            "futures", "queue", Values.ids(), "requirement class", "band", "tenant", "shard", "versionstamp", "future");

    /** As the queue, of futures that one seat alone may claim. */
    public static final TableSchema<byte[]> ASSIGNMENT =
            TableSchema.of("futures", "assignment", Values.ids(), "seat", "band", "versionstamp", "future");

    /** DELAYED futures by the wall clock at which they are due; the value is the ticket, as in a queue entry. */
    public static final TableSchema<byte[]> TIMER =
            TableSchema.of("futures", "timer", Values.ids(), "due millis", "future");

    /** What the ids of requirement classes mean. */
    public static final TableSchema<Requirements> REQUIREMENTS =
            TableSchema.of("futures", "requirements", Values.message(Requirements.parser()), "requirement class");

    /**
     * Requirement classes of which something is queued in a band, or was a while ago, by what they require; of custom
     * resources a hash, empty where there are none.
     */
    public static final TableSchema<Requirements> WAITING_CLASS = TableSchema.of(
            "futures",
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
    public static final TableSchema<Long> SETTING = TableSchema.of("futures", "setting", Values.counter(), "name");

    /** What the code of futures keeps for itself, written with their results. */
    public static final TableSchema<byte[]> USER = TableSchema.of("futures", "user", Values.bytes(), "tenant", "key");
    /**
     * States of actors, in pieces; the first begins with the id (16 bytes) and epoch (8) of the attempt that wrote it.
     */
    public static final TableSchema<byte[]> ACTOR_STATE =
            TableSchema.of("futures", "actor-state", Values.bytes(), "actor", "piece");

    /** The calls of each actor behind which the next ones queue, latest last. */
    public static final TableSchema<byte[]> ACTOR_CALL = TableSchema.of("futures", "actor-call", Values.ids(), "actor");

    /** What generators have yielded: chunks of items, in pieces. */
    public static final TableSchema<byte[]> ITEM =
            TableSchema.of("futures", "item", Values.bytes(), "future", "last item", "piece");

    /** How far items are read, and who waits for that. */
    public static final TableSchema<ItemDemand> ITEM_DEMAND =
            TableSchema.of("futures", "item-demand", Values.message(ItemDemand.parser()), "future");

    /** Which futures the code of a future has submitted. */
    public static final TableSchema<byte[]> CHILD =
            TableSchema.of("futures", "child", Values.bytes(), "future", "child");

    /** Who runs what: the claims of each incarnation. */
    public static final TableSchema<byte[]> CLAIM =
            TableSchema.of("futures", "claim", Values.bytes(), "seat", "incarnation", "future");

    /** Who holds which results: the objects of each incarnation. */
    public static final TableSchema<byte[]> HELD =
            TableSchema.of("futures", "held", Values.bytes(), "seat", "incarnation", "future", "epoch");

    /** Which futures were computed from a future: while there is one, its record stays as their lineage. */
    public static final TableSchema<byte[]> USE =
            TableSchema.of("futures", "use", Values.bytes(), "future", "downstream");

    /** When the retention of a future that is done ends; the shard is 0 to 15. */
    public static final TableSchema<byte[]> EXPIRY =
            TableSchema.of("futures", "expiry", Values.bytes(), "shard", "wall millis", "future");

    /** Copies of results that nobody needs: the incarnation that holds them is to delete the bytes. */
    public static final TableSchema<byte[]> GARBAGE =
            TableSchema.of("futures", "garbage", Values.bytes(), "seat", "incarnation", "future", "epoch");

    /** Futures whose retention is over and which a client still holds: looked at again when its lease ends. */
    public static final TableSchema<byte[]> PARKED =
            TableSchema.of("futures", "parked", Values.bytes(), "client", "future");

    /** The id (16 bytes) of the future that a name is bound to. */
    public static final TableSchema<byte[]> BOUND = TableSchema.of("futures", "bound", Values.ids(), "tenant", "name");

    /** Seats that found nothing to do; the value is what they have free. */
    public static final TableSchema<Requirements> IDLE =
            TableSchema.of("futures", "idle", Values.message(Requirements.parser()), "seat", "incarnation");

    /** The one key that each worker watches: raised when there is something for it. */
    public static final TableSchema<Long> WAKE = TableSchema.of("futures", "wake", Values.counter(), "seat");

    /** Futures that a worker is to look at: done, and its clients wait for them; or cancelled, and it runs them. */
    public static final TableSchema<byte[]> MAILBOX =
            TableSchema.of("futures", "mailbox", Values.bytes(), "seat", "future");

    /**
     * Each future once, by what listings ask for. A phase is the number of a state; {@link FutureIndex#LISTED} tells
     * more.
     */
    public static final TableSchema<byte[]> LISTED =
            TableSchema.of("futures", "listed", Values.bytes(), "phase", "tenant", "job", "name", "future");

    /** Futures by the seat that ran them last. */
    public static final TableSchema<byte[]> RAN =
            TableSchema.of("futures", "ran", Values.bytes(), "phase", "seat", "job", "future");

    /** How many futures have a name; absent where none has. */
    public static final TableSchema<Long> NAMED =
            TableSchema.of("futures", "named", Values.counter(), "name", "tenant", "job");

    /**
     * Exact counters by job: {@code state} and its number, {@code tenant} and its name, {@code realized} and the seat,
     * {@code retried}, {@code recomputed}.
     */
    public static final TableSchema<Long> COUNT =
            TableSchema.of("futures", "count", Values.counter(), "job", "what", "which");

    public static final TableSchema<FunctionRecord> FUNCTION =
            TableSchema.of("futures", "function", Values.message(FunctionRecord.parser()), "digest");

    /** How many records name a function; absent where none does. */
    public static final TableSchema<Long> FUNCTION_USE =
            TableSchema.of("futures", "function-use", Values.counter(), "digest");

    /**
     * What may have nobody any more, and when that was first seen, in milliseconds as of the setting
     * {@code watchedMillis}: of kind {@code function} and {@code artifact} by digest, {@code argument} by future.
     */
    public static final TableSchema<Long> UNUSED =
            TableSchema.of("futures", "unused", Values.counter(), "kind", "owner");

    public static final TableSchema<byte[]> FUNCTION_CONTENT =
            TableSchema.of("futures", "function-content", Values.bytes(), "digest", "piece");

    public static final TableSchema<ArtifactRecord> ARTIFACT =
            TableSchema.of("futures", "artifact", Values.message(ArtifactRecord.parser()), "digest");

    public static final TableSchema<byte[]> ARTIFACT_CONTENT =
            TableSchema.of("futures", "artifact-content", Values.bytes(), "digest", "piece");

    @Override
    public List<TableSchema<?>> tables() {
        return List.of(
                RECORD,
                ARGUMENT,
                RESULT,
                UPSTREAMS,
                WAIT,
                DEPENDENT,
                UNSETTLED,
                QUEUE,
                ASSIGNMENT,
                TIMER,
                REQUIREMENTS,
                WAITING_CLASS,
                SETTING,
                CHILD,
                USER,
                ACTOR_STATE,
                ACTOR_CALL,
                ITEM,
                ITEM_DEMAND,
                CLAIM,
                HELD,
                USE,
                EXPIRY,
                GARBAGE,
                PARKED,
                BOUND,
                IDLE,
                WAKE,
                MAILBOX,
                LISTED,
                RAN,
                NAMED,
                COUNT,
                FUNCTION,
                FUNCTION_CONTENT,
                FUNCTION_USE,
                UNUSED,
                ARTIFACT,
                ARTIFACT_CONTENT);
    }
}
