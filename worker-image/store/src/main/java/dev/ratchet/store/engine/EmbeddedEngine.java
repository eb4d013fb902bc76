/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.engine;

import com.apple.foundationdb.KeySelector;
import dev.ratchet.environment.Environment;
import dev.ratchet.environment.GuardedCallbacks;
import dev.ratchet.store.ordered.OrderedTree;
import dev.ratchet.store.ordered.PageAbsentException;
import dev.ratchet.store.ordered.PageException;
import dev.ratchet.store.transaction.CommitOutcome;
import dev.ratchet.store.transaction.CommitRequest;
import dev.ratchet.store.transaction.EmbeddedFDBException;
import dev.ratchet.store.transaction.ErrorCode;
import dev.ratchet.store.transaction.Keys;
import dev.ratchet.store.transaction.Limits;
import dev.ratchet.store.transaction.Mutation;
import dev.ratchet.store.transaction.RangeChunk;
import dev.ratchet.store.transaction.RangeRead;
import dev.ratchet.store.transaction.ReadVersionRequest;
import dev.ratchet.store.transaction.RequestId;
import dev.ratchet.store.transaction.StoreConnection;
import dev.ratchet.store.transaction.WatchRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A transactional key-value store in this process that answers as FoundationDB does. Reads take the data of their
 * version from {@link History} without a lock and answer in the calling thread what is in memory; commits go through
 * {@link CommitPipeline}. It starts no thread and no timer of its own accord: with a simulated environment and log, two
 * runs of one seed are equal.
 */
public final class EmbeddedEngine implements StoreConnection {

    /** How old the newest version may get before a read version makes a newer one: a tenth of a second. */
    private static final long STALE_VERSIONS = 100_000;

    private static final int FUTURE_VERSION_CHECKS = 10;
    /** However small the parts are that are asked for, there are no more of them. */
    private static final int SPLIT_POINTS_MAX = 100_000;

    private final Environment environment;
    private final History history;
    private final Watches watches;
    private final CommitPipeline pipeline;
    private final Executor coldReads;
    private volatile boolean closed;

    /** An engine that goes on from {@code start} and hands what it commits to {@code durability}. */
    public EmbeddedEngine(
            Environment environment, EngineSettings settings, Durability durability, StartingPoint start) {
        this.environment = environment;
        coldReads = durability.reads();
        history = new History(
                new History.Published(start.version(), start.data(), isLocked(start.data()), 0),
                settings.windowVersions(),
                settings.windowBytesMax());
        watches = new Watches(environment.executor());
        pipeline = new CommitPipeline(environment, settings, durability, start, history, watches);
    }

    @Override
    public CompletableFuture<Long> readVersion(ReadVersionRequest request) {
        if (closed) {
            return failed(ErrorCode.TRANSACTION_CANCELLED);
        }
        History.Published newest = history.newest();
        if (newest.locked() && !request.lockAware()) {
            return failed(ErrorCode.DATABASE_LOCKED);
        }
        if (pipeline.clockVersion() - newest.version() > STALE_VERSIONS) {
            return pipeline.advance();
        }
        return CompletableFuture.completedFuture(newest.version());
    }

    private static boolean isLocked(OrderedTree<byte[]> data) {
        return data.get(Keys.DATABASE_LOCKED) != null;
    }

    @Override
    public CompletableFuture<byte @Nullable []> get(long version, byte[] key) {
        return at(version, data -> data.get(key));
    }

    @Override
    public CompletableFuture<byte[]> resolve(long version, KeySelector selector) {
        return at(version, data -> RangeReader.resolve(data, selector));
    }

    @Override
    public CompletableFuture<RangeChunk> range(RangeRead read) {
        return at(read.version(), data -> RangeReader.read(data, read));
    }

    private <T extends @Nullable Object> CompletableFuture<T> at(long version, Function<OrderedTree<byte[]>, T> read) {
        if (closed) {
            return failed(ErrorCode.TRANSACTION_CANCELLED);
        }
        if (version > history.newest().version()) {
            CompletableFuture<T> future = new CompletableFuture<>();
            awaitVersion(version, read, future, FUTURE_VERSION_CHECKS);
            return future;
        }
        OrderedTree<byte[]> data = history.at(version);
        if (data == null) {
            return failed(ErrorCode.TRANSACTION_TOO_OLD);
        }
        return answer(data, read);
    }

    /** Answers at once what is in memory. What is not is read elsewhere: the calling thread has others to serve. */
    private <T extends @Nullable Object> CompletableFuture<T> answer(
            OrderedTree<byte[]> data, Function<OrderedTree<byte[]>, T> read) {
        try {
            return CompletableFuture.completedFuture(read.apply(data.inMemory()));
        } catch (PageAbsentException cold) {
            CompletableFuture<T> future = new CompletableFuture<>();
            coldReads.execute(() -> GuardedCallbacks.or(
                    () -> {
                        T value = read.apply(data);
                        environment.executor().execute(() -> future.complete(value));
                    },
                    failure -> environment
                            .executor()
                            .execute(() -> future.completeExceptionally(
                                    failure instanceof PageException page ? unreadable(page) : failure))));
            return future;
        }
    }

    static EmbeddedFDBException unreadable(PageException cause) {
        EmbeddedFDBException failure = new EmbeddedFDBException(
                "A part of the store can not be read: " + cause.getMessage(), ErrorCode.IO_ERROR);
        failure.initCause(cause);
        return failure;
    }

