/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import dev.ratchet.client.AwaitTimeoutException;
import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.RatchetException;
import dev.ratchet.futures.code.StageView;
import dev.ratchet.protocol.client.v1.Outcome;
import dev.ratchet.protocol.futures.v1.State;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A future as its client sees it: first its outcome, which comes by itself, then its value, which comes on demand. */
final class RemoteFuture<T> extends StageView<T> implements DurableFuture<T> {

    private final FutureId id;
    private final Completions completions;
    private final Caller caller;
    private final CompletableFuture<Void> submitted;
    private final ClassLoader classes;
    private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    private final CompletableFuture<T> value = new CompletableFuture<>();
    private boolean demanded;
    private volatile boolean toldAlone;

    /** @param classes loads the classes of the value */
    RemoteFuture(
            FutureId id,
            Completions completions,
            Caller caller,
            CompletableFuture<Void> submitted,
            ClassLoader classes) {
        this.id = id;
        this.completions = completions;
        this.caller = caller;
        this.submitted = submitted;
        this.classes = classes;
        submitted.whenComplete((done, failure) -> {
            if (failure != null) {
                fail(failure);
            }
        });
    }

    /**
     * Says how the future has ended.
     *
     * @param alone whether the calling thread has nothing else to tell: then it may run users' code
     */
    void complete(Outcome ended, boolean alone) {
        toldAlone = alone;
        outcome.complete(ended);
    }

    /** Says that the outcome will never be known here. */
    void fail(Throwable reason) {
        outcome.completeExceptionally(reason);
    }

    Caller caller() {
        return caller;
    }

    /** Calls {@code action} once the outcome is known, at once if it is. */
    void onDone(Runnable action) {
        outcome.whenComplete((ended, failure) -> action.run());
    }

    ClassLoader classes() {
        return classes;
    }

    @Override
    protected CompletableFuture<T> stage() {
        synchronized (this) {
            if (demanded) {
                return value;
            }
            demanded = true;
        }
        boolean known = outcome.isDone();
        if (!known && !submitted.isDone()) {
            completions.demanded();
        }
        outcome.whenComplete((ended, failure) -> {
            if (failure != null) {
                value.completeExceptionally(failure);
            } else if (ended.getState() != State.STATE_REALIZED) {
                value.completeExceptionally(RemoteFailures.of(id, ended));
            } else {
                completions.load(this, ended, value, known || toldAlone);
            }
        });
        return value;
    }

    @Override
    public FutureId id() {
        return id;
    }

    @Override
    public CompletionStage<Void> submitted() {
        return submitted.copy();
    }

    @Override
    public boolean isDone() {
        return outcome.isDone();
    }

    @Override
    public T get() throws InterruptedException {
        try {
            return await(Long.MAX_VALUE);
        } catch (TimeoutException inNinetyYears) {
            throw new AssertionError(inNinetyYears);
        }
    }

    @Override
    public T get(Duration timeout) throws InterruptedException {
        try {
            return await(Waits.nanos(timeout));
        } catch (TimeoutException late) {
            throw new AwaitTimeoutException("The future " + id + " has no value after " + timeout + ".", late);
        }
    }

    private T await(long nanos) throws InterruptedException, TimeoutException {
        try {
            if (outcome.isDone() && stage().isDone()) {
                return stage().get();
            }
            // What is sent because of this wait finds the slot of the waiting task free.
            try (Caller.Pause paused = caller.pause()) {
                return stage().get(nanos, TimeUnit.NANOSECONDS);
            }
        } catch (ExecutionException failed) {
            throw cause(failed);
        }
    }

    @Override
    public boolean cancel() {
        return completions.cancel(List.of(this), false) == 1;
    }

    @Override
    public boolean kill() {
        return completions.cancel(List.of(this), true) == 1;
    }

    /** Whether it is known that the future has ended without a value. */
    boolean hasFailed() {
        return outcome.isCompletedExceptionally()
                || (outcome.isDone() && outcome.join().getState() != State.STATE_REALIZED);
    }

    /** The stack of the waiting thread goes with the failure, so that a failing {@code get} can be found. */
    private static RuntimeException cause(ExecutionException failed) {
        if (failed.getCause() instanceof RuntimeException cause) {
            cause.addSuppressed(new RatchetException("Awaited here"));
            return cause;
        }
        return new RatchetException("The value could not be read: " + failed.getCause(), failed);
    }

    @Override
    public String toString() {
        return "future " + id;
    }
}
