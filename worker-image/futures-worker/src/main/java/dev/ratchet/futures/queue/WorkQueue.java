/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.queue;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.async.AsyncUtil;
import com.apple.foundationdb.tuple.ByteArrayUtil;
import com.apple.foundationdb.tuple.Tuple;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.model.SchedulingSpecs;
import dev.ratchet.futures.queue.Look.OtherParts;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.store.keyspace.Table;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;

/**
 * Reads the queue. Entries are ordered by class, band, tenant, then by a random shard, then by time. A reader serves
 * the lowest band first, within it the classes and the tenants in turn, and of a partition the shards that are its own;
 * where those are empty it takes a little of what others let lie. So readers seldom meet, and the cost of a look does
 * not depend on how much waits. Within a shard the order is first come, first served.
 */
public final class WorkQueue {

    /** Classes looked at one after the other; where there are more, the list of waiting classes tells which fit. */
    private static final int WALKED_MAX = 16;

    /** Classes that there is room for and that are looked at together. */
    private static final int CLASSES_MAX = 100;

    /** Reads of the list of waiting classes in one look. */
    private static final int LIST_READS_MAX = 32;

    /** Listed classes of which nothing waits in one look. */
    private static final int EMPTY_MAX = 1_000;

    /** Tenants served in one look at a band. */
    private static final int TENANTS_MAX = 8;

    /** Looks at a band in one look at the queue. */
    private static final int BANDS_MAX = 32;

    /** Of its room, what a reader takes at a time from the parts of others. */
    private static final int OF_OTHERS = 4;

    /** Entries that a reader remembers of the parts of others, at least. */
    private static final int SEEN_MIN = 16;

    /**
     * Which part of the shards a reader serves before others; none where it ends where it begins.
     *
     * @param first where it begins
     * @param end where the next one begins
     * @param of where the last one ends, at least 1
     */
    public record Slice(int first, int end, int of) {

        /** The first shard of so many. */
        int firstOf(int shards) {
            return (int) ((long) shards * first / of);
        }

        /** The shard behind the last one of so many. */
        int endOf(int shards) {
            return (int) ((long) shards * end / of);
        }

        /** Whether shards are so few that there is none for this part. */
        boolean isLostIn(int shards) {
            return first < end && firstOf(shards) == endOf(shards);
        }
    }

    /**
     * Where the entries of a class begin.
     *
     * @param place where the class is listed, if it was found there
     */
    private record Head(String requirementClass, long band, Optional<byte[]> place) {}

    private final FutureStore store;
    private final Table<byte[]> table;
    private final RequirementClasses classes;
    private final WaitingClasses waiting;
    private final Supplier<Slice> slice;
    private final Map<String, String> lastTenants = new ConcurrentHashMap<>();
    private final Overdue overdue = new Overdue();
    private volatile String lastClass = "";
    /** Where the class is listed that was served last of those that were found in the list. */
    private volatile Optional<byte[]> lastPlace = Optional.empty();
    /** How far the list was looked through in vain. */
    private volatile Optional<byte[]> resume = Optional.empty();

    private volatile boolean seenOthers;

    public WorkQueue(FutureStore store, RequirementClasses classes, Supplier<Slice> slice) {
        this.store = store;
        this.table = store.keys().queue;
        this.classes = classes;
        this.waiting = new WaitingClasses(store.keys());
        this.slice = slice;
    }

    /** Begins a look. Pass a snapshot: only what is taken must conflict. */
    public CompletableFuture<QueueReads> look(ReadTransaction transaction) {
        return QueueReads.fromBeginning(transaction, table.range());
    }

    /** Looks; what is found are entries for which there is room. */
    public CompletableFuture<List<QueueEntry>> peek(Look look) {
        seenOthers = false;
        return heads(look).thenCompose(heads -> serve(look, heads, BANDS_MAX)).thenApply(unused -> look.entries());
    }

