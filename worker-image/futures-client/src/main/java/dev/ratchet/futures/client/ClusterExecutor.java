/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import dev.ratchet.client.AwaitTimeoutException;
import dev.ratchet.client.Awaited;
import dev.ratchet.client.CallableTask;
import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.FutureCancelledException;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.RatchetException;
import dev.ratchet.client.RunnableTask;
import dev.ratchet.client.SerializableCallable;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.environment.Environment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The cluster as an {@link java.util.concurrent.ExecutorService}. A task is submitted when it is executed, which is at
 * once; its plain future awaits and cancels the durable one. Remembers the futures that are not done, to cancel them at
 * {@link #shutdownNow} and to await them. Safe for use by several threads.
 */
final class ClusterExecutor extends AbstractExecutorService {

    private final Ratchet ratchet;
    private final SubmitOptions options;
    private final Set<DurableFuture<?>> open = ConcurrentHashMap.newKeySet();
    private final Environment environment;
    private volatile boolean shutdown;

    ClusterExecutor(Ratchet ratchet, SubmitOptions options, Environment environment) {
        this.environment = environment;
        this.ratchet = ratchet;
        this.options = options;
    }

    @Override
    protected <T> RunnableFuture<T> newTaskFor(Callable<T> task) {
        return new Submitted<>(start(new CallableTask<>(task)));
    }

    @Override
    protected <T> RunnableFuture<T> newTaskFor(Runnable task, @Nullable T value) {
        return new Submitted<>(start(new RunnableTask<>(task, value)));
    }

    @Override
    public void execute(Runnable task) {
        if (!(task instanceof Submitted<?>)) {
            var unused = start(new RunnableTask<Object>(task, null));
        }
    }

    private <T> DurableFuture<T> start(SerializableCallable<T> task) {
        if (shutdown) {
            throw new RejectedExecutionException("The executor was shut down");
        }
        DurableFuture<T> future = ratchet.submit(options, task);
        open.add(future);
        if (future instanceof RemoteFuture<T> remote) {
            remote.onDone(() -> open.remove(remote)); // which asks for no value
        }
        return future;
    }

    @Override
    public <T> T invokeAny(Collection<? extends Callable<T>> tasks) throws InterruptedException, ExecutionException {
        return any(tasks, Duration.ofNanos(Long.MAX_VALUE))
                .orElseThrow(() -> new IllegalStateException("A wait without a limit has ended"))
                .get();
    }

    @Override
    public <T> T invokeAny(Collection<? extends Callable<T>> tasks, long timeout, TimeUnit unit)
            throws InterruptedException, ExecutionException, TimeoutException {
        return any(tasks, Duration.ofNanos(unit.toNanos(timeout)))
                .orElseThrow(() -> new TimeoutException("No task has succeeded in time"))
                .get();
    }

    /** The first one that succeeds, or the last one if all have failed; the others are cancelled. */
    private <T> Optional<Submitted<T>> any(Collection<? extends Callable<T>> tasks, Duration limit)
            throws InterruptedException {
        if (tasks.isEmpty()) {
            throw new IllegalArgumentException("There is no task to run");
        }
        List<DurableFuture<T>> started = new ArrayList<>();
        try {
            tasks.forEach(task -> started.add(start(new CallableTask<>(task))));
            long deadline = environment.nanoTime() + Waits.nanos(limit);
            List<DurableFuture<T>> pending = started;
            while (true) {
                Awaited<T> waited = ratchet.await(pending, 1, Duration.ofNanos(deadline - environment.nanoTime()));
                pending = waited.pending();
                for (DurableFuture<T> done : waited.done()) {
                    if (!Waits.hasFailed(done)
                            || (pending.isEmpty() && done.equals(waited.done().getLast()))) {
                        return Optional.of(new Submitted<>(done));
                    }
                }
                if (waited.done().isEmpty()) {
                    return Optional.empty();
                }
            }
        } finally {
            var unused = ratchet.cancelAll(started);
        }
    }

    @Override
    public void shutdown() {
        shutdown = true;
    }

    /** Cancels what is not done. The list is empty: nothing waits in this process. */
    @Override
    public List<Runnable> shutdownNow() {
        shutdown = true;
        var unused = ratchet.cancelAll(List.copyOf(open));
        return List.of();
    }

    @Override
    public boolean isShutdown() {
        return shutdown;
    }

    @Override
    public boolean isTerminated() {
        return shutdown && open.stream().allMatch(DurableFuture::isDone);
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        List<DurableFuture<Object>> all = List.copyOf(open).stream()
                .map(future -> ratchet.<Object>future(future.id()))
                .toList();
        return ratchet.await(all, all.size(), Duration.ofNanos(unit.toNanos(timeout)))
                        .pending()
                        .isEmpty()
                && shutdown;
    }

    /** A durable future as a plain one. */
    private static final class Submitted<T> implements RunnableFuture<T> {

        private final DurableFuture<T> future;
        private volatile boolean cancelled;

        Submitted(DurableFuture<T> future) {
            this.future = future;
        }

        @Override
        public void run() {
            // It runs on a worker.
        }

        @Override
        public boolean cancel(boolean mayInterrupt) {
            boolean now = !isDone() && future.cancel();
            cancelled |= now;
            return now;
        }

        @Override
        public boolean isCancelled() {
            return cancelled || Waits.isCancelled(future);
        }

        @Override
        public boolean isDone() {
            return cancelled || future.isDone();
        }

        @Override
        public T get() throws InterruptedException, ExecutionException {
            try {
                return future.get();
            } catch (FutureCancelledException cancelled) {
                throw cancellation(cancelled);
            } catch (RatchetException failed) {
                throw new ExecutionException(failed);
            }
        }

        @Override
        public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
            try {
                return future.get(Duration.ofNanos(unit.toNanos(timeout)));
            } catch (AwaitTimeoutException late) {
                TimeoutException timeoutException = new TimeoutException(late.getMessage());
                timeoutException.initCause(late);
                throw timeoutException;
            } catch (FutureCancelledException cancelled) {
                throw cancellation(cancelled);
            } catch (RatchetException failed) {
                throw new ExecutionException(failed);
            }
        }

        private static CancellationException cancellation(FutureCancelledException cause) {
            CancellationException cancellation = new CancellationException(cause.getMessage());
            cancellation.initCause(cause);
            return cancellation;
        }
    }
}
