/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.transaction;

import com.apple.foundationdb.KeySelector;
import com.apple.foundationdb.KeyValue;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A read of keys or rows through the writes of its own transaction. Walks over what is known, asks the database for
 * what is not, and goes on. The order of its checks decides which reads meet an unreadable key and what conflicts they
 * leave, and is FoundationDB's. Used once; works under the lock of its attempt, because what it learns is for all of
 * its reads.
 */
abstract class MergedRead {

    private static final int REQUEST_ROWS_MAX = 10_000;
    private static final long REQUEST_BYTES_MAX = 80_000;
    private static final int REQUESTS_MAX = 1_000_000;

    final Source source;
    final ReadBound begin;
    final ReadBound end;
    final ReadLimits limits;
    final MergedPosition at;
    final MergedPosition atOther;
    final ReadBound.Edges edges = new ReadBound.Edges();
    final List<KeyValue> rows = new ArrayList<>();
    int itemsPast;
    boolean more;
    private @Nullable MergedRows result;
    private int requests;

    /**
     * What a read reads from, and how far. What is learnt stays with the attempt.
     *
     * @param version asked for when the database is read first: own writes may tell everything
     */
    record Source(
            StoreConnection connection,
            Supplier<CompletableFuture<Long>> version,
            @Nullable WriteSegments writes,
            Attempt attempt,
            byte[] maxKey) {

        MergedPosition position() {
            return new MergedPosition(writes, attempt.known);
        }
    }

    MergedRead(Source source, ReadBound begin, ReadBound end, ReadLimits limits) {
        this.source = source;
        this.begin = begin;
        this.end = end;
        this.limits = limits;
        at = source.position();
        atOther = source.position();
    }

    /** Rows from {@code begin} to {@code end}, ascending or descending. */
    static CompletableFuture<MergedRows> rows(
            Source source, ReadBound begin, ReadBound end, ReadLimits limits, boolean reverse) {
        MergedRead read =
                reverse ? new BackwardRead(source, begin, end, limits) : new ForwardRead(source, begin, end, limits);
        return read.run();
    }

    /** The key that a bound stands for: the empty one off the start, the greatest readable off the end. */
    static CompletableFuture<byte[]> key(Source source, ReadBound bound) {
        byte[] maxKey = source.maxKey;
        ReadLimits one = new ReadLimits(1, ReadLimits.UNLIMITED);
        if (bound.offset() > 0) {
            return rows(source, bound.copy(), new ReadBound(maxKey, 1), one, false)
                    .thenApply(found -> {
                        if (found.readToBegin()) {
                            return Keys.FIRST;
                        }
                        return found.readThroughEnd() || found.rows().isEmpty()
                                ? maxKey
                                : found.rows().getFirst().getKey();
                    });
        }
        ReadBound next = new ReadBound(bound.key(), bound.offset() + 1);
        return rows(source, new ReadBound(Keys.FIRST, 1), next, one, true).thenApply(found -> {
            if (found.readThroughEnd()) {
                return maxKey;
            }
            return found.readToBegin() || found.rows().isEmpty()
                    ? Keys.FIRST
                    : found.rows().getFirst().getKey();
        });
    }