    /**
     * Whether nothing waits for which there is room. Pass the transaction itself where the answer must hold until its
     * commit: what is added to a class that there is no room for seldom conflicts. False also where so much of the list
     * of waiting classes had to be looked at that the answer is not known.
     */
    public CompletableFuture<Boolean> isEmpty(ReadTransaction transaction, Room room) {
        Range all = table.range();
        Look look = new Look(new QueueReads(transaction), room, OtherParts.OVERDUE);
        return walk(look, all.begin, all.end, new ArrayList<>(), WALKED_MAX)
                .thenCompose(heads -> heads.isPresent()
                        ? CompletableFuture.completedFuture(heads.get().isEmpty())
                        : listedHeads(transaction, look, waiting.all().begin, LIST_READS_MAX)
                                .thenCombine(
                                        defaultHead(look),
                                        (listed, plain) -> listed.heads().isEmpty()
                                                && listed.next().isEmpty()
                                                && plain.isEmpty()));
    }

    /** Whether futures with requirements of their own were seen by the last look or since. */
    public boolean hasSeenOthers() {
        return seenOthers;
    }

    /** In how long to look again for what others let lie; not the same for all who have seen it. */
    public long patienceMillis() {
        return Overdue.PATIENCE_MILLIS + random(1, (int) Overdue.PATIENCE_MILLIS);
    }

    /** Gives those time again in whose parts something was seen: another one takes it. */
    public void leaveToOthers() {
        overdue.forget();
    }

    /** The entries of one seat's own queue, in their order. */
    public CompletableFuture<List<QueueEntry>> assigned(ReadTransaction transaction, String seat, int count) {
        Range range = store.keys().assignments.range(seat);
        return new QueueReads(transaction).read(range.begin, range.end, count).thenApply(WorkQueue::entries);
    }

    /** The classes that have entries, of those for which there is room. */
    private CompletableFuture<List<Head>> heads(Look look) {
        Range all = table.range();
        return walk(look, all.begin, all.end, new ArrayList<>(), WALKED_MAX)
                .thenCompose(
                        heads -> heads.isPresent() ? CompletableFuture.completedFuture(heads.get()) : ofMany(look));
    }

    /**
     * What was found in the list of waiting classes.
     *
     * @param next where to go on; none at its end
     */
    private record ListedHeads(List<Head> heads, Optional<byte[]> next) {}

    /**
     * Of more classes than can be looked at together those of the lowest band, and of these those behind the one that
     * was served last. A look that has found none, and was not at the end, goes on with the next one.
     */
    private CompletableFuture<List<Head>> ofMany(Look look) {
        ReadTransaction snapshot = look.reads().snapshot();
        byte[] begin = resume.orElse(waiting.all().begin);
        return listedHeads(snapshot, look, begin, LIST_READS_MAX)
                .thenCompose(first -> {
                    resume = first.heads().isEmpty() ? first.next() : Optional.empty();
                    return behindLast(snapshot, look, first.heads());
                })
                .thenCombine(defaultHead(look), (listed, plain) -> {
                    List<Head> heads = new ArrayList<>(plain);
                    heads.addAll(listed);
                    return heads;
                });
    }

    /** Of a band with more than are looked at together, those behind the one that was served last. */
    private CompletableFuture<List<Head>> behindLast(ReadTransaction snapshot, Look look, List<Head> heads) {
        if (heads.size() < CLASSES_MAX / 2 || lastPlace.isEmpty()) {
            return CompletableFuture.completedFuture(heads);
        }
        Range band = waiting.band(heads.getFirst().band());
        byte[] last = ByteArrayUtil.keyAfter(lastPlace.get());
        boolean isInBand = ByteArrayUtil.compareUnsigned(last, band.begin) > 0
                && ByteArrayUtil.compareUnsigned(last, band.end) < 0;
        return isInBand
                ? listedHeads(snapshot, look, last, band.end, LIST_READS_MAX)
                        .thenApply(behind -> behind.heads().isEmpty() ? heads : behind.heads())
                : CompletableFuture.completedFuture(heads);
    }

