/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.transaction;

import com.apple.foundationdb.EventKeeper;
import com.apple.foundationdb.FDBException;
import dev.ratchet.environment.Environment;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A transaction behind the objects that users hold: its current {@link Attempt}, its commit, and what lasts from try to
 * try. Safe for use by several threads, as FoundationDB's are.
 */
final class TransactionCore {

    private static final long FIRST_DELAY_MILLIS = 10;
    /** FoundationDB begins with 10 ms here too; but here the other commit is done, and took no network of servers. */
    private static final long FIRST_CONFLICT_DELAY_MILLIS = 1;

    private static final long MEMORY_DELAY_MILLIS = 30_000;

    final ConnectionDatabase database;
    /** Whom to tell what reads fetch; null for nobody. */
    final @Nullable FetchEvents events;

    private final StoreConnection connection;
    private final Environment environment;
    private final boolean toldAtOnce;
    private final long createdNanos;
    private volatile Attempt attempt;
    private Environment.@Nullable Cancellable timeout;
    /** Before the next retry; 0 before the first. */
    private long delayMillis;

    private long retries;

    /** @param toldAtOnce as {@link CommitRequest#toldAtOnce} */
    TransactionCore(
            ConnectionDatabase database,
            StoreConnection connection,
            Environment environment,
            @Nullable EventKeeper keeper,
            boolean toldAtOnce) {
        this.toldAtOnce = toldAtOnce;
        this.database = database;
        this.connection = connection;
        this.environment = environment;
        events = keeper == null ? null : new FetchEvents(keeper, environment);
        attempt = new Attempt(database.newSettings());
        boolean times = attempt.settings.timeoutMillis > 0;
        createdNanos = environment.nanoTime();
        if (times) {
            restartTimeout(attempt);
        }
    }

    Attempt attempt() {
        return attempt;
    }

    TransactionReads reads() {
        return new TransactionReads(connection, attempt);
    }

    SpecialKeys specialKeys() {
        return new SpecialKeys(connection, attempt);
    }

    void setOption(int code, byte @Nullable [] value) {
        if (!TransactionSettings.exists(code)) {
            throw new EmbeddedFDBException(ErrorCode.INVALID_OPTION);
        }
        Attempt current = attempt;
        current.defer(() -> {
            if (code == TransactionSettings.READ_YOUR_WRITES_DISABLE
                    && (current.hasRead || !current.writes.isEmpty())) {
                throw new EmbeddedFDBException(ErrorCode.CLIENT_INVALID_OPERATION);
            }
            current.settings.set(code, value);
            if (code == TransactionSettings.TIMEOUT) {
                restartTimeout(current);
            }
        });
    }

    private void restartTimeout(Attempt current) {
        Environment.Cancellable running = timeout;
        if (running != null) {
            running.cancel();
            timeout = null;
        }
        long timeoutMillis = current.settings.timeoutMillis;
        if (timeoutMillis > 0) {
            long elapsedMillis = (environment.nanoTime() - createdNanos) / 1_000_000;
            timeout = environment.schedule(
                    Math.max(0, timeoutMillis - elapsedMillis),
                    () -> attempt.end(new EmbeddedFDBException(ErrorCode.TRANSACTION_TIMED_OUT)));
        }
    }

    /** Runs a write: errors are kept for the next call that can tell them. */
    void write(BiConsumer<Attempt, Boolean> write) {
        Attempt current = attempt;
        current.defer(() -> {
            boolean addConflict = !current.settings.nextWriteNoConflict;
            current.settings.nextWriteNoConflict = false;
            if (current.commitStarted) {
                throw new EmbeddedFDBException(ErrorCode.USED_DURING_COMMIT);
            }
            write.accept(current, addConflict);
        });
    }

