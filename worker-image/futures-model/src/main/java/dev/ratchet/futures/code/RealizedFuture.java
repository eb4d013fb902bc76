/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.code;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SerializableFunction;
import dev.ratchet.client.SubmitOptions;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** A future that a task has captured, inside of the task: it is realized, or the task would not run. */
final class RealizedFuture<T> extends StageView<T> implements DurableFuture<T> {

    private final FutureId id;
    private final Supplier<T> value;
    private final CompletableFuture<T> stage = new CompletableFuture<>();

    /** @param value reads the value, on first demand */
    RealizedFuture(FutureId id, Supplier<T> value) {
        this.id = id;
        this.value = value;
    }

    @Override
    protected CompletableFuture<T> stage() {
        synchronized (stage) {
            if (!stage.isDone()) {
                try {
                    stage.complete(value.get());
                } catch (RuntimeException unreadable) {
                    stage.completeExceptionally(unreadable);
                }
            }
        }
        return stage;
    }

    @Override
    public FutureId id() {
        return id;
    }

    @Override
    public CompletionStage<Void> submitted() {
        return CompletableFuture.completedStage(null);
    }

    @Override
    public boolean isDone() {
        return true;
    }

    @Override
    public T get() {
        try {
            return stage().join();
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw failed;
        }
    }

    @Override
    public T get(Duration timeout) {
        return get();
    }

    @Override
    public <R> DurableFuture<R> then(SerializableFunction<? super T, R> function) {
        return then(Ratchet.current().defaultOptions(), function);
    }

    @Override
    @SuppressWarnings("unchecked") // A function of what T is is one of T.
    public <R> DurableFuture<R> then(SubmitOptions options, SerializableFunction<? super T, R> function) {
        return Ratchet.current().then(options, this, (SerializableFunction<T, R>) function);
    }

    @Override
    public boolean cancel() {
        return false;
    }

    @Override
    public boolean kill() {
        return false;
    }
}
