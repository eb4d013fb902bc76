/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.record;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.async.AsyncUtil;
import com.apple.foundationdb.tuple.Tuple;
import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.environment.Environment;
import dev.ratchet.futures.lifecycle.Event;
import dev.ratchet.futures.lifecycle.Lifecycle;
import dev.ratchet.futures.model.BlockFutures;
import dev.ratchet.futures.model.BlockIds;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.model.SchedulingSpecs;
import dev.ratchet.protocol.futures.v1.Block;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.QueuePartition;
import dev.ratchet.protocol.futures.v1.Requirements;
import dev.ratchet.protocol.futures.v1.ResultRun;
import dev.ratchet.protocol.futures.v1.State;
import dev.ratchet.store.keyspace.Table;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One transaction's view of futures. Handlers load records, change them, and leave it to {@link #finish} to write
 * records, counters, queue entries and notifications; so that two changes of one future in one transaction never
 * overwrite each other.
 *
 * <p>Reads may be in flight together, and what follows each of them runs on whichever thread brings its answer. So two
 * threads may change futures at once, each of them others; what all futures of a transaction share is guarded by the
 * lock of this object. Whoever changes one future after several reads waits for all of them first.
 */
public final class FutureTransaction {

    private static final int QUEUE_ENTRY_BYTES = Ids.BYTES + Long.BYTES;

    /** Numbers that a versionstamp has for what one transaction appends. */
    private static final int ORDERS_MAX = 65_536;

    private final Transaction transaction;
    private final FutureKeys keys;
    private final Environment environment;
    private final int shards;
    private final long retentionMillis;
    private final String host;
    private final Predicate<String> passedOver;
    private final Map<FutureId, CompletableFuture<Optional<LoadedFuture>>> loads = new LinkedHashMap<>();
    private final Map<FutureId, CompletableFuture<List<ByteString>>> arguments = new HashMap<>();
    private final Map<FutureId, List<ResultRun>> blockResults = new HashMap<>();
    private final Map<Tuple, Long> counts = new TreeMap<>();
    private final Set<String> forgottenJobs = new TreeSet<>();
    private final Set<String> seatsToWake = new TreeSet<>();
    private final List<LoadedFuture> delivered = new ArrayList<>();
    private final Map<ByteString, Long> functionUses = new LinkedHashMap<>();
    private final IndexWriter indexes;
    private final NameCounts names;
    private final Map<String, Integer> queued = new TreeMap<>();
    private int appended;
    private long earliestDueMillis = Long.MAX_VALUE;
    private volatile boolean hostIsWoken;
    private volatile boolean leavesDependents;

    /**
     * @param retentionMillis of futures whose submitters say nothing
     * @param host seat of the worker that runs it; empty if none does, or nobody would tell it
     * @param passedOver seats that take nothing, as far as is known: what may run elsewhere is not left to them
     */
    FutureTransaction(
            Transaction transaction,
            FutureKeys keys,
            Environment environment,
            int shards,
            long retentionMillis,
            String host,
            Predicate<String> passedOver) {
        this.passedOver = passedOver;
        this.retentionMillis = retentionMillis;
        this.host = host;
        this.transaction = transaction;
        this.keys = keys;
        this.environment = environment;
        this.shards = shards;
        this.indexes = new IndexWriter(transaction, keys);
        this.names = new NameCounts(transaction, keys);
    }

    public Transaction transaction() {
        return transaction;
    }

    public FutureKeys keys() {
        return keys;
    }

    /** How long a future is kept after its end at least. */
    public long retentionMillis(LoadedFuture future) {
        return future.record().getSchedulingSpec().hasRetentionMillis()
                ? future.record().getSchedulingSpec().getRetentionMillis()
                : retentionMillis;
    }

    /** How many futures this transaction has put into the queue so far, by requirement class. */
    public Map<String, Integer> queued() {
        return queued;
    }

    /** The future if it is known; from the second time on, the same object with its changes. */
    public CompletableFuture<Optional<LoadedFuture>> load(FutureId id) {
        synchronized (loads) {
            CompletableFuture<Optional<LoadedFuture>> known = loads.get(id);
            if (known == null) {
                known = read(id);
                loads.put(id, known);
            }
            return known;
        }
    }