    /** Where futures of the default class begin, if there is room for them. */
    private CompletableFuture<List<Head>> defaultHead(Look look) {
        if (look.room().futures() == 0) {
            return CompletableFuture.completedFuture(List.of());
        }
        Range range = table.range(SchedulingSpecs.DEFAULT_CLASS);
        return look.reads().read(range.begin, range.end, 1).thenApply(found -> found.stream()
                .map(pair -> new Head(
                        SchedulingSpecs.DEFAULT_CLASS,
                        table.elements(pair.getKey()).getLong(1),
                        Optional.empty()))
                .toList());
    }

    private CompletableFuture<ListedHeads> listedHeads(ReadTransaction list, Look look, byte[] from, int reads) {
        return listedHeads(list, look, from, waiting.all().end, reads);
    }

    /** The first listed classes from here on that there is room for and that have entries. */
    private CompletableFuture<ListedHeads> listedHeads(
            ReadTransaction list, Look look, byte[] from, byte[] end, int reads) {
        return waiting.find(list, look.room(), from, end, CLASSES_MAX, reads).thenCompose(found -> {
            found.tooLarge().forEach(look::leaveOut);
            List<CompletableFuture<List<KeyValue>>> firsts = found.fitting().stream()
                    .map(listed -> table.range(listed.requirementClass(), listed.band()))
                    .map(range -> look.reads().read(range.begin, range.end, 1))
                    .toList();
            return AsyncUtil.whenAll(firsts).thenCompose(unused -> {
                List<Head> heads = new ArrayList<>();
                for (int i = 0; i < firsts.size(); i++) {
                    WaitingClasses.Listed listed = found.fitting().get(i);
                    if (firsts.get(i).join().isEmpty()) {
                        look.foundEmpty(listed.key());
                    } else {
                        heads.add(new Head(listed.requirementClass(), listed.band(), Optional.of(listed.key())));
                    }
                }
                int left = reads - found.reads();
                boolean mayGoOn = left > 0 && look.empty().size() < EMPTY_MAX;
                return heads.isEmpty() && found.next() != null && mayGoOn
                        ? listedHeads(list, look, found.next(), end, left)
                        : CompletableFuture.completedFuture(new ListedHeads(heads, Optional.ofNullable(found.next())));
            });
        });
    }

    /**
     * The classes that have entries in a range, of those for which there is room, one read for each class.
     *
     * @return nothing where there are more than {@code left}
     */
    private CompletableFuture<Optional<List<Head>>> walk(
            Look look, byte[] from, byte[] end, List<Head> heads, int left) {
        return look.reads().read(from, end, 1).thenCompose(first -> {
            if (first.isEmpty()) {
                return CompletableFuture.completedFuture(Optional.of(heads));
            }
            if (left == 0) {
                return CompletableFuture.completedFuture(Optional.empty());
            }
            Tuple key = table.elements(first.get(0).getKey());
            String id = key.getString(0);
            seenOthers |= !id.equals(SchedulingSpecs.DEFAULT_CLASS);
            return classes.requirements(look.reads().snapshot(), id).thenCompose(required -> {
                if (required.isPresent() && look.room().fits(id, required.get())) {
                    heads.add(new Head(id, key.getLong(1), Optional.empty()));
                } else if (required.isPresent()) {
                    look.leaveOut(id);
                }
                return walk(look, table.range(id).end, end, heads, left - 1);
            });
        });
    }

    private CompletableFuture<Void> serve(Look look, List<Head> heads, int bandsLeft) {
        if (heads.isEmpty() || bandsLeft == 0) {
            return CompletableFuture.completedFuture(null);
        }
        Head next = next(heads);
        heads.remove(next);
        lastClass = next.requirementClass();
        lastPlace = next.place().or(() -> lastPlace);
        return serveBand(look, next)
                .thenCompose(unused -> headAfter(look, next))
                .thenCompose(more -> {
                    heads.addAll(more);
                    return serve(look, heads, bandsLeft - 1);
                });
    }

