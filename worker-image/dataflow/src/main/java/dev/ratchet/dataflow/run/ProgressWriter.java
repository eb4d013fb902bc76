/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.run;

import com.apple.foundationdb.Transaction;
import dev.ratchet.dataflow.record.Counter;
import dev.ratchet.dataflow.record.DataflowStore;
import dev.ratchet.environment.Environment;
import dev.ratchet.environment.GuardedCallbacks;
import dev.ratchet.membership.Seat;
import dev.ratchet.membership.SeatLostException;
import dev.ratchet.protocol.dataflow.v1.DigestRecord;
import dev.ratchet.protocol.dataflow.v1.ProgressRecord;
import dev.ratchet.protocol.dataflow.v1.RunRecord;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes how far a process is in a run, behind its steps: one transaction at a time, each with all that has come since
 * the one before. Nothing is written once the run is no longer in force. Safe for use by several threads.
 */
final class ProgressWriter {

    private static final Logger LOG = LoggerFactory.getLogger(ProgressWriter.class);
    private static final long RETRY_MILLIS = 200;
    private static final long TIMEOUT_MILLIS = 4_000;

    private final DataflowStore store;
    private final Seat seat;
    private final Environment environment;
    private final long run;
    private final int process;
    private NavigableMap<Long, DigestRecord> digests = new TreeMap<>();
    private @Nullable ProgressRecord wanted;

    /** Completes once nothing is wanted; a completed one while nothing is written. */
    private CompletableFuture<Void> idle = CompletableFuture.completedFuture(null);

    private boolean closed;

    ProgressWriter(DataflowStore store, Seat seat, Environment environment, long run, int process) {
        this.store = store;
        this.seat = seat;
        this.environment = environment;
        this.run = run;
        this.process = process;
    }

    /** Writes that a step begins, and waits until that is durable. */
    void attempt(ProgressRecord progress) {
        want(progress).join();
    }

    /** Lets the end of a step be written: a step that changes nothing has a digest as well, which says so. */
    synchronized void finished(ProgressRecord progress, DigestRecord digest) {
        digests.put(progress.getStep(), digest);
        want(progress);
    }

    private synchronized CompletableFuture<Void> want(ProgressRecord progress) {
        wanted = progress;
        if (idle.isDone() && !closed) {
            idle = new CompletableFuture<>();
            writeNext();
        }
        return idle;
    }

    /** Ends with {@link #idle} completed, or goes on until it can be. */
    private synchronized void writeNext() {
        ProgressRecord progress = wanted;
        if (progress == null || closed) {
            idle.complete(null);
            return;
        }
        NavigableMap<Long, DigestRecord> put = digests;
        wanted = null;
        digests = new TreeMap<>();
        GuardedCallbacks.begin(() -> store.database().runAsync(transaction -> write(transaction, progress, put)))
                .whenCompleteAsync((done, failure) -> written(progress, put, failure), environment.executor());
    }

    private CompletableFuture<Void> write(
            Transaction transaction, ProgressRecord progress, NavigableMap<Long, DigestRecord> put) {
        transaction.options().setTimeout(TIMEOUT_MILLIS);
        CompletableFuture<RunRecord> current =
                DataflowStore.read(transaction, store.run(), RunRecord.getDefaultInstance());
        return seat.fence(transaction).thenCombine(current, (held, found) -> {
            if (found.getNumber() == run) {
                DataflowStore.write(transaction, store.progress(), progress, seat.name());
                put.forEach((step, digest) -> DataflowStore.write(transaction, store.digests(), digest, step, process));
                store.count(transaction, Counter.TOLD, 1);
            }
            return null;
        });
    }

    private void written(ProgressRecord progress, NavigableMap<Long, DigestRecord> put, @Nullable Throwable failure) {
        if (failure == null) {
            writeNext();
            return;
        }
        synchronized (this) {
            wanted = wanted == null ? progress : wanted;
            put.forEach(digests::putIfAbsent);
        }
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof SeatLostException) {
            close();
            writeNext();
        } else {
            LOG.debug("The progress of run {} could not be written, trying again", run, failure);
            environment.schedule(RETRY_MILLIS, this::writeNext);
        }
    }

    /** Writes no more. What is being written is dropped by the store once another run is in force. */
    synchronized void close() {
        closed = true;
    }
}