    /** Those of the futures that are known, in the order asked for. */
    public CompletableFuture<List<LoadedFuture>> loadAll(Collection<FutureId> ids) {
        List<CompletableFuture<Optional<LoadedFuture>>> all =
                ids.stream().map(this::load).toList();
        return AsyncUtil.whenAll(all)
                .thenApply(unused ->
                        all.stream().flatMap(one -> one.join().stream()).toList());
    }

    /**
     * Takes it that nobody has recorded the future yet, nor one that shares its id as a block and its futures do,
     * without a look; conflicts with whoever does.
     */
    public void assumeUnknown(FutureId id) {
        FutureId sent = BlockIds.sentAs(id);
        List<FutureId> unknown = sent.equals(id) ? List.of(id) : List.of(id, sent);
        unknown.forEach(one -> transaction.addReadConflictKey(keys.records.key(one.value())));
        if (BlockIds.isBlock(id)) {
            Range within = BlockRanges.range(keys.records, id);
            transaction.addReadConflictRange(within.begin, within.end);
        }
        synchronized (loads) {
            unknown.forEach(one -> loads.put(one, CompletableFuture.completedFuture(Optional.empty())));
        }
    }

    /** A future that {@link #load} has found unknown. */
    public LoadedFuture create(FutureId id, FutureRecord.Builder record) {
        LoadedFuture future = new LoadedFuture(id, record.setState(State.STATE_UNSPECIFIED));
        synchronized (loads) {
            loads.put(id, CompletableFuture.completedFuture(Optional.of(future)));
        }
        return future;
    }

    /**
     * Puts a future where it waits to be started: until its time has come, for its seat, or for any worker at the end
     * of a random shard of its partition. Earlier entries of it become void.
     *
     * @param event what makes it ready
     */
    public synchronized void ready(LoadedFuture future, Event event) {
        FutureRecord.Builder record = future.change();
        long ticket = record.getTicket() + 1;
        record.setTicket(ticket);
        byte[] entry = new byte[QUEUE_ENTRY_BYTES];
        Ids.write(future.id(), entry, 0);
        ByteBuffer.wrap(entry, Ids.BYTES, Long.BYTES).putLong(ticket);
        long due = record.getNotBeforeWallMillis();
        if (event == Event.DUE) {
            record.clearNotBeforeWallMillis();
        } else if (due > environment.wallClockMillis()) {
            future.apply(event, State.STATE_DELAYED);
            keys.timers.set(transaction, entry, due, future.id().value());
            earliestDueMillis = Math.min(earliestDueMillis, due);
            return;
        }
        QueuePartition partition = record.getPartition();
        String seat = record.getAssignedSeat();
        if (!seat.isEmpty() && !SchedulingSpecs.isBound(record) && passedOver.test(seat)) {
            seat = "";
            record.clearAssignedSeat();
        }
        if (seat.isEmpty()) {
            future.apply(event, State.STATE_QUEUED);
            int shard = environment.random().nextInt(shards);
            Tuple before =
                    Tuple.from(partition.getRequirementClass(), partition.getBand(), partition.getTenant(), shard);
            append(keys.queue, before, future.id(), entry);
            define(
                    partition.getRequirementClass(),
                    partition.getBand(),
                    SchedulingSpecs.amounts(SchedulingSpecs.requirements(record)));
            queued.merge(partition.getRequirementClass(), 1, Integer::sum);
        } else {
            future.apply(event, State.STATE_ASSIGNED);
            append(keys.assignments, Tuple.from(seat, partition.getBand()), future.id(), entry);
            wakeForWork(seat);
        }
    }

    /** Says what a class requires, and that it waits: where nothing is queued of it, that may have been forgotten. */
    public void define(String requirementClass, long band, Requirements amounts) {
        if (!requirementClass.equals(SchedulingSpecs.DEFAULT_CLASS)) {
            keys.requirements.set(transaction, amounts, requirementClass);
            keys.waitingClasses.setRow(transaction, keys.waitingClass(band, requirementClass, amounts), amounts);
        }
    }