    /** The lowest band; among equals the class after the one that was served last. */
    private Head next(List<Head> heads) {
        Head best = heads.get(0);
        for (Head head : heads) {
            boolean afterLast = head.requirementClass().compareTo(lastClass) > 0;
            boolean bestAfterLast = best.requirementClass().compareTo(lastClass) > 0;
            if (head.band() < best.band() || (head.band() == best.band() && afterLast && !bestAfterLast)) {
                best = head;
            }
        }
        return best;
    }

    private CompletableFuture<List<Head>> headAfter(Look look, Head served) {
        return classes.requirements(look.reads().snapshot(), served.requirementClass())
                .thenCompose(required -> {
                    if (required.isEmpty() || !look.room().fits(served.requirementClass(), required.get())) {
                        return CompletableFuture.completedFuture(List.of());
                    }
                    byte[] from = table.range(served.requirementClass(), served.band()).end;
                    byte[] end = table.range(served.requirementClass()).end;
                    return look.reads().read(from, end, 1).thenApply(found -> found.stream()
                            .map(pair -> new Head(
                                    served.requirementClass(),
                                    table.elements(pair.getKey()).getLong(1),
                                    Optional.empty()))
                            .toList());
                });
    }

    private CompletableFuture<Void> serveBand(Look look, Head head) {
        QueueReads reads = look.reads();
        Range band = table.range(head.requirementClass(), head.band());
        String last = lastTenants.get(head.requirementClass());
        byte[] start = last == null ? band.begin : table.range(head.requirementClass(), head.band(), last).end;
        return tenants(reads, start, band.end, new ArrayList<>())
                .thenCompose(later -> later.size() >= TENANTS_MAX || last == null
                        ? CompletableFuture.completedFuture(later)
                        : tenants(reads, band.begin, start, later))
                .thenCombine(
                        classes.requirements(reads.snapshot(), head.requirementClass()),
                        (tenants, required) -> share(look, head, tenants, counts -> required.map(
                                        some -> look.room().take(head.requirementClass(), some, counts))
                                .orElse(0)))
                .thenCompose(served -> served);
    }

