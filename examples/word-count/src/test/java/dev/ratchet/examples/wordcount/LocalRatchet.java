/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.examples.wordcount;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.JobSummary;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SerializableCallable;
import dev.ratchet.client.SerializableFunction;
import dev.ratchet.client.SubmitOptions;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Runs tasks at once in this thread, for tests of what the word count asks for. It has the methods of {@link Ratchet}
 * that the word count uses, and no other.
 */
final class LocalRatchet {

    /** This as what a program gets; a method that is missing here is an error that names it. */
    Ratchet asRatchet() {
        return (Ratchet) Proxy.newProxyInstance(
                LocalRatchet.class.getClassLoader(), new Class<?>[] {Ratchet.class}, (proxy, method, arguments) -> {
                    if (method.isDefault()) {
                        return InvocationHandler.invokeDefault(proxy, method, arguments);
                    }
                    return LocalRatchet.class
                            .getDeclaredMethod(method.getName(), method.getParameterTypes())
                            .invoke(this, arguments);
                });
    }

    <T> DurableFuture<T> submit(SubmitOptions options, SerializableCallable<T> task) {
        try {
            return done(task.call());
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    <A, T> List<DurableFuture<T>> map(
            SubmitOptions options, Collection<? extends A> arguments, SerializableFunction<A, T> function) {
        List<DurableFuture<T>> futures = new ArrayList<>();
        arguments.forEach(argument -> futures.add(submit(options, () -> function.apply(argument))));
        return futures;
    }

    <A, T> DurableFuture<T> reduce(
            SubmitOptions options,
            Collection<? extends DurableFuture<? extends A>> upstreams,
            SerializableFunction<List<A>, T> function) {
        return submit(options, () -> {
            List<A> values = new ArrayList<>();
            for (DurableFuture<? extends A> upstream : upstreams) {
                values.add(upstream.get());
            }
            return function.apply(values);
        });
    }

    <T> DurableFuture<T> awaitAny(Collection<? extends DurableFuture<T>> futures) {
        return futures.iterator().next();
    }

    JobSummary summary(String job) {
        return new JobSummary(job, Map.of(), Map.of("w-0", 1L), 0, 0);
    }

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