    CompletableFuture<@Nullable Void> watch(byte[] key) {
        Attempt current = attempt;
        TransactionReads reads = new TransactionReads(connection, current);
        TransactionWatch watch;
        CompletableFuture<byte @Nullable []> value;
        synchronized (current) {
            FDBException refusal = reads.refusal();
            if (refusal == null && current.settings.readYourWritesDisabled) {
                refusal = new EmbeddedFDBException(ErrorCode.WATCHES_DISABLED);
            }
            if (refusal == null
                    && Keys.compare(key, current.writes.maxReadKey()) >= 0
                    && !Arrays.equals(key, Keys.METADATA_VERSION)) {
                refusal = new EmbeddedFDBException(ErrorCode.KEY_OUTSIDE_LEGAL_RANGE);
            }
            if (refusal == null && key.length > current.writes.keyLimit(key)) {
                refusal = new EmbeddedFDBException(ErrorCode.KEY_TOO_LARGE);
            }
            if (refusal != null) {
                return CompletableFuture.failedFuture(refusal);
            }
            watch = new TransactionWatch(key);
            current.watches.add(watch);
            value = reads.get(key, false);
        }
        current.read(value.whenComplete((read, error) -> register(current, watch, read, error)));
        return watch.future;
    }

    private void register(Attempt current, TransactionWatch watch, byte @Nullable [] read, @Nullable Throwable error) {
        boolean fired;
        synchronized (current) {
            fired = error == null && watch.readValue(read);
        }
        if (error != null) {
            watch.future.completeExceptionally(Attempt.cause(error));
        } else if (fired) {
            watch.future.complete(null);
        } else if (!database.takeWatch(watch.future)) {
            synchronized (current) {
                current.watches.remove(watch);
            }
            watch.future.completeExceptionally(new EmbeddedFDBException(ErrorCode.TOO_MANY_WATCHES));
        }
    }

    /** Completes a watch that a write of its own transaction has changed. */
    void fire(TransactionWatch watch) {
        environment.executor().execute(() -> watch.future.complete(null));
    }

    CompletableFuture<Long> estimatedSizeBytes(byte[] begin, byte[] end) {
        FDBException refusal = reads().refusal();
        return refusal != null
                ? CompletableFuture.failedFuture(refusal)
                : attempt.unlessEnded(connection.estimatedSizeBytes(begin, end));
    }

    CompletableFuture<List<byte[]>> splitPoints(byte[] begin, byte[] end, long chunkBytes) {
        FDBException refusal = reads().refusal();
        if (refusal == null && Keys.compare(end, attempt.writes.maxReadKey()) > 0) {
            refusal = new EmbeddedFDBException(ErrorCode.KEY_OUTSIDE_LEGAL_RANGE);
        }
        return refusal != null
                ? CompletableFuture.failedFuture(refusal)
                : attempt.unlessEnded(connection.splitPoints(begin, end, chunkBytes));
    }

    CompletableFuture<@Nullable Void> commit() {
        Attempt current = attempt;
        synchronized (current) {
            if (current.commitStarted) {
                return CompletableFuture.failedFuture(new EmbeddedFDBException(ErrorCode.USED_DURING_COMMIT));
            }
            FDBException ended = current.endedBy();
            if (ended != null) {
                return CompletableFuture.failedFuture(ended);
            }
            current.commitStarted = true;
        }
        CompletableFuture<@Nullable Void> reads = current.allReads();
        if (reads.isDone() && !reads.isCompletedExceptionally()) {
            return commitWrites(current);
        }
        return current.unlessEnded(reads.handle((nothing, error) -> {
                    if (error == null) {
                        return commitWrites(current);
                    }
                    // Its watches neither fire nor fail before the next try.
                    return CompletableFuture.<@Nullable Void>failedFuture(Attempt.cause(error));
                })
                .thenCompose(result -> result));
    }