    /**
     * The stamp and the number order the entries of a partition; the future tells those apart that have both in common,
     * because a transaction may be looked at several times.
     */
    private void append(Table<byte[]> table, Tuple before, FutureId id, byte[] entry) {
        table.append(transaction, before, appended++ % ORDERS_MAX, Tuple.from(id.value()), entry);
    }

    /**
     * Removes an entry of the queue, of the assignments of a seat or of the timers: whoever has found it acts on it.
     */
    public void dequeue(byte[] entry) {
        for (Table<byte[]> table : List.of(keys.queue, keys.assignments, keys.timers)) {
            if (table.subspace().contains(entry)) {
                table.clearRow(transaction, entry);
            }
        }
    }

    /**
     * Removes an entry of an index that was found there, and whose future the caller takes out of it: also one without
     * such a future, so that whoever goes through an index comes to its end.
     */
    public void drop(FutureIndex index, KeyValue entry) {
        index.table(keys).clearRow(transaction, entry.getKey());
    }

    /** Notes that some have more dependents than one transaction releases. */
    public void leaveDependents() {
        leavesDependents = true;
    }

    boolean leavesDependents() {
        return leavesDependents;
    }

    /** When the first of the futures that this transaction has delayed is due; Long.MAX_VALUE if there is none. */
    long earliestDueMillis() {
        return earliestDueMillis;
    }

    /** What happens to futures when this transaction commits. */
    List<LoadedFuture.Step> steps() {
        synchronized (loads) {
            return loads.values().stream()
                    .flatMap(load -> load.getNow(Optional.empty()).stream())
                    .flatMap(future -> future.steps().stream())
                    .toList();
        }
    }

    /** Counts something about a job; {@code which} is a seat, the number of a state, or empty. */
    public synchronized void count(String job, String what, Object which, long delta) {
        counts.merge(Tuple.from(job, what, which), delta, Long::sum);
    }

    /** Has a function looked at later, because perhaps no future names it. */
    public void mayBeUnused(ByteString function) {
        UnusedNotes.write(transaction, keys, UnusedNotes.FUNCTION, function.toByteArray());
    }

    /** Forgets all counters of a job that has no future any more. */
    public synchronized void forgetCounters(String job) {
        forgottenJobs.add(job);
    }

    /** Tells the worker on {@code seat} that there is work for it: by the key that it watches, or after the commit. */
    public void wakeForWork(String seat) {
        if (isHost(seat)) {
            hostIsWoken = true;
        } else {
            wake(seat);
        }
    }

    /** Whether the worker on {@code seat} runs this transaction. */
    public boolean isHost(String seat) {
        return seat.equals(host);
    }

    /** Whether there is work for the worker that runs this transaction once it is committed. */
    boolean hostIsWoken() {
        return hostIsWoken;
    }

    /** Raises the key that the worker on {@code seat} watches. */
    private synchronized void wake(String seat) {
        seatsToWake.add(seat);
    }

    /** Puts a future into the mailbox of a seat, and wakes it. */
    public void mail(String seat, FutureId id) {
        keys.mailbox.set(transaction, FutureKeys.PRESENT, seat, id.value());
        wake(seat);
    }

    /** Tells everybody who waits that the future is done: other seats by mail, the own one by {@link #delivered()}. */
    public synchronized void deliver(LoadedFuture future, String ownSeat) {
        for (String seat : future.record().getWaitersList()) {
            if (!seat.equals(ownSeat)) {
                mail(seat, future.id());
            }
        }
        future.change().clearWaiters();
        delivered(future);
    }

    /** Has those who wait here told of a future that is done once this transaction is committed. */
    public synchronized void delivered(LoadedFuture future) {
        delivered.add(future);
    }

    /** Those that are done: to be told to local waiters. */
    public List<LoadedFuture> delivered() {
        return delivered;
    }

