/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import dev.ratchet.client.AwaitTimeoutException;
import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.RatchetException;
import dev.ratchet.client.SerializableFunction;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.futures.code.StageView;
import dev.ratchet.futures.model.BlockIds;
import dev.ratchet.protocol.client.v1.Outcome;
import dev.ratchet.protocol.futures.v1.State;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A future as its client sees it: first its outcome, which comes by itself, then its value, which comes on demand. Who
 * waits in {@code get} reads the value itself. What depends on the value otherwise has a thread of its own, where it
 * may block: whoever tells an outcome, be it a thread of the network or of a worker, never runs users' code.
 *
 * <p>One whose value may be told before it is recorded has another one beside it, which knows only what is recorded.
 */
final class RemoteFuture<T> extends StageView<T> implements DurableFuture<T> {

    private final Origin origin;
    /** Its number in the block that it is submitted in; 0 where there is none. */
    private final int number;
    /** What knows only what is recorded; absent where this one does. */
    private final @Nullable RemoteFuture<T> durable;

    private volatile @Nullable CompletableFuture<Outcome> outcome;
    private @Nullable CompletableFuture<T> value;

    /**
     * Where futures come from, one or all of a block.
     *
     * @param id of the future, or of the block
     * @param submitted completes when it is recorded
     * @param classes loads the classes of values
     * @param options what they were submitted with
     */
    record Origin(
            FutureId id,
            Completions completions,
            Caller caller,
            CompletableFuture<Void> submitted,
            ClassLoader classes,
            SubmitOptions options) {

        /** What others are submitted with that take one of them, unless the user says it. */
        SubmitOptions following() {
            SubmitOptions same = SubmitOptions.ofJob(options.job())
                    .withTenant(options.tenant())
                    .withPriority(options.priority());
            return options.retention().map(same::withRetention).orElse(same);
        }
    }

    private RemoteFuture(Origin origin, int number, @Nullable RemoteFuture<T> durable) {
        this.origin = origin;
        this.number = number;
        this.durable = durable;
    }

    /** One that is known by itself. */
    static <T> RemoteFuture<T> of(Origin origin) {
        return of(origin, false);
    }

    /** @param speculative whether its value may be told before it is recorded */
    static <T> RemoteFuture<T> of(Origin origin, boolean speculative) {
        RemoteFuture<T> future = new RemoteFuture<>(origin, 0, speculative ? of(origin) : null);
        origin.submitted.whenComplete((done, failure) -> {
            if (failure != null) {
                future.fail(failure);
            }
        });
        return future;
    }

    /** One of a block, which {@link #fail}s it if it is not recorded. */
    static <T> RemoteFuture<T> inBlock(Origin origin, int number) {
        return new RemoteFuture<>(origin, number, null);
    }

    /** Says how the future has ended. */
    void complete(Outcome ended) {
        if (durable != null) {
            durable.complete(ended);
        }
        outcome().complete(ended);
    }

    /** Says how the future will have ended once that is recorded, if nothing comes between; counts where asked for. */
    void tell(Outcome unrecorded) {
        if (durable != null) {
            outcome().complete(unrecorded);
        }
    }

    /** Says that the outcome will never be known here. */
    void fail(Throwable reason) {
        if (durable != null) {
            durable.fail(reason);
        }
        outcome().completeExceptionally(reason);
    }

    /** Made when it is needed: a program may hold millions that nobody waits for. */
    private CompletableFuture<Outcome> outcome() {
        CompletableFuture<Outcome> made = outcome;
        if (made == null) {
            synchronized (this) {
                made = outcome;
                if (made == null) {
                    made = new CompletableFuture<>();
                    outcome = made;
                }
            }
        }
        return made;
    }

    Caller caller() {
        return origin.caller;
    }

    /** Calls {@code action} once the outcome is known, at once if it is. */
    void onDone(Runnable action) {
        outcome().whenComplete((ended, failure) -> action.run());
    }

    ClassLoader classes() {
        return origin.classes;
    }

    @Override
    protected CompletableFuture<T> stage() {
        CompletableFuture<T> target;
        synchronized (this) {
            if (value != null) {
                return value;
            }
            target = new CompletableFuture<>();
            value = target;
        }
        if (isDone()) {
            settle(target);
        } else {
            demandOutcome();
            outcome().whenComplete((ended, failure) -> origin.completions.execute(() -> settle(target)));
        }
        return target;
    }

