/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.transaction;

import com.apple.foundationdb.FDBException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One try of a transaction: what a retry throws away. Once it has ended, whatever is pending or comes later fails with
 * the reason. All fields are guarded by this object's lock; futures are completed without it.
 */
final class Attempt {

    final TransactionSettings settings;
    final WriteSet writes;
    final RangeSet readConflicts = new RangeSet();
    final KnownRows known = new KnownRows();
    final List<TransactionWatch> watches = new ArrayList<>();
    /**
     * The first error of a call that has no other way to tell it: writes after it are ignored, all else fails with it.
     */
    private @Nullable FDBException deferred;

    private @Nullable FDBException ended;
    /** Whether it has ended with nobody to tell: the reason is made when somebody asks. */
    private boolean closed;

    private @Nullable CompletableFuture<Long> readVersion;
    /** Null for none. */
    private @Nullable Set<CompletableFuture<?>> open;

    private final List<CompletableFuture<?>> reads = new ArrayList<>();
    private @Nullable Throwable failedRead;
    private @Nullable CompletableFuture<byte[]> versionstamp;
    boolean commitStarted;
    boolean hasRead;
    /** Whether a version was asked for, by a read or by a commit that wrote. */
    boolean hasVersion;

    long committedVersion = -1;
    /** Where it was committed; null before, and where nothing was written. */
    @Nullable
    CommitOutcome outcome;
    /** Bytes of read conflicts as FoundationDB counts them for its estimate. */
    long readConflictBytes;

    List<KeyRange> reportedConflicts = List.of();

    Attempt(TransactionSettings settings) {
        this.settings = settings;
        writes = new WriteSet(settings);
    }

    synchronized void defer(Runnable write) {
        if (deferred != null) {
            return;
        }
        try {
            write.run();
        } catch (FDBException e) {
            deferred = e;
        }
    }

    /** The error that a call fails with whatever it asks; null when there is none. */
    synchronized @Nullable FDBException deferredError() {
        return deferred;
    }

    synchronized @Nullable FDBException endedBy() {
        if (ended == null && closed) {
            ended = new EmbeddedFDBException(ErrorCode.TRANSACTION_CANCELLED);
        }
        return ended;
    }

    /** Fails what is pending and all that comes. The first reason stays. */
    void end(FDBException reason) {
        List<CompletableFuture<?>> pending;
        synchronized (this) {
            if (ended == null) {
                ended = reason;
            }
            pending = open == null ? List.of() : List.copyOf(open);
            open = null;
        }
        pending.forEach(future -> future.completeExceptionally(reason));
    }

    /** The same answer, or the reason why this attempt has ended if that is first. */
    <T extends @Nullable Object> CompletableFuture<T> unlessEnded(CompletableFuture<T> answer) {
        return guarded(answer, false);
    }

    /** As {@link #unlessEnded}; a commit waits for it, and fails if it does. */
    <T extends @Nullable Object> CompletableFuture<T> read(CompletableFuture<T> answer) {
        CompletableFuture<T> guarded = guarded(answer, true);
        synchronized (this) {
            hasRead = true;
            if (!guarded.isDone()) {
                reads.removeIf(CompletableFuture::isDone);
                reads.add(guarded);
            }
        }
        return guarded;
    }

    /** A read that fails is noted before anybody hears of it: who then commits must be refused. */
    private <T extends @Nullable Object> CompletableFuture<T> guarded(CompletableFuture<T> answer, boolean isRead) {
        if (answer.isDone() && endedBy() == null) {
            if (isRead && answer.isCompletedExceptionally()) {
                answer.whenComplete((nothing, error) -> noteFailedRead(error));
            }
            return answer;
        }
        CompletableFuture<T> guarded = begin();
        answer.whenComplete((value, error) -> {
            done(guarded);
            if (error == null) {
                guarded.complete(value);
                return;
            }
            if (isRead) {
                noteFailedRead(error);
            }
            guarded.completeExceptionally(cause(error));
        });
        return guarded;
    }

    /** A future that fails when this attempt ends. Whoever completes it says so before, by {@link #done}. */
    synchronized <T extends @Nullable Object> CompletableFuture<T> begin() {
        FDBException reason = endedBy();
        if (reason != null) {
            return CompletableFuture.failedFuture(reason);
        }
        open = open == null ? new LinkedHashSet<>(4) : open;
        CompletableFuture<T> future = new CompletableFuture<>();
        open.add(future);
        return future;
    }

    @SuppressWarnings("CollectionUndefinedEquality") // futures are equal only to themselves
    synchronized void done(CompletableFuture<?> future) {
        if (open != null) {
            open.remove(future);
        }
    }

    private synchronized void noteFailedRead(Throwable error) {
        failedRead = failedRead == null ? cause(error) : failedRead;
    }

    /** Completes when all reads have; fails with the error of one that failed. */
    CompletableFuture<@Nullable Void> allReads() {
        CompletableFuture<?>[] pending;
        synchronized (this) {
            Throwable failure = failedRead;
            if (failure != null) {
                return CompletableFuture.failedFuture(failure);
            }
            pending = reads.toArray(CompletableFuture<?>[]::new);
        }
        return pending.length == 0 ? CompletableFuture.completedFuture(null) : CompletableFuture.allOf(pending);
    }

    /** The read version if it has been asked for; null before. */
    synchronized @Nullable CompletableFuture<Long> readVersion() {
        return readVersion;
    }

    synchronized void setReadVersion(CompletableFuture<Long> version) {
        readVersion = version;
    }

    /** The read version if it is known; 0 before. */
    synchronized long knownReadVersion() {
        CompletableFuture<Long> version = readVersion;
        return version != null && version.isDone() && !version.isCompletedExceptionally() ? version.join() : 0;
    }

    /** The stamp that a commit will have. */
    synchronized CompletableFuture<byte[]> versionstamp() {
        CompletableFuture<byte[]> stamp = versionstamp;
        if (stamp == null) {
            stamp = new CompletableFuture<>();
            versionstamp = stamp;
        }
        return stamp;
    }

    /** Gives the stamp that was asked for, or the reason why there is none. */
    void settleVersionstamp(Consumer<CompletableFuture<byte[]>> settle) {
        CompletableFuture<byte[]> asked;
        synchronized (this) {
            asked = versionstamp;
        }
        if (asked != null) {
            settle.accept(asked);
        }
    }

    /** Ends as a cancelled one if nobody waits for anything of it, as at the end of most; says whether it did. */
    synchronized boolean closeIfQuiet() {
        closed = versionstamp == null && watches.isEmpty() && (open == null || open.isEmpty());
        return closed;
    }

    static Throwable cause(Throwable error) {
        return error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
    }
}
