/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.query;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.dataflow.query.ViewQuery.Answer;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs one query on a thread of its own and waits for it, up to a limit. A query that is over it is told to its caller
 * at once, stops before its next operator, and holds its place among the queries until then. One use by one thread.
 */
final class TimedQuery {

    private final long millisMax;
    private final Runnable place;
    private final CompletableFuture<Answer> result = new CompletableFuture<>();
    private volatile boolean isOver;

    /** @param place is run, once, when no thread computes it any more and its answer is written */
    TimedQuery(long millisMax, Runnable place) {
        this.millisMax = millisMax;
        this.place = place;
    }

    /** The answer. @throws RefusedException where it takes too long, or a row can not be computed */
    Answer run(ViewQuery query, Map<String, Batch> rows) throws InterruptedException {
        Thread.ofPlatform().daemon().name("circuit-query").start(() -> compute(query, rows));
        try {
            return result.get(millisMax, TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            throw overdue();
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof RefusedException told) {
                throw told;
            }
            throw new IllegalStateException("A query failed", failed);
        } catch (InterruptedException ended) {
            overdue();
            throw ended;
        }
    }

    private RefusedException overdue() {
        RefusedException failure = new RefusedException(
                RefusedException.Reason.TOO_LONG,
                "The query has not ended within " + millisMax + " ms",
                "Select less, or make a view of it, which the circuit keeps up to date");
        isOver = result.completeExceptionally(failure);
        if (!isOver) {
            result.thenAccept(Answer::close);
        }
        return failure;
    }

    private void compute(ViewQuery query, Map<String, Batch> rows) {
        boolean isTaken;
        try {
            Answer answer = query.run(rows, this::nanos);
            isTaken = result.complete(answer);
            if (!isTaken) {
                answer.close();
            }
        } catch (RuntimeException | Error failed) {
            isTaken = result.completeExceptionally(failed);
        }
        if (!isTaken) {
            place.run();
        }
    }

    private long nanos() {
        if (result.isDone()) {
            throw new IllegalStateException("Nobody waits for this query any more");
        }
        return System.nanoTime();
    }

    /** The caller is done; where a thread still computes, that gives the place back. */
    void end() {
        if (!isOver) {
            place.run();
        }
    }
}
