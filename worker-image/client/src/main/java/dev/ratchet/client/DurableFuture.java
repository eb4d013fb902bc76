/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * The result of a task on the cluster, now or later. Its state lives in the cluster's store: it goes on when this
 * process ends, and any client finds it again by {@link #id()}. As a {@link CompletionStage} it completes with the
 * value or with the {@link RatchetException} that tells why there is none.
 *
 * <p>A future that a task captures or takes as an argument is an upstream of that task: the task starts when it is
 * realized, and inside of the task {@link #get()} returns at once.
 *
 * <p>With {@link SubmitOptions#withSpeculativeValue} the value may come before the store has recorded it. It then stays
 * what it is for {@code get} and for stages, while {@link #awaitDurable()} and {@link #durable()} give what is
 * recorded:
 *
 * <pre>{@code
 * DurableFuture<Quote> quote = ratchet.submit(options.withSpeculativeValue(), () -> quote(order));
 * show(quote.get());           // may be shown, and may change
 * pay(quote.awaitDurable());   // is recorded, and the same for everybody
 * }</pre>
 *
 * <p>Safe for use by several threads. Dependent stages may block: they have threads of their own. A large value is
 * fetched when it is first asked for, by {@code get} or by a dependent stage, and not before.
 */
public interface DurableFuture<T> extends CompletionStage<T> {

    /** The name of the future in the cluster, chosen before it is recorded; never blocks. */
    FutureId id();

    /**
     * Completes when the store has recorded the future: from then on no crash loses it. Fails with what prevented it.
     */
    CompletionStage<Void> submitted();

    /** Whether an outcome (value, failure or cancellation) is known here, recorded or not. Never blocks. */
    boolean isDone();

    /**
     * Waits for the value without a limit.
     *
     * @throws TaskFailedException if every allowed attempt failed
     * @throws UpstreamDependencyFailedException if something it depends on failed
     * @throws FutureCancelledException if it was cancelled
     * @throws ObjectLostException if the result is lost for good
     */
    T get() throws InterruptedException;

    /**
     * As {@link #get()}, for at most {@code timeout}.
     *
     * @throws AwaitTimeoutException if there is no outcome by then
     */
    T get(Duration timeout) throws InterruptedException;

    /**
     * Waits for the value that is recorded, without a limit. It differs from that of {@link #get()} only where that one
     * was speculative, its worker died before the commit, and the task is not deterministic. Fails as {@code get} does,
     * also where {@code get} has given a value.
     */
    default T awaitDurable() throws InterruptedException {
        return get();
    }

    /**
     * As {@link #awaitDurable()}, for at most {@code timeout}.
     *
     * @throws AwaitTimeoutException if nothing is recorded by then
     */
    default T awaitDurable(Duration timeout) throws InterruptedException {
        return get(timeout);
    }

    /** Completes with the value that is recorded, or with the failure: this future, unless its value is speculative. */
    default CompletionStage<T> durable() {
        return this;
    }

    /**
     * Runs {@code function} on the value of this future, once it is realized: {@link Ratchet#then} on the connection
     * that this future comes from, with the job, tenant, priority and retention that it was submitted with.
     */
    <R> DurableFuture<R> then(SerializableFunction<? super T, R> function);

    /** {@link #then(SerializableFunction)} with options of its own. */
    <R> DurableFuture<R> then(SubmitOptions options, SerializableFunction<? super T, R> function);

    /**
     * Ends the future without a result, wherever it is, and whatever its code has submitted; code that runs is
     * interrupted. Waits until that is recorded.
     *
     * @return whether it is cancelled now; false if it was done before
     */
    boolean cancel();

    /**
     * Ends the attempt that runs now, if one does: its code is interrupted, and the attempt counts as lost with its
     * worker, so that the future is tried again where its retries allow.
     *
     * @return whether an attempt was running
     */
    boolean kill();
}
