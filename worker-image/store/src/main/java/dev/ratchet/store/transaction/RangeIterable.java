/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.transaction;

import com.apple.foundationdb.KeySelector;
import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.MappedKeyValue;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.async.AsyncIterable;
import com.apple.foundationdb.async.AsyncIterator;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Rows in chunks whose size follows the streaming mode. The next chunk is asked for when the first row of the current
 * one is taken, as fdb-java does: its conflicts count although its rows may never be looked at.
 */
final class RangeIterable<R extends KeyValue> implements AsyncIterable<R> {

    private static final long[] ITERATOR_BYTES = {
        4096, 6144, 9216, 13_824, 20_736, 31_104, 46_656, 69_984, 80_000, 120_000
    };

    private final ReadView reads;
    private final byte @Nullable [] mapper;
    private final KeySelector begin;
    private final KeySelector end;
    private final int limit;
    private final boolean reverse;
    private final StreamingMode mode;

    private RangeIterable(
            ReadView reads,
            byte @Nullable [] mapper,
            KeySelector begin,
            KeySelector end,
            int limit,
            boolean reverse,
            StreamingMode mode) {
        this.reads = reads;
        this.mapper = mapper;
        this.begin = begin;
        this.end = end;
        this.limit = limit;
        this.reverse = reverse;
        this.mode = mode;
    }

    /** Rows as they are. */
    static RangeIterable<KeyValue> of(
            ReadView reads, KeySelector begin, KeySelector end, int limit, boolean reverse, StreamingMode mode) {
        return new RangeIterable<>(reads, null, begin, end, limit, reverse, mode);
    }

    /** Rows with what a mapper finds by each. */
    static RangeIterable<MappedKeyValue> mapped(
            ReadView reads,
            byte[] mapper,
            KeySelector begin,
            KeySelector end,
            int limit,
            boolean reverse,
            StreamingMode mode) {
        return new RangeIterable<>(reads, mapper, begin, end, limit, reverse, mode);
    }

    private CompletableFuture<MergedRows> fetch(
            KeySelector from, KeySelector to, int rows, StreamingMode fetchMode, int iteration) {
        if (fetchMode == StreamingMode.EXACT && rows <= 0 && rows != ReadLimits.UNLIMITED) {
            reads.check();
            if (rows == 0) {
                return CompletableFuture.failedFuture(new EmbeddedFDBException(ErrorCode.EXACT_MODE_WITHOUT_LIMITS));
            }
        }
        if (fetchMode == StreamingMode.EXACT && rows == ReadLimits.UNLIMITED) {
            reads.check();
            return CompletableFuture.failedFuture(new EmbeddedFDBException(ErrorCode.EXACT_MODE_WITHOUT_LIMITS));
        }
        long bytes =
                switch (fetchMode) {
                    case SMALL -> 256;
                    case MEDIUM -> 1000;
                    case LARGE -> 4096;
                    case SERIAL, WANT_ALL -> 80_000;
                    case EXACT -> ReadLimits.UNLIMITED;
                    case ITERATOR -> ITERATOR_BYTES[Math.min(iteration, ITERATOR_BYTES.length) - 1];
                };
        int rowLimit = rows == 0 ? ReadLimits.UNLIMITED : rows;
        return mapper == null
                ? reads.fetch(from, to, rowLimit, bytes, reverse)
                : reads.fetchMapped(from, to, mapper, rowLimit, bytes, reverse);
    }

    @Override
    public AsyncIterator<R> iterator() {
        return new Rows(mode);
    }

    @Override
    public CompletableFuture<List<R>> asList() {
        if (mode == StreamingMode.EXACT || (mode == StreamingMode.ITERATOR && limit != 0)) {
            return fetch(begin, end, limit, StreamingMode.EXACT, 1).thenApply(found -> typed(found.rows()));
        }
        Rows rows = new Rows(mode == StreamingMode.ITERATOR ? StreamingMode.WANT_ALL : mode);
        return collect(rows, new ArrayList<>());
    }

