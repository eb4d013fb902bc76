/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.engine;

import dev.ratchet.environment.Environment;
import dev.ratchet.environment.GuardedCallbacks;
import dev.ratchet.store.ordered.TreeEditor;
import dev.ratchet.store.transaction.CommitOutcome;
import dev.ratchet.store.transaction.CommitRequest;
import dev.ratchet.store.transaction.ConflictException;
import dev.ratchet.store.transaction.EmbeddedFDBException;
import dev.ratchet.store.transaction.ErrorCode;
import dev.ratchet.store.transaction.Keys;
import dev.ratchet.store.transaction.Limits;
import dev.ratchet.store.transaction.RequestId;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Orders all commits. Work is queued by any thread and done by one at a time on the environment's executor: what has
 * gathered in the queue becomes one batch with one version, or a few without a log: it is checked and applied in order,
 * goes to the log as one record, and is published when that is durable. Meanwhile the next batch is made on top of it.
 *
 * <p>Invariant: versions rise with the order of batches, a batch is published only after all before it, and nobody
 * hears of a commit before it is published.
 */
final class CommitPipeline {

    private static final Logger LOG = LoggerFactory.getLogger(CommitPipeline.class);
    private static final int BATCH_COMMITS_MAX = 4096;
    private static final long BATCH_BYTES_MAX = 16L << 20;
    /** Without a log, whom the first part concerns goes on, on other processors, while the rest is decided. */
    private static final int PARTS = 4;
    /** Smaller batches copy more of the tree than that gains. */
    private static final int PART_COMMITS_MIN = 16;

    private static final long RESERVE_VERSIONS = 600_000_000L;

    private final Environment environment;
    private final EngineSettings settings;
    private final Durability durability;
    private final History history;
    private final Watches watches;
    private final VersionClock clock;
    private final ConflictWindow conflicts;
    private final RequestOutcomes outcomes = new RequestOutcomes();
    private final TreeEditor<byte[]> tip;
    private volatile long conflictBytes;

    private final ConcurrentLinkedQueue<Work> queue = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private final AtomicLong pendingBytes = new AtomicLong();
    private long lastVersion;
    private long reservedVersion;
    private boolean locked;
    private CompletableFuture<@Nullable Void> lastPublished = CompletableFuture.completedFuture(null);
    private volatile @Nullable EmbeddedFDBException stopped;

    private sealed interface Work permits Commit, Task {}

    /** A transaction that waits for its turn. */
    private record Commit(CommitRequest request, CompletableFuture<CommitOutcome> future) implements Work {}

    /** Something else that must happen between commits. */
    private record Task(Runnable action) implements Work {}

    CommitPipeline(
            Environment environment,
            EngineSettings settings,
            Durability durability,
            StartingPoint start,
            History history,
            Watches watches) {
        this.environment = environment;
        this.settings = settings;
        this.durability = durability;
        this.history = history;
        this.watches = watches;
        clock = new VersionClock(environment, start.version());
        conflicts = new ConflictWindow(settings.windowVersions(), settings.windowBytesMax() / 4);
        tip = start.data().edit();
        lastVersion = start.version();
        locked = history.newest().locked();
        start.outcomes().forEach((id, outcome) -> outcomes.committed(id, outcome, environment.nanoTime()));
    }

    CompletableFuture<CommitOutcome> commit(CommitRequest request) {
        CompletableFuture<CommitOutcome> future = new CompletableFuture<>();
        enqueue(new Commit(request, future));
        return future;
    }

    /** Publishes the present as a new version without changes, unless a commit does so meanwhile; then completes. */
    CompletableFuture<Long> advance() {
        CompletableFuture<Long> future = new CompletableFuture<>();
        enqueue(future, () -> advance(future));
        return future;
    }

    /** See {@link dev.ratchet.store.transaction.StoreConnection#settle}. */
    CompletableFuture<@Nullable CommitOutcome> settle(RequestId id) {
        CompletableFuture<@Nullable CommitOutcome> future = new CompletableFuture<>();
        enqueue(future, () -> {
            if (!outcomes.isDecided(id)) {
                outcomes.refuse(id, environment.nanoTime());
            }
            CommitOutcome outcome = outcomes.outcome(id);
            lastPublished.whenComplete(
                    (nothing, error) -> environment.executor().execute(() -> {
                        if (error == null) {
                            future.complete(outcome);
                        } else {
                            future.completeExceptionally(error);
                        }
                    }));
        });
        return future;
    }