    private CompletableFuture<@Nullable Void> commitWrites(Attempt current) {
        List<Mutation> mutations;
        List<KeyRange> writeConflicts;
        List<KeyRange> readConflicts;
        synchronized (current) {
            mutations = current.writes.mutations();
            writeConflicts = current.writes.conflicts();
            readConflicts = current.readConflicts.coalesced();
        }
        if (mutations.isEmpty() && writeConflicts.isEmpty()) {
            succeed(current, null, current.knownReadVersion());
            return CompletableFuture.completedFuture(null);
        }
        long sizeBytes = WriteSet.sizeBytes(mutations, readConflicts, writeConflicts);
        if (sizeBytes > current.settings.sizeLimitBytes) {
            return failed(current, new EmbeddedFDBException(ErrorCode.TRANSACTION_TOO_LARGE));
        }
        if (current.settings.readLockAware && !current.settings.lockAware) {
            return failed(current, new EmbeddedFDBException(ErrorCode.TRANSACTION_READ_ONLY));
        }
        CompletableFuture<Long> version = current.readVersion();
        boolean blind = readConflicts.isEmpty() && current.settings.causalWriteRisky;
        synchronized (current) {
            current.hasVersion = true;
        }
        if (blind || version == null) {
            version = readConflicts.isEmpty()
                    ? CompletableFuture.completedFuture(CommitRequest.NO_READ_VERSION)
                    : new TransactionReads(connection, current).version();
        }
        CompletableFuture<CommitOutcome> outcome = TransactionReads.at(
                version,
                readVersion -> connection.commit(new CommitRequest(
                        readVersion,
                        readConflicts,
                        writeConflicts,
                        mutations,
                        sizeBytes,
                        null,
                        current.settings.lockAware,
                        current.settings.reportConflicts,
                        toldAtOnce)));
        CompletableFuture<@Nullable Void> committed = current.begin();
        outcome.whenComplete((done, error) -> {
            current.done(committed);
            if (error == null) {
                succeed(current, done, done.version());
                committed.complete(null);
            } else {
                fail(current, Attempt.cause(error));
                committed.completeExceptionally(Attempt.cause(error));
            }
        });
        return committed;
    }

    private CompletableFuture<@Nullable Void> failed(Attempt current, Throwable cause) {
        fail(current, cause);
        return CompletableFuture.failedFuture(cause);
    }

    private void fail(Attempt current, Throwable cause) {
        if (cause instanceof ConflictException conflict) {
            synchronized (current) {
                current.reportedConflicts = conflict.conflicts();
            }
        }
        current.settleVersionstamp(
                stamp -> stamp.completeExceptionally(new EmbeddedFDBException(ErrorCode.TRANSACTION_INVALID_VERSION)));
        failWatches(current, cause);
    }

    private void failWatches(Attempt current, Throwable cause) {
        for (TransactionWatch watch : takeWatches(current)) {
            watch.future.completeExceptionally(cause);
        }
    }

    private static List<TransactionWatch> takeWatches(Attempt current) {
        synchronized (current) {
            if (current.watches.isEmpty()) {
                return List.of();
            }
            List<TransactionWatch> taken =
                    current.watches.stream().filter(watch -> !watch.isFired()).toList();
            current.watches.clear();
            return taken;
        }
    }

    private void succeed(Attempt current, @Nullable CommitOutcome outcome, long version) {
        synchronized (current) {
            current.committedVersion = outcome == null ? -1 : outcome.version();
            current.outcome = outcome;
        }
        current.settleVersionstamp(stamp -> {
            if (outcome == null) {
                stamp.completeExceptionally(new EmbeddedFDBException(ErrorCode.NO_COMMIT_VERSION));
            } else {
                stamp.complete(outcome.versionstamp());
            }
        });
        for (TransactionWatch watch : takeWatches(current)) {
            if (!watch.future.isDone()) {
                arm(watch, version);
            }
        }
    }

    private void arm(TransactionWatch watch, long version) {
        CompletableFuture<@Nullable Void> changed =
                connection.watch(new WatchRequest(watch.key, watch.expected(), version));
        changed.whenComplete((nothing, error) -> {
            if (error == null) {
                watch.future.complete(null);
            } else {
                watch.future.completeExceptionally(Attempt.cause(error));
            }
        });
        watch.future.whenComplete((nothing, error) -> changed.cancel(false));
    }