    /** Notes the results that this transaction gives to a block. */
    public synchronized void realized(LoadedFuture block, List<ResultRun> results) {
        blockResults.put(block.id(), results);
    }

    /** Results of the blocks that this transaction makes REALIZED. */
    public Map<FutureId, List<ResultRun>> blockResults() {
        return blockResults;
    }

    /** Writes everything that was changed. The transaction is complete afterwards, but for its commit. */
    public synchronized void finish() {
        writeAll();
        counts.keySet().removeIf(key -> forgottenJobs.contains(key.getString(0)));
        forgottenJobs.forEach(job -> keys.counts.clearAll(transaction, job));
        counts.values().removeIf(delta -> delta == 0);
        counts.forEach((key, delta) ->
                keys.counts.add(transaction, delta, key.getItems().toArray()));
        indexes.finish();
        names.finish();
        functionUses.forEach((function, delta) -> FunctionUses.add(transaction, keys, function, delta));
        seatsToWake.forEach(seat -> keys.wake(transaction, seat));
    }

    private CompletableFuture<Optional<LoadedFuture>> read(FutureId id) {
        return transaction.get(keys.records.key(id.value())).thenCompose(value -> {
            @Nullable FutureRecord record = keys.records.decodeOrNull(value);
            if (record == null && BlockIds.isInBlock(id)) {
                return inBlock(id);
            }
            return CompletableFuture.completedFuture(
                    record == null ? Optional.empty() : Optional.of(new LoadedFuture(id, record)));
        });
    }

    private CompletableFuture<Optional<LoadedFuture>> inBlock(FutureId id) {
        int number = BlockIds.number(id);
        return load(BlockIds.blockOf(id)).thenCompose(found -> {
            if (found.isEmpty() || !BlockFutures.contains(found.get().record(), number)) {
                return CompletableFuture.completedFuture(Optional.empty());
            }
            LoadedFuture block = found.get();
            BlockContent content = new BlockContent(keys, block.id());
            return (block.state() == State.STATE_REALIZED
                            ? content.result(transaction.snapshot(), number)
                            : arguments(block).thenApply(all -> Optional.of(BlockContent.argument(all, number))))
                    .thenApply(different -> Optional.of(LoadedFuture.in(
                            block, number, BlockFutures.view(block.record().build(), different))));
        });
    }

    /** The arguments of the futures of a block that is not done. */
    public CompletableFuture<List<ByteString>> arguments(LoadedFuture block) {
        synchronized (arguments) {
            CompletableFuture<List<ByteString>> known = arguments.get(block.id());
            if (known == null) {
                known = new BlockContent(keys, block.id()).arguments(transaction.snapshot());
                arguments.put(block.id(), known);
            }
            return known;
        }
    }

    /**
     * One of the futures that are in a block that is not done, to have it leave.
     *
     * @param argument its own
     */
    public synchronized LoadedFuture take(LoadedFuture block, int number, ByteString argument) {
        LoadedFuture future =
                LoadedFuture.in(block, number, BlockFutures.view(block.record().build(), Optional.of(argument)));
        leave(block, number, false);
        synchronized (loads) {
            loads.put(future.id(), CompletableFuture.completedFuture(Optional.of(future)));
        }
        return future;
    }

    /** All futures that are in a block that is not done, to have them leave. */
    public CompletableFuture<List<LoadedFuture>> takeAll(LoadedFuture block) {
        return arguments(block).thenApply(all -> Arrays.stream(BlockFutures.numbers(block.record()))
                .mapToObj(number -> take(block, number, BlockContent.argument(all, number)))
                .toList());
    }

    /**
     * Removes a future, or all that are in a block. The last one that has left a block takes that along: futures of one
     * block are removed by one thread.
     */
    public CompletableFuture<Void> remove(LoadedFuture future) {
        if (future.isBlock()) {
            int inside = future.futuresAfter();
            future.noteDeleted();
            Block.Builder change = future.change().getBlockBuilder();
            BlockFutures.leaveAll(change.setRemoved(change.getRemoved() + inside));
            return CompletableFuture.completedFuture(null);
        }
        future.remove();
        if (future.block().isPresent() || !BlockIds.isInBlock(future.id())) {
            return CompletableFuture.completedFuture(null);
        }
        return load(BlockIds.blockOf(future.id()))
                .thenAccept(block -> block.ifPresent(FutureTransaction::countRemoved));
    }