    private CompletableFuture<Void> share(Look look, Head head, List<String> tenants, IntUnaryOperator taking) {
        if (tenants.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        int total = taking.applyAsInt(Integer.MAX_VALUE);
        int each = Math.ceilDiv(total, tenants.size());
        List<CompletableFuture<List<QueueEntry>>> partitions = new ArrayList<>();
        int left = total;
        for (String tenant : tenants) {
            int count = Math.min(each, left);
            left -= count;
            if (count > 0) {
                partitions.add(partition(look, Tuple.from(head.requirementClass(), head.band(), tenant), count));
                lastTenants.put(head.requirementClass(), tenant);
            }
        }
        return AsyncUtil.whenAll(partitions)
                .thenAccept(unused -> partitions.forEach(partition -> look.take(partition.join())));
    }

    private CompletableFuture<List<String>> tenants(QueueReads reads, byte[] from, byte[] end, List<String> tenants) {
        if (tenants.size() >= TENANTS_MAX) {
            return CompletableFuture.completedFuture(tenants);
        }
        return reads.read(from, end, 1).thenCompose(first -> {
            if (first.isEmpty()) {
                return CompletableFuture.completedFuture(tenants);
            }
            Tuple key = table.elements(first.get(0).getKey());
            tenants.add(key.getString(2));
            return tenants(reads, table.range(key.get(0), key.get(1), key.get(2)).end, end, tenants);
        });
    }

    private CompletableFuture<List<QueueEntry>> partition(Look look, Tuple partition, int count) {
        QueueReads reads = look.reads();
        Slice mine = slice.get();
        int shards = store.shards();
        int first = mine.firstOf(shards);
        int end = mine.endOf(shards);
        if (end - first == shards || mine.isLostIn(shards)) {
            return shards(reads, partition, 0, random(0, shards), shards, count);
        }
        int width = Math.max(1, end - first);
        return shards(reads, partition, first, random(first, first + width), end, count)
                .thenCompose(own -> {
                    if (!own.isEmpty()) {
                        return CompletableFuture.completedFuture(own);
                    }
                    int some = Math.ceilDiv(count, OF_OTHERS);
                    return (look.takesOtherPartsAtOnce()
                                    ? elsewhere(reads, partition, width, some)
                                    : overdue(reads, partition, width, Math.max(count, SEEN_MIN)))
                            .thenApply(found -> {
                                List<QueueEntry> taken = found;
                                if (found.size() > some) {
                                    int from = random(0, found.size() - some + 1);
                                    taken = found.subList(from, from + some);
                                }
                                overdue.taken(partition, taken);
                                look.tookElsewhere(taken.size(), some, count);
                                return taken;
                            });
                });
    }

    /** Entries in the parts of others that these have let lie there. Where there are none, remembers what is there. */
    private CompletableFuture<List<QueueEntry>> overdue(QueueReads reads, Tuple partition, int width, int count) {
        if (overdue.isTooEarly(partition, store.environment().nanoTime())) {
            return CompletableFuture.completedFuture(List.of());
        }
        return overdue.range(partition)
                .map(range -> reads.read(range.begin, range.end, overdue.size(partition))
                        .thenApply(there -> overdue.overdue(partition, entries(there))))
                .orElseGet(() -> CompletableFuture.completedFuture(List.of()))
                .thenCompose(left -> left.isEmpty()
                        ? elsewhere(reads, partition, width, count).thenApply(seen -> {
                            overdue.see(partition, seen, store.environment().nanoTime());
                            return List.of();
                        })
                        : CompletableFuture.completedFuture(left));
    }

    /**
     * Entries of any shard, from a random one on. All who begin where nothing waits would find the same entries behind
     * that: they begin again, at random behind those.
     *
     * @param width shards that one reader serves
     */
    private CompletableFuture<List<QueueEntry>> elsewhere(QueueReads reads, Tuple partition, int width, int count) {
        int shards = store.shards();
        int start = random(0, shards);
        return behind(reads, partition, start, count).thenCompose(found -> {
            if (found.isEmpty()) {
                return CompletableFuture.completedFuture(found);
            }
            int first = (int) table.elements(found.get(0).key()).getLong(3);
            return first == start
                    ? CompletableFuture.completedFuture(found)
                    : behind(reads, partition, random(first, first + width) % shards, count);
        });
    }

    /** Entries of any shard from this one on; where there are none, those before it. In their order. */
    private CompletableFuture<List<QueueEntry>> behind(QueueReads reads, Tuple partition, int shard, int count) {
        Range all = table.subspace().range(partition);
        byte[] begin = shard(partition, shard);
        return reads.read(begin, all.end, count)
                .thenCompose(later -> later.isEmpty()
                        ? reads.read(all.begin, begin, count)
                        : CompletableFuture.completedFuture(later))
                .thenApply(WorkQueue::entries);
    }

    private int random(int from, int end) {
        return store.environment().random().nextInt(from, end);
    }

    /** Entries of these shards from one of them on, round about; the last of all includes whatever is behind it. */
    private CompletableFuture<List<QueueEntry>> shards(
            QueueReads reads, Tuple partition, int first, int start, int end, int count) {
        byte[] from = shard(partition, first);
        byte[] begin = shard(partition, start);
        byte[] to = end == store.shards() ? table.subspace().range(partition).end : shard(partition, end);
        return reads.read(begin, to, count).thenCompose(later -> {
            if (later.size() >= count) {
                return CompletableFuture.completedFuture(entries(later));
            }
            return reads.read(from, begin, count - later.size()).thenApply(earlier -> {
                later.addAll(earlier);
                return entries(later);
            });
        });
    }

    private byte[] shard(Tuple partition, int shard) {
        return table.subspace().pack(partition.add(shard));
    }

    private static List<QueueEntry> entries(List<KeyValue> found) {
        List<QueueEntry> entries = new ArrayList<>(found.size());
        for (KeyValue pair : found) {
            byte[] value = pair.getValue();
            entries.add(new QueueEntry(
                    pair.getKey(), Ids.read(value, 0), ByteBuffer.wrap(value).getLong(Ids.BYTES)));
        }
        return entries;
    }
}