    private CompletableFuture<MergedRows> run() {
        try {
            while (true) {
                CompletableFuture<?> wait;
                MergedRows done;
                synchronized (source.attempt) {
                    wait = step();
                    done = result;
                }
                if (done != null) {
                    return CompletableFuture.completedFuture(done);
                }
                if (wait != null && !wait.isDone()) {
                    return wait.thenCompose(nothing -> run());
                }
                if (wait != null) {
                    wait.join();
                }
            }
        } catch (CompletionException e) {
            return CompletableFuture.failedFuture(e.getCause() == null ? e : e.getCause());
        } catch (EmbeddedFDBException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Goes on as far as it can; returns what it has to wait for, or null. */
    abstract @Nullable CompletableFuture<?> step();

    final @Nullable CompletableFuture<?> finish(MergedRows found) {
        result = found;
        return null;
    }

    final @Nullable CompletableFuture<?> finishEmpty() {
        return finish(MergedRows.none(edges.toBegin, edges.throughEnd));
    }

    /** Both bounds meet, or have passed one another by nothing that a row could change. */
    final boolean isInverted() {
        return begin.offsetSeen() >= end.offsetSeen() && Keys.compare(begin.key(), end.key()) >= 0;
    }

    /** Takes the row where it stands, as far as limits allow. */
    final void takeRow() {
        KeyValue row = at.row();
        if (row == null) {
            return;
        }
        if (limits.isReached()) {
            itemsPast++;
        } else {
            limits.take(row.getKey(), row.getValue());
            rows.add(row);
        }
    }

    /** How far one request reaches: over unknown parts and rows, until something it would read in vain. */
    final ReadReach reachForward() {
        return new ReadReach(at, atOther, requests, true);
    }

    /** As {@link #reachForward}, downwards. */
    final ReadReach reachBackward() {
        return new ReadReach(at, atOther, requests, false);
    }

    /** Learns rows from {@code from} up to {@code to}, or fewer; at least {@code minRows} if there are so many. */
    final CompletableFuture<?> learnForward(byte[] from, byte[] to, int extraRows, int minRows) {
        byte[] until = capped(from, to);
        return ask(from, until, extraRows, minRows, false).thenAccept(chunk -> {
            byte[] knownTo = chunk.more() ? Keys.after(chunk.rows().getLast().getKey()) : until;
            synchronized (source.attempt) {
                source.attempt.known.learn(from, knownTo, chunk.rows());
            }
        });
    }

    /** Learns rows from {@code to} down to {@code from}, or fewer; at least {@code minRows} if there are so many. */
    final CompletableFuture<?> learnBackward(byte[] from, byte[] to, int extraRows, int minRows) {
        byte[] until = capped(from, to);
        return ask(from, until, extraRows, minRows, true).thenAccept(chunk -> {
            byte[] knownFrom = chunk.more() ? chunk.rows().getLast().getKey() : from;
            synchronized (source.attempt) {
                source.attempt.known.learn(knownFrom, until, new ArrayList<>(chunk.rows()).reversed());
            }
        });
    }

    /** What a bound stands for in the database alone. */
    final CompletableFuture<byte[]> inDatabase(ReadBound bound) {
        KeySelector selector = new KeySelector(bound.key(), false, bound.offset());
        return TransactionReads.at(source.version.get(), version -> source.connection.resolve(version, selector));
    }

    /** Reads stop at the last key that may be read, unless a selector begins beyond it. */
    private byte[] capped(byte[] from, byte[] to) {
        byte[] last = later(source.maxKey, later(begin.key(), end.key()));
        return earlier(to, Keys.compare(from, last) < 0 ? last : Keys.SYSTEM_END);
    }

    private CompletableFuture<RangeChunk> ask(byte[] from, byte[] to, int extraRows, int minRows, boolean reverse) {
        long wanted = limits.rows() == ReadLimits.UNLIMITED
                ? REQUEST_ROWS_MAX
                : (long) Math.max(1, limits.rows()) + extraRows;
        long rowLimit = Math.max(minRows, Math.min(REQUEST_ROWS_MAX, wanted));
        long byteLimit = Integer.MAX_VALUE;
        if (minRows <= 1) {
            byteLimit = limits.hasBytes()
                    ? Math.min(Math.max(1, limits.bytes()) << Math.min(requests, 20), REQUEST_BYTES_MAX)
                    : REQUEST_BYTES_MAX;
        }
        requests++;
        if (requests > REQUESTS_MAX) {
            throw new IllegalStateException("a read asked %d times without an end; this is a bug".formatted(requests));
        }
        int rowsMax = (int) rowLimit;
        int bytesMax = (int) byteLimit;
        return TransactionReads.at(
                source.version.get(),
                version -> source.connection.range(RangeRead.ofKeys(version, from, to, rowsMax, bytesMax, reverse)));
    }

    static byte[] later(byte[] left, byte[] right) {
        return Keys.compare(left, right) >= 0 ? left : right;
    }

    static byte[] earlier(byte[] left, byte[] right) {
        return Keys.compare(left, right) <= 0 ? left : right;
    }
}