    private void demandOutcome() {
        if (!origin.submitted.isDone()) {
            origin.completions.demanded();
        }
    }

    /** Makes the value of the outcome, which is known. */
    private void settle(CompletableFuture<T> target) {
        outcome().whenComplete((ended, failure) -> {
            if (failure != null) {
                target.completeExceptionally(failure);
            } else if (ended.getState() != State.STATE_REALIZED) {
                target.completeExceptionally(RemoteFailures.of(id(), ended));
            } else {
                try {
                    origin.completions.load(this, ended, target);
                } catch (RuntimeException | Error unexpected) {
                    target.completeExceptionally(unexpected);
                }
            }
        });
    }

    @Override
    public FutureId id() {
        return number == 0 ? origin.id : BlockIds.future(origin.id, number);
    }

    @Override
    public CompletionStage<Void> submitted() {
        CompletableFuture<Void> submitted = origin.submitted;
        return submitted.isDone() ? submitted.copy() : submitted.thenRunAsync(() -> {}, origin.completions::execute);
    }

    @Override
    public boolean isDone() {
        CompletableFuture<Outcome> made = outcome;
        return made != null && made.isDone();
    }

    @Override
    public T get() throws InterruptedException {
        try {
            return await(Waits.NANOS_MAX);
        } catch (TimeoutException inNinetyYears) {
            throw new AssertionError(inNinetyYears);
        }
    }

    @Override
    public T get(Duration timeout) throws InterruptedException {
        try {
            return await(Waits.nanos(timeout));
        } catch (TimeoutException late) {
            throw new AwaitTimeoutException("The future " + id() + " has no value after " + timeout + ".", late);
        }
    }

    @Override
    public T awaitDurable() throws InterruptedException {
        return durable == null ? get() : durable.get();
    }

    @Override
    public T awaitDurable(Duration timeout) throws InterruptedException {
        return durable == null ? get(timeout) : durable.get(timeout);
    }

    @Override
    public CompletionStage<T> durable() {
        return durable == null ? this : durable;
    }

    private T await(long nanos) throws InterruptedException, TimeoutException {
        long deadline = origin.completions.nanoTime() + nanos;
        try {
            if (!isDone() || !stage().isDone()) {
                // What is sent because of this wait finds the slot of the waiting task free.
                try (Caller.Pause paused = origin.caller.pause()) {
                    awaitOutcome(deadline);
                    if (isElsewhere()) {
                        return stage().get(deadline - origin.completions.nanoTime(), TimeUnit.NANOSECONDS);
                    }
                }
            }
            return stage().get(deadline - origin.completions.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException failed) {
            throw cause(failed);
        }
    }

    private void awaitOutcome(long deadline) throws InterruptedException, TimeoutException {
        demandOutcome();
        try {
            var unused = outcome().get(deadline - origin.completions.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException unknown) {
            // The stage fails with the same.
        }
    }

    /** Whether there is a value that has to be fetched. */
    private boolean isElsewhere() {
        return !hasFailed() && outcome().join().getValueBytes() > 0;
    }

    @Override
    public <R> DurableFuture<R> then(SerializableFunction<? super T, R> function) {
        return then(origin.following(), function);
    }

    @Override
    @SuppressWarnings("unchecked") // A function of what T is is one of T.
    public <R> DurableFuture<R> then(SubmitOptions options, SerializableFunction<? super T, R> function) {
        return origin.caller.ratchet().then(options, this, (SerializableFunction<T, R>) function);
    }

    /** What it was submitted with. */
    SubmitOptions options() {
        return origin.options;
    }

    @Override
    public boolean cancel() {
        return origin.completions.cancel(List.of(this), false) == 1;
    }

    @Override
    public boolean kill() {
        return origin.completions.cancel(List.of(this), true) == 1;
    }

    /** Whether it is known that the future was cancelled. */
    boolean isCancelled() {
        return hasFailed()
                && !outcome().isCompletedExceptionally()
                && outcome().join().getState() == State.STATE_CANCELLED;
    }

    /** Whether it is known that the future has ended without a value. */
    boolean hasFailed() {
        return isDone()
                && (outcome().isCompletedExceptionally() || outcome().join().getState() != State.STATE_REALIZED);
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
        return "future " + id();
    }
}
