/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.conformance;

import com.apple.foundationdb.KeySelector;
import dev.ratchet.environment.Environment;
import dev.ratchet.store.transaction.CommitOutcome;
import dev.ratchet.store.transaction.CommitRequest;
import dev.ratchet.store.transaction.EmbeddedFDBException;
import dev.ratchet.store.transaction.ErrorCode;
import dev.ratchet.store.transaction.RangeChunk;
import dev.ratchet.store.transaction.RangeRead;
import dev.ratchet.store.transaction.ReadVersionRequest;
import dev.ratchet.store.transaction.RequestId;
import dev.ratchet.store.transaction.StoreConnection;
import dev.ratchet.store.transaction.WatchRequest;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A connection on which things go wrong as they do with a real cluster: reads are late, too old or ahead, commits
 * conflict for no reason or come together as one batch, and their outcome gets lost, whether they happened or not.
 */
public final class FaultyConnection implements StoreConnection {

    private static final int[] READ_FAULTS = {
        ErrorCode.TRANSACTION_TOO_OLD, ErrorCode.FUTURE_VERSION, ErrorCode.PROCESS_BEHIND
    };

    private static final long GATHER_MILLIS = 2;

    private final StoreConnection connection;
    private final Environment environment;
    private final Random random;
    private final int oneIn;
    private final Queue<Runnable> gathered = new ConcurrentLinkedQueue<>();

    /** Each call goes wrong with a chance of one in {@code oneIn}, in some way. */
    public FaultyConnection(StoreConnection connection, Environment environment, long seed, int oneIn) {
        this.connection = connection;
        this.environment = environment;
        this.random = new Random(seed);
        this.oneIn = oneIn;
    }

    private synchronized int roll(int sides) {
        return random.nextInt(sides);
    }

    private <T extends @Nullable Object> CompletableFuture<T> read(Supplier<CompletableFuture<T>> call) {
        return switch (roll(3 * oneIn)) {
            case 0 -> failed(READ_FAULTS[roll(READ_FAULTS.length)]);
            case 1, 2 -> {
                CompletableFuture<T> late = new CompletableFuture<>();
                environment.schedule(roll(3), () -> complete(late, call.get()));
                yield late;
            }
            default -> call.get();
        };
    }

    private static <T extends @Nullable Object> CompletableFuture<T> failed(int code) {
        return CompletableFuture.failedFuture(new EmbeddedFDBException(code));
    }

    @Override
    public CompletableFuture<Long> readVersion(ReadVersionRequest request) {
        return read(() -> connection.readVersion(request));
    }

    @Override
    public CompletableFuture<byte @Nullable []> get(long version, byte[] key) {
        return read(() -> connection.get(version, key));
    }

    @Override
    public CompletableFuture<byte[]> resolve(long version, KeySelector selector) {
        return read(() -> connection.resolve(version, selector));
    }

    @Override
    public CompletableFuture<RangeChunk> range(RangeRead read) {
        return read(() -> connection.range(read));
    }

    @Override
    public CompletableFuture<CommitOutcome> commit(CommitRequest request) {
        return switch (roll(4 * oneIn)) {
            case 0 -> failed(ErrorCode.NOT_COMMITTED);
            case 1 -> failed(ErrorCode.COMMIT_UNKNOWN_RESULT);
            case 2 -> connection.commit(request).thenCompose(done -> failed(ErrorCode.COMMIT_UNKNOWN_RESULT));
            case 3 -> failed(ErrorCode.TRANSACTION_TOO_OLD);
            default -> roll(2) == 0 ? gather(request) : connection.commit(request);
        };
    }

    /** Holds a commit until others have come, so that several share a version. */
    private CompletableFuture<CommitOutcome> gather(CommitRequest request) {
        CompletableFuture<CommitOutcome> outcome = new CompletableFuture<>();
        gathered.add(() -> complete(outcome, connection.commit(request)));
        environment.schedule(GATHER_MILLIS, () -> {
            for (Runnable commit = gathered.poll(); commit != null; commit = gathered.poll()) {
                commit.run();
            }
        });
        return outcome;
    }

    private static <T extends @Nullable Object> void complete(CompletableFuture<T> late, CompletableFuture<T> call) {
        call.whenComplete((value, error) -> {
            if (error == null) {
                late.complete(value);
            } else {
                late.completeExceptionally(error);
            }
        });
    }

    @Override
    public CompletableFuture<@Nullable CommitOutcome> settle(RequestId requestId) {
        return connection.settle(requestId);
    }

    @Override
    public CompletableFuture<@Nullable Void> watch(WatchRequest request) {
        return connection.watch(request);
    }

    @Override
    public CompletableFuture<Long> estimatedSizeBytes(byte[] begin, byte[] end) {
        return connection.estimatedSizeBytes(begin, end);
    }

    @Override
    public CompletableFuture<List<byte[]>> splitPoints(byte[] begin, byte[] end, long chunkBytes) {
        return connection.splitPoints(begin, end, chunkBytes);
    }

    @Override
    public CompletableFuture<byte[]> status() {
        return connection.status();
    }

    @Override
    public void close() {
        connection.close();
    }
}