    /** All that was committed before this call, once it is published. */
    CompletableFuture<FrozenState> freeze() {
        CompletableFuture<FrozenState> future = new CompletableFuture<>();
        enqueue(future, () -> {
            EmbeddedFDBException stop = stopped;
            if (stop != null) {
                environment.executor().execute(() -> future.completeExceptionally(stop));
                return;
            }
            FrozenState state = new FrozenState(lastVersion, reservedVersion, tip.freeze(), outcomes.committed());
            lastPublished.whenComplete((nothing, error) -> answer(future, state, error));
        });
        return future;
    }

    /** What it takes in memory to tell conflicts, about. */
    long conflictBytes() {
        return conflictBytes;
    }

    long dirtiedBytes() {
        return tip.dirtiedBytes();
    }

    /** The version that the clock shows: how far an idle database may advance. */
    long clockVersion() {
        return clock.version();
    }

    /** Refuses all commits from now on. */
    void stop(EmbeddedFDBException reason) {
        if (stopped == null) {
            stopped = reason;
        }
    }

    private <T extends @Nullable Object> void answer(CompletableFuture<T> future, T value, @Nullable Throwable error) {
        environment.executor().execute(() -> {
            if (error == null) {
                future.complete(value);
            } else {
                future.completeExceptionally(error);
            }
        });
    }

    /** Runs an action between two commits; what it throws is the answer. */
    private void enqueue(CompletableFuture<?> answer, Runnable action) {
        enqueue(new Task(() -> GuardedCallbacks.or(action, answer::completeExceptionally)));
    }

    private void enqueue(Work work) {
        queue.add(work);
        schedule();
    }

    private void schedule() {
        if (pendingBytes.get() < settings.pendingBytesMax() && scheduled.compareAndSet(false, true)) {
            environment.executor().execute(this::drain);
        }
    }

    private void drain() {
        try {
            // A log had better sync many at a time: who misses a sync waits for two.
            boolean inParts = durability == Durability.NONE;
            int most = inParts ? Math.min(queue.size(), BATCH_COMMITS_MAX) : BATCH_COMMITS_MAX;
            int part = inParts ? Math.max(PART_COMMITS_MIN, most / PARTS) : BATCH_COMMITS_MAX;
            CommitBatch batch = null;
            int handled = 0;
            long bytes = 0;
            Work work;
            while (handled < most && bytes < BATCH_BYTES_MAX && (work = queue.poll()) != null) {
                handled++;
                switch (work) {
                    case Commit commit -> {
                        if (batch == null) {
                            batch = new CommitBatch(nextVersion(), tip);
                        }
                        bytes += commit.request.sizeBytes();
                        decide(commit, batch);
                        if (batch.commits() >= part) {
                            finish(batch);
                            batch = null;
                        }
                    }
                    case Task task -> {
                        finish(batch);
                        batch = null;
                        task.action.run();
                    }
                }
            }
            finish(batch);
        } finally {
            scheduled.set(false);
            if (!queue.isEmpty()) {
                schedule();
            }
        }
    }

    private long nextVersion() {
        lastVersion = Math.max(lastVersion + 1, clock.version());
        return lastVersion;
    }

    private void decide(Commit commit, CommitBatch batch) {
        EmbeddedFDBException refusal = refusal(commit.request, batch);
        if (refusal != null) {
            environment.executor().execute(() -> commit.future.completeExceptionally(refusal));
            return;
        }
        try {
            int index = batch.accept(commit.request, commit.future, conflicts);
            RequestId id = commit.request.requestId();
            if (id != null) {
                outcomes.committed(id, new CommitOutcome(batch.version(), index), environment.nanoTime());
            }
            if (batch.touchesSystemKeys()) {
                locked = tip.get(Keys.DATABASE_LOCKED) != null;
            }
        } catch (RuntimeException | Error unexpected) {
            abandon(commit, batch, unexpected);
        }
    }

    /** The tip holds a commit by half: nothing of it may ever be published. */
    private void abandon(Commit commit, CommitBatch batch, Throwable cause) {
        EmbeddedFDBException reason = stopWriting(cause);
        environment.executor().execute(() -> commit.future.completeExceptionally(reason));
        batch.abandon(commit.future, environment.executor());
    }