    private CompletableFuture<List<R>> collect(Rows rows, List<R> collected) {
        while (true) {
            CompletableFuture<Boolean> more = rows.onHasNext();
            if (!more.isDone() || more.isCompletedExceptionally()) {
                return more.thenCompose(found -> {
                    if (!found) {
                        return CompletableFuture.completedFuture(collected);
                    }
                    collected.add(rows.next());
                    return collect(rows, collected);
                });
            }
            if (!more.join()) {
                return CompletableFuture.completedFuture(collected);
            }
            collected.add(rows.next());
        }
    }

    @SuppressWarnings("unchecked") // R is MappedKeyValue exactly where there is a mapper, which makes such rows
    private List<R> typed(List<KeyValue> rows) {
        return (List<R>) rows;
    }

    /** One pass over the rows. */
    private final class Rows implements AsyncIterator<R> {
        private final StreamingMode fetchMode;
        private KeySelector from = begin;
        private KeySelector to = end;
        private int rowsLeft = limit;
        private int iteration;
        private List<R> chunk = List.of();
        private byte @Nullable [] lastKey;
        private int index;
        private boolean more = true;
        private boolean cancelled;
        private @Nullable CompletableFuture<Boolean> fetching;

        Rows(StreamingMode fetchMode) {
            this.fetchMode = fetchMode;
            startFetch();
        }

        private void startFetch() {
            iteration++;
            FetchEvents events = reads.core.events;
            long begunNanos = events == null ? 0 : events.now();
            CompletableFuture<MergedRows> fetched = fetch(from, to, rowsLeft, fetchMode, iteration);
            if (events != null) {
                events.fetch(fetched, begunNanos);
            }
            if (fetched.isDone() && !fetched.isCompletedExceptionally()) {
                fetching = CompletableFuture.completedFuture(true);
                pending = fetched.join();
                return;
            }
            CompletableFuture<Boolean> answer = new CompletableFuture<>();
            fetching = answer;
            fetched.whenComplete((rows, error) -> {
                if (error != null) {
                    answer.completeExceptionally(Attempt.cause(error));
                } else {
                    synchronized (this) {
                        pending = rows;
                    }
                    answer.complete(true);
                }
            });
        }

        private @Nullable MergedRows pending;

        @Override
        public synchronized CompletableFuture<Boolean> onHasNext() {
            if (cancelled) {
                throw new CancellationException();
            }
            if (index < chunk.size()) {
                return CompletableFuture.completedFuture(true);
            }
            CompletableFuture<Boolean> fetch = fetching;
            if (fetch == null) {
                return CompletableFuture.completedFuture(false);
            }
            if (!fetch.isDone() || fetch.isCompletedExceptionally()) {
                return fetch.thenCompose(done -> onHasNext());
            }
            takeChunk();
            return CompletableFuture.completedFuture(index < chunk.size());
        }

        private void takeChunk() {
            MergedRows rows = pending;
            if (rows == null) {
                return;
            }
            pending = null;
            fetching = null;
            chunk = typed(rows.rows());
            index = 0;
            more = rows.more() && !chunk.isEmpty();
            if (!chunk.isEmpty()) {
                byte[] last = chunk.getLast().getKey();
                if (reverse) {
                    to = KeySelector.firstGreaterOrEqual(last);
                } else {
                    from = KeySelector.firstGreaterThan(last);
                }
            }
            if (rowsLeft > 0) {
                rowsLeft -= chunk.size();
                more &= rowsLeft > 0;
            }
        }

        @Override
        public boolean hasNext() {
            return onHasNext().join();
        }

        @Override
        public R next() {
            try {
                if (!onHasNext().join()) {
                    throw new NoSuchElementException();
                }
            } catch (CompletionException e) {
                throw e.getCause() instanceof RuntimeException cause ? cause : e;
            }
            synchronized (this) {
                R row = chunk.get(index++);
                lastKey = row.getKey();
                if (reads.core.events != null) {
                    reads.core.events.row(row);
                }
                if (index == 1 && more) {
                    startFetch();
                }
                return row;
            }
        }

        /** Clears the row that was taken last, in the transaction. */
        @Override
        public synchronized void remove() {
            if (lastKey == null) {
                throw new IllegalStateException("No value has been fetched from database");
            }
            reads.remove(lastKey);
        }

        @Override
        public synchronized void cancel() {
            cancelled = true;
            CompletableFuture<Boolean> fetch = fetching;
            if (fetch != null) {
                fetch.cancel(true);
            }
        }
    }
}