    /** Begins the next attempt after an error that a retry may answer; fails with the error otherwise. */
    CompletableFuture<@Nullable Void> onError(FDBException error) {
        Attempt current = attempt;
        FDBException ended = current.endedBy();
        if (ended != null) {
            return CompletableFuture.failedFuture(ended);
        }
        long limit = current.settings.retryLimit;
        boolean spent = limit != TransactionSettings.NO_LIMIT && retries >= limit;
        retries++;
        FDBException refusal = spent ? error : refusal(error);
        if (refusal != null) {
            end(current, new EmbeddedFDBException(ErrorCode.TRANSACTION_CANCELLED));
            return CompletableFuture.failedFuture(refusal);
        }
        CompletableFuture<@Nullable Void> waited = new CompletableFuture<>();
        environment.schedule(nextDelayMillis(error.getCode(), current.settings), () -> waited.complete(null));
        return current.unlessEnded(waited).thenAccept(nothing -> {
            synchronized (this) {
                Attempt next = new Attempt(current.settings.afterRetry(database.defaults()));
                next.committedVersion = current.committedVersion;
                attempt = next;
            }
            // Nobody will ever give the stamp that was asked for.
            current.settleVersionstamp(
                    stamp -> stamp.completeExceptionally(new EmbeddedFDBException(ErrorCode.BROKEN_PROMISE)));
            end(current, new EmbeddedFDBException(ErrorCode.TRANSACTION_CANCELLED));
        });
    }

    /** What a retry is refused with; null when the error allows one. */
    private static @Nullable FDBException refusal(FDBException error) {
        return switch (error.getCode()) {
            case 1007, 1009, 1020, 1021, 1037, 1038, 1042, 1051, 1078, 1079, 1213, 1223 -> null;
            case 0 -> new EmbeddedFDBException(ErrorCode.CLIENT_INVALID_OPERATION);
            default -> error;
        };
    }

    private long nextDelayMillis(int code, TransactionSettings settings) {
        if (code == ErrorCode.TRANSACTION_TOO_OLD || code == ErrorCode.FUTURE_VERSION) {
            return Math.min(FIRST_DELAY_MILLIS, settings.maxRetryDelayMillis);
        }
        boolean memory = code == ErrorCode.COMMIT_PROXY_MEMORY_LIMIT || code == ErrorCode.GRV_PROXY_MEMORY_LIMIT;
        long max = memory ? MEMORY_DELAY_MILLIS : settings.maxRetryDelayMillis;
        long first = code == ErrorCode.NOT_COMMITTED ? FIRST_CONFLICT_DELAY_MILLIS : FIRST_DELAY_MILLIS;
        long delay = Math.min(Math.max(first, delayMillis), max);
        delayMillis = Math.min(delay * 2, Math.max(max, FIRST_DELAY_MILLIS));
        return Math.round(delay * environment.random().nextDouble());
    }

    /** Fails what is pending and all later calls of the current attempt; its watches stay until it is closed. */
    void cancel() {
        FDBException reason = new EmbeddedFDBException(ErrorCode.TRANSACTION_CANCELLED);
        attempt.end(reason);
        attempt.settleVersionstamp(stamp -> stamp.completeExceptionally(reason));
    }

    private void end(Attempt current, FDBException reason) {
        current.end(reason);
        current.settleVersionstamp(stamp -> stamp.completeExceptionally(reason));
        failWatches(current, reason);
    }

    void close() {
        Attempt last = attempt;
        if (!last.closeIfQuiet()) {
            end(last, new EmbeddedFDBException(ErrorCode.TRANSACTION_CANCELLED));
        }
        Environment.Cancellable running = timeout;
        if (running != null) {
            running.cancel();
        }
    }
}