    private static void countRemoved(LoadedFuture block) {
        Block.Builder change = block.change().getBlockBuilder();
        change.setRemoved(change.getRemoved() + 1);
    }

    /**
     * Has a changed future leave its block. Where nothing else has happened to it, it waits or runs as it did: queued
     * by itself, for which nobody has to be woken as its block waits there, too; or under the claim of the block, which
     * whoever runs it records for both.
     */
    private void leave(LoadedFuture future, LoadedFuture block) {
        leave(block, BlockIds.number(future.id()), future.isRemoved());
        if (future.isRemoved() || !future.steps().isEmpty()) {
            return;
        }
        if (future.state() == State.STATE_QUEUED) {
            ready(future, Event.MOVE);
        }
    }

    private static void leave(LoadedFuture block, int number, boolean removed) {
        Block.Builder change = block.change().getBlockBuilder();
        BlockFutures.leave(change, number);
        change.setRemoved(change.getRemoved() + (removed ? 1 : 0));
    }

    /** A block that all futures have left has ended; its record stays until all of those are removed. */
    private void endIfEmpty(LoadedFuture block) {
        FutureRecord.Builder record = block.record();
        if (BlockFutures.count(record) > 0) {
            return;
        }
        if (!Lifecycle.isDone(block.state())) {
            block.apply(Event.CANCEL);
        }
        BlockContent content = new BlockContent(keys, block.id());
        content.clearArguments(transaction);
        content.clearResults(transaction);
        record.clearArgumentChunks()
                .clearArgumentBytes()
                .clearResult()
                .clearWaiters()
                .clearExpiresWallMillis()
                .clearParkedFor()
                .clearClients();
        if (record.getBlock().getRemoved() == record.getBlock().getFutures()) {
            block.remove();
        }
    }

    private void writeAll() {
        List<LoadedFuture> changed = new ArrayList<>();
        synchronized (loads) {
            loads.values().forEach(load -> load.getNow(Optional.empty())
                    .filter(LoadedFuture::isChanged)
                    .ifPresent(changed::add));
            for (LoadedFuture future : changed) {
                future.block().ifPresent(block -> leave(future, block));
            }
            changed.clear();
            loads.values().forEach(load -> load.getNow(Optional.empty())
                    .filter(LoadedFuture::isChanged)
                    .ifPresent(changed::add));
        }
        changed.stream().filter(LoadedFuture::isBlock).forEach(this::endIfEmpty);
        changed.forEach(this::write);
    }

    private void write(LoadedFuture future) {
        future.assertEpochs();
        FutureRecord record = future.record().build();
        State before = future.stateBefore();
        State after = future.stateAfter();
        if (future.isRemoved()) {
            keys.records.clear(transaction, future.id().value());
        } else {
            keys.records.set(transaction, record, future.id().value());
        }
        indexes.move(future.id(), future.stored(), future.isRemoved() ? Optional.empty() : Optional.of(record));
        names.count(future);
        long delta = (long) future.futuresAfter() - future.futuresBefore();
        if (before != after || delta != 0) {
            countState(record.getJob(), before, -future.futuresBefore());
            countState(record.getJob(), after, future.futuresAfter());
        }
        if (delta != 0) {
            count(record.getJob(), "tenant", SchedulingSpecs.tenant(record), delta);
            if (!record.getFunction().isEmpty()) {
                functionUses.merge(record.getFunction(), delta, Long::sum);
            }
        }
    }

    /** Counts users of a function that are no futures: it is kept as long as there are some. */
    public synchronized void countUses(ByteString function, long delta) {
        functionUses.merge(function, delta, Long::sum);
    }

    private void countState(String job, State state, long delta) {
        if (state != State.STATE_UNSPECIFIED) {
            count(job, "state", state.getNumber(), delta);
        }
    }
}