    /** An idle database has no new versions unless asked for: asks until the version is there or time is up. */
    private <T extends @Nullable Object> void awaitVersion(
            long version, Function<OrderedTree<byte[]>, T> read, CompletableFuture<T> future, int checksLeft) {
        if (checksLeft == 0) {
            future.completeExceptionally(new EmbeddedFDBException(ErrorCode.FUTURE_VERSION));
            return;
        }
        environment.schedule(Limits.FUTURE_VERSION_WAIT_MILLIS / FUTURE_VERSION_CHECKS, () -> pipeline.advance()
                .whenComplete((newest, error) -> {
                    if (history.newest().version() < version) {
                        awaitVersion(version, read, future, checksLeft - 1);
                        return;
                    }
                    GuardedCallbacks.begin(() -> at(version, read)).whenComplete((value, failure) -> {
                        if (failure == null) {
                            future.complete(value);
                        } else {
                            future.completeExceptionally(failure);
                        }
                    });
                }));
    }

    @Override
    public CompletableFuture<CommitOutcome> commit(CommitRequest request) {
        if (closed) {
            return failed(ErrorCode.TRANSACTION_CANCELLED);
        }
        OrderedTree<byte[]> data = history.newest().data();
        try {
            touch(data.inMemory(), request);
            return pipeline.commit(request);
        } catch (PageAbsentException cold) {
            // All commits would wait while the one that orders them reads a page.
            CompletableFuture<CommitOutcome> future = new CompletableFuture<>();
            coldReads.execute(() -> {
                try {
                    touch(data, request);
                } catch (RuntimeException | Error e) {
                    // The commit meets it too, and says so.
                }
                pipeline.commit(request).whenComplete((outcome, error) -> {
                    if (error == null) {
                        future.complete(outcome);
                    } else {
                        future.completeExceptionally(error);
                    }
                });
            });
            return future;
        }
    }

    /** Meets the pages that a commit will change. */
    private static void touch(OrderedTree<byte[]> data, CommitRequest request) {
        for (Mutation mutation : request.mutations()) {
            data.get(mutation.key());
            if (mutation.type() == Mutation.CLEAR_RANGE) {
                data.get(mutation.param());
            }
        }
    }

    @Override
    public CompletableFuture<@Nullable CommitOutcome> settle(RequestId requestId) {
        return closed ? failed(ErrorCode.TRANSACTION_CANCELLED) : pipeline.settle(requestId);
    }

    @Override
    public CompletableFuture<@Nullable Void> watch(WatchRequest request) {
        return watches.add(request, history);
    }

    @Override
    public CompletableFuture<Long> estimatedSizeBytes(byte[] begin, byte[] end) {
        OrderedTree<byte[]> data = history.newest().data();
        return answer(data, tree -> tree.weightBefore(end) - tree.weightBefore(begin));
    }

    @Override
    public CompletableFuture<List<byte[]>> splitPoints(byte[] begin, byte[] end, long chunkBytes) {
        OrderedTree<byte[]> data = history.newest().data();
        return answer(data, tree -> splitPoints(tree, begin, end, chunkBytes));
    }

    private static List<byte[]> splitPoints(OrderedTree<byte[]> data, byte[] begin, byte[] end, long chunkBytes) {
        long apart = Math.max(chunkBytes, (data.weightBefore(end) - data.weightBefore(begin)) / SPLIT_POINTS_MAX);
        List<byte[]> points = new ArrayList<>();
        points.add(begin);
        byte[] next = pointAfter(data, begin, apart);
        while (next != null && Keys.compare(next, end) < 0) {
            points.add(next);
            next = pointAfter(data, next, apart);
        }
        points.add(end);
        return points;
    }

    /** A later key, with about so many bytes between: one entry may have more. */
    private static byte @Nullable [] pointAfter(OrderedTree<byte[]> data, byte[] key, long bytes) {
        long apart = data.weightBefore(key) + Math.min(bytes, data.weight());
        return data.keyAtWeight(Math.max(apart, data.weightBefore(Keys.after(key))));
    }

    @Override
    public CompletableFuture<byte[]> status() {
        History.Published newest = history.newest();
        return CompletableFuture.completedFuture(
                StatusDocument.of(newest, history, watches.count(), pipeline.conflictBytes()));
    }

    /** All that was committed before this call: what a snapshot takes. */
    public CompletableFuture<FrozenState> freeze() {
        return pipeline.freeze();
    }

    /** The data at the newest version. */
    public OrderedTree<byte[]> newestData() {
        return history.newest().data();
    }

    /** The newest version that can be read. */
    public long newestVersion() {
        return history.newest().version();
    }

    /** The oldest version that can be read. */
    public long oldestVersion() {
        return history.oldestVersion();
    }

    /** See {@link dev.ratchet.store.ordered.TreeEditor#dirtiedBytes}. */
    public long dirtiedBytes() {
        return pipeline.dirtiedBytes();
    }

    @Override
    public void close() {
        closed = true;
        pipeline.stop(new EmbeddedFDBException(ErrorCode.TRANSACTION_CANCELLED));
        watches.close();
    }

    private static <T extends @Nullable Object> CompletableFuture<T> failed(int code) {
        return CompletableFuture.failedFuture(new EmbeddedFDBException(code));
    }
}
