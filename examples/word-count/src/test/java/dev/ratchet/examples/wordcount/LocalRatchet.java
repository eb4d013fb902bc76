/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.examples.wordcount;

import dev.ratchet.client.Actor;
import dev.ratchet.client.AwaitTimeoutException;
import dev.ratchet.client.Awaited;
import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.JobSummary;
import dev.ratchet.client.NamedTask;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SerializableCallable;
import dev.ratchet.client.SerializableFunction;
import dev.ratchet.client.SubmitOptions;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.stream.Stream;

/** Runs tasks at once in this thread, for tests of what a program asks for; counts what was submitted. */
final class LocalRatchet implements Ratchet {

    final List<Integer> mapped = new ArrayList<>();
    int reduced;
    int widestReduce;

    @Override
    public <S> Actor<S> actor(SubmitOptions options, String name, SerializableCallable<S> create) {
        throw new UnsupportedOperationException("the word count has no actors");
    }

    @Override
    public SubmitOptions defaultOptions() {
        return SubmitOptions.defaults();
    }

    @Override
    public <T> Stream<DurableFuture<T>> asCompleted(Collection<? extends DurableFuture<T>> futures) {
        return List.<DurableFuture<T>>copyOf(futures).stream();
    }

    @Override
    public int cancelAll(Collection<? extends DurableFuture<?>> futures) {
        return 0;
    }

    @Override
    public <T> DurableFuture<T> put(SubmitOptions options, T value) {
        throw new UnsupportedOperationException("the word count puts no values");
    }

    @Override
    public int prioritizeAll(Collection<? extends DurableFuture<?>> futures, int priority) {
        return 0;
    }

    @Override
    public <T> T getStored(FutureId id, Class<T> type, Duration timeout) {
        throw new UnsupportedOperationException("the word count looks no futures up");
    }

    @Override
    public int deleteAll(Collection<? extends DurableFuture<?>> futures) {
        return 0;
    }

    @Override
    public List<String> replicate(DurableFuture<?> future, int copies) {
        return List.of();
    }

    @Override
    public List<String> transfer(DurableFuture<?> future, String seat) {
        return List.of();
    }

    @Override
    public ExecutorService executor(SubmitOptions options) {
        throw new UnsupportedOperationException("the word count needs no executor");
    }

    @Override
    public <T> DurableFuture<T> submit(SubmitOptions options, SerializableCallable<T> task) {
        try {
            return done(task.call());
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public <T> DurableFuture<T> submit(SubmitOptions options, NamedTask task) {
        throw new UnsupportedOperationException("the word count names no tasks");
    }

    @Override
    public <A, T> List<DurableFuture<T>> map(
            SubmitOptions options, Collection<? extends A> arguments, SerializableFunction<A, T> function) {
        mapped.add(arguments.size());
        List<DurableFuture<T>> futures = new ArrayList<>();
        arguments.forEach(argument -> futures.add(submit(options, () -> function.apply(argument))));
        return futures;
    }

    @Override
    public <A, T> DurableFuture<T> then(
            SubmitOptions options, DurableFuture<? extends A> upstream, SerializableFunction<A, T> function) {
        throw new UnsupportedOperationException("the word count chains no futures");
    }

    @Override
    public <A, T> DurableFuture<T> reduce(
            SubmitOptions options,
            Collection<? extends DurableFuture<? extends A>> upstreams,
            SerializableFunction<List<A>, T> function) {
        reduced++;
        widestReduce = Math.max(widestReduce, upstreams.size());
        return submit(options, () -> {
            List<A> values = new ArrayList<>();
            for (DurableFuture<? extends A> upstream : upstreams) {
                values.add(upstream.get());
            }
            return function.apply(values);
        });
    }

    @Override
    public <T> DurableFuture<T> future(FutureId id) {
        throw new UnsupportedOperationException("the word count looks no futures up");
    }

    @Override
    public <T> Awaited<T> await(Collection<? extends DurableFuture<T>> futures, int count, Duration timeout) {
        return new Awaited<>(List.copyOf(futures), List.of());
    }

    @Override
    public <T> DurableFuture<T> awaitAny(Collection<? extends DurableFuture<T>> futures) {
        return futures.iterator().next();
    }

    @Override
    public <T> List<T> awaitAll(Collection<? extends DurableFuture<T>> futures) throws InterruptedException {
        List<T> values = new ArrayList<>();
        for (DurableFuture<T> future : futures) {
            values.add(future.get());
        }
        return values;
    }

    @Override
    public <T> List<T> awaitAll(Collection<? extends DurableFuture<T>> futures, Duration timeout)
            throws InterruptedException, AwaitTimeoutException {
        return awaitAll(futures);
    }

    @Override
    public JobSummary summary(String job) {
        return new JobSummary(job, Map.of(), Map.of("w-0", 1L), 0, 0);
    }

    @Override
    public void close() {}

    /** A stage of a completed future, with the value; a proxy, because a stage has some forty methods. */
    @SuppressWarnings("unchecked") // the proxy implements what it is cast to
    private static <T> DurableFuture<T> done(T value) {
        CompletableFuture<T> stage = CompletableFuture.completedFuture(value);
        return (DurableFuture<T>) Proxy.newProxyInstance(
                LocalRatchet.class.getClassLoader(),
                new Class<?>[] {DurableFuture.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "get" -> value;
                    case "isDone" -> true;
                    case "hashCode" -> System.identityHashCode(proxy);
                    case "equals" -> proxy == arguments[0];
                    default -> method.invoke(stage, arguments);
                });
    }
}