    /** Refuses all commits from now on, and tells whoever runs the store once. */
    private EmbeddedFDBException stopWriting(Throwable cause) {
        EmbeddedFDBException reason =
                new EmbeddedFDBException("The store has stopped writing: " + cause.getMessage(), ErrorCode.IO_ERROR);
        reason.initCause(cause);
        if (stopped == null) {
            LOG.error(reason.getMessage());
        }
        stop(reason);
        return reason;
    }

    /** Why a commit may not happen; null when it may. */
    private @Nullable EmbeddedFDBException refusal(CommitRequest request, CommitBatch batch) {
        EmbeddedFDBException stop = stopped;
        if (stop != null) {
            return stop;
        }
        RequestId id = request.requestId();
        if (id != null && outcomes.isDecided(id)) {
            return new EmbeddedFDBException(ErrorCode.COMMIT_UNKNOWN_RESULT);
        }
        if (locked && !request.lockAware()) {
            return new EmbeddedFDBException(ErrorCode.DATABASE_LOCKED);
        }
        if (request.sizeBytes() > Limits.TRANSACTION_BYTES_MAX) {
            return new EmbeddedFDBException(ErrorCode.TRANSACTION_TOO_LARGE);
        }
        List<dev.ratchet.store.transaction.KeyRange> reads = request.readConflicts();
        if (request.readVersion() == CommitRequest.NO_READ_VERSION) {
            return batch.invalid(request);
        }
        long oldest = Math.max(history.oldestVersion(), batch.version() - settings.windowVersions());
        if (request.readVersion() < Math.max(oldest, conflicts.oldestVersion())) {
            return new EmbeddedFDBException(ErrorCode.TRANSACTION_TOO_OLD);
        }
        if (conflicts.conflicts(reads, request.readVersion())) {
            return new ConflictException(
                    request.reportConflicts() ? conflicts.conflicting(reads, request.readVersion()) : List.of());
        }
        return batch.invalid(request);
    }

    private void finish(@Nullable CommitBatch batch) {
        if (batch == null || batch.isEmpty()) {
            return;
        }
        conflicts.forgetBefore(batch.version() - settings.windowVersions());
        conflictBytes = conflicts.sizeBytes();
        append(batch);
    }

    private void append(CommitBatch batch) {
        if (batch.version() > reservedVersion) {
            reservedVersion = batch.version() + RESERVE_VERSIONS;
        }
        History.Published next = batch.freeze(locked);
        CommittedBatch record = batch.record(reservedVersion);
        CompletableFuture<@Nullable Void> published = new CompletableFuture<>();
        lastPublished = published;
        pendingBytes.addAndGet(batch.sizeBytes());
        durability.append(record, error -> {
            Throwable problem = error == null ? publish(next, record) : error;
            if (problem == null) {
                GuardedCallbacks.run("telling of commits", () -> batch.complete(environment.executor()));
                published.complete(null);
            } else {
                EmbeddedFDBException reason = stopWriting(problem);
                GuardedCallbacks.run("telling of failed commits", () -> batch.fail(environment.executor()));
                published.completeExceptionally(reason);
            }
            if (pendingBytes.addAndGet(-batch.sizeBytes()) < settings.pendingBytesMax() && !queue.isEmpty()) {
                schedule();
            }
        });
    }

    /** What has gone wrong, if anything has. */
    private @Nullable Throwable publish(History.Published next, CommittedBatch record) {
        try {
            watches.publish(history, next, record.changes());
            return null;
        } catch (RuntimeException | Error unexpected) {
            return unexpected;
        }
    }

    private void advance(CompletableFuture<Long> future) {
        if (!lastPublished.isDone() || lastPublished.isCompletedExceptionally()) {
            lastPublished.whenComplete(
                    (nothing, error) -> answer(future, history.newest().version(), null));
            return;
        }
        if (stopped != null) {
            answer(future, history.newest().version(), null);
            return;
        }
        long version = nextVersion();
        if (version > reservedVersion) {
            append(new CommitBatch(version, tip));
            lastPublished.whenComplete(
                    (nothing, error) -> answer(future, history.newest().version(), null));
            return;
        }
        watches.publish(history, new History.Published(version, tip.freeze(), locked, 0), List.of());
        answer(future, version, null);
    }
}
