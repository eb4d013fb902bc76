/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import dev.ratchet.client.AwaitTimeoutException;
import dev.ratchet.client.Awaited;
import dev.ratchet.client.ConnectionOptions;
import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.FutureState;
import dev.ratchet.client.JobSummary;
import dev.ratchet.client.NamedTask;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.RatchetException;
import dev.ratchet.client.SerializableCallable;
import dev.ratchet.client.SerializableFunction;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.futures.code.CodeReader;
import dev.ratchet.futures.lifecycle.Lifecycle;
import dev.ratchet.futures.record.Ids;
import dev.ratchet.protocol.client.v1.CancelReply;
import dev.ratchet.protocol.client.v1.CancelRequest;
import dev.ratchet.protocol.client.v1.Outcome;
import dev.ratchet.protocol.client.v1.SummaryReply;
import dev.ratchet.protocol.client.v1.SummaryRequest;
import dev.ratchet.protocol.futures.v1.ArgumentKind;
import dev.ratchet.store.environment.Environment;
import io.grpc.Status;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The client API over the gateway. Keeps in memory the futures whose outcome it waits for, and nothing else; all of it
 * can be asked for again. Safe for use by several threads.
 */
public final class RemoteRatchet implements Ratchet {

    private static final long FETCH_RETRY_MILLIS = 200;

    private final GatewayConnection connection;
    private final Duration closeTimeout;
    private final Artifacts artifacts;
    private final TaskPackaging packaging;
    private final Submitter submitter;
    private final OutcomeFeed feed;
    private final Environment environment;
    private final AutoCloseable owned;
    private final Map<FutureId, RemoteFuture<?>> waiting = new ConcurrentHashMap<>();
    private final Object changes = new Object();

    /**
     * Works over an open connection, which it closes in the end.
     *
     * @param owned is closed last
     */
    public RemoteRatchet(GatewayConnection connection, ConnectionOptions options, AutoCloseable owned) {
        this.connection = connection;
        this.environment = connection.environment();
        this.closeTimeout = options.connectTimeout();
        this.owned = owned;
        this.artifacts = new Artifacts(connection, options.artifacts());
        this.packaging = new TaskPackaging(connection, artifacts);
        this.submitter = new Submitter(connection, this::recorded);
        this.feed = new OutcomeFeed(connection, this::done);
    }

    @Override
    public <T> DurableFuture<T> submit(SubmitOptions options, SerializableCallable<T> task) {
        TaskPackaging.Code code = packaging.code(task);
        return submit(code, options, packaging.withoutArgument(code));
    }

    @Override
    public <T> DurableFuture<T> submit(SubmitOptions options, NamedTask task) {
        TaskPackaging.Code code = packaging.code(task);
        return submit(code, options, packaging.withArgument(code, task.argument()));
    }

    @Override
    public <A, T> List<DurableFuture<T>> map(
            SubmitOptions options, Collection<? extends A> arguments, SerializableFunction<A, T> function) {
        TaskPackaging.Code code = packaging.code(function);
        List<TaskPackaging.Argument> packed = new ArrayList<>();
        arguments.forEach(argument -> packed.add(packaging.withArgument(code, argument)));
        List<DurableFuture<T>> futures = new ArrayList<>();
        packed.forEach(argument -> futures.add(submit(code, options, argument)));
        return futures;
    }

    @Override
    public <A, T> DurableFuture<T> then(
            SubmitOptions options, DurableFuture<? extends A> upstream, SerializableFunction<A, T> function) {
        TaskPackaging.Code code = packaging.code(function);
        return submit(
                code,
                options,
                packaging.ofUpstreams(code, ArgumentKind.ARGUMENT_KIND_UPSTREAM, List.of(upstream.id())));
    }

    @Override
    public <A, T> DurableFuture<T> reduce(
            SubmitOptions options,
            Collection<? extends DurableFuture<? extends A>> upstreams,
            SerializableFunction<List<A>, T> function) {
        TaskPackaging.Code code = packaging.code(function);
        List<FutureId> ids = upstreams.stream().map(DurableFuture::id).toList();
        return submit(code, options, packaging.ofUpstreams(code, ArgumentKind.ARGUMENT_KIND_UPSTREAMS, ids));
    }

    private <T> DurableFuture<T> submit(
            TaskPackaging.Code code, SubmitOptions options, TaskPackaging.Argument argument) {
        FutureId id = FutureId.random();
        PendingSubmit pending = packaging.pack(id, code, options, argument);
        RemoteFuture<T> future = new RemoteFuture<>(id, this, pending.submitted(), code.classLoader());
        waiting.put(id, future);
        pending.submitted().whenComplete((done, failure) -> {
            if (failure != null) {
                waiting.remove(id, future);
            }
        });
        submitter.submit(pending);
        return future;
    }

    @Override
    public <T> DurableFuture<T> future(FutureId id) {
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        RemoteFuture<T> future = new RemoteFuture<>(
                id,
                this,
                CompletableFuture.completedFuture(null),
                context == null ? RemoteRatchet.class.getClassLoader() : context);
        waiting.put(id, future);
        feed.await(List.of(id));
        return future;
    }

    @Override
    public <T> Awaited<T> await(Collection<? extends DurableFuture<T>> futures, int count, Duration timeout)
            throws InterruptedException {
        long deadline = environment.nanoTime() + Math.min(timeout.toNanos(), Long.MAX_VALUE / 4);
        int wanted = Math.min(count, futures.size());
        synchronized (changes) {
            while (futures.stream().filter(DurableFuture::isDone).limit(wanted).count() < wanted) {
                long left = deadline - environment.nanoTime();
                if (left <= 0) {
                    break;
                }
                TimeUnit.NANOSECONDS.timedWait(changes, left);
            }
        }
        List<DurableFuture<T>> done = new ArrayList<>();
        List<DurableFuture<T>> pending = new ArrayList<>();
        futures.forEach(future -> (future.isDone() ? done : pending).add(future));
        return new Awaited<>(done, pending);
    }

    @Override
    public <T> DurableFuture<T> awaitAny(Collection<? extends DurableFuture<T>> futures) throws InterruptedException {
        if (futures.isEmpty()) {
            throw new dev.ratchet.client.InvalidInputException("There is no future to wait for.");
        }
        return await(futures, 1, Duration.ofNanos(Long.MAX_VALUE)).done().get(0);
    }

    @Override
    public <T> List<T> awaitAll(Collection<? extends DurableFuture<T>> futures) throws InterruptedException {
        return awaitAll(futures, Duration.ofNanos(Long.MAX_VALUE));
    }

    @Override
    public <T> List<T> awaitAll(Collection<? extends DurableFuture<T>> futures, Duration timeout)
            throws InterruptedException {
        long deadline = environment.nanoTime() + Math.min(timeout.toNanos(), Long.MAX_VALUE / 4);
        List<DurableFuture<T>> all = new ArrayList<>(futures);
        synchronized (changes) {
            while (!all.stream().allMatch(DurableFuture::isDone) && all.stream().noneMatch(RemoteRatchet::hasFailed)) {
                long left = deadline - environment.nanoTime();
                if (left <= 0) {
                    break;
                }
                TimeUnit.NANOSECONDS.timedWait(changes, left);
            }
        }
        for (DurableFuture<T> future : all) {
            if (hasFailed(future)) {
                var unused = future.get();
            }
        }
        all.forEach(DurableFuture::toCompletableFuture);
        List<T> values = new ArrayList<>();
        for (DurableFuture<T> future : all) {
            long left = deadline - environment.nanoTime();
            if (left <= 0) {
                throw new AwaitTimeoutException("After " + timeout + " only "
                        + all.stream().filter(DurableFuture::isDone).count() + " of " + all.size()
                        + " futures have a value.");
            }
            values.add(future.get(Duration.ofNanos(left)));
        }
        return values;
    }

    private static boolean hasFailed(DurableFuture<?> future) {
        return future instanceof RemoteFuture<?> remote && remote.hasFailed();
    }

    @Override
    public JobSummary summary(String job) {
        SummaryReply reply = GatewayConnection.await(connection.call((stub, answer) ->
                stub.summary(SummaryRequest.newBuilder().setJob(job).build(), answer)));
        return summary(job, reply);
    }

    /** A job's counters as the API shows them. */
    public static JobSummary summary(String job, SummaryReply reply) {
        Map<FutureState, Long> states = new EnumMap<>(FutureState.class);
        reply.getStatesList()
                .forEach(
                        state -> states.put(FutureState.valueOf(Lifecycle.word(state.getState())), state.getFutures()));
        Map<String, Long> bySeat = new LinkedHashMap<>();
        reply.getRealizedBySeatList().forEach(seat -> bySeat.put(seat.getSeat(), seat.getFutures()));
        return new JobSummary(job, states, bySeat, reply.getRetried(), reply.getRecomputed());
    }

    @Override
    public void close() {
        try {
            var unused = submitter.flushed().get(closeTimeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException | java.util.concurrent.ExecutionException unrecorded) {
            throw new RatchetException(
                    "Disconnected before everything was recorded: the futures whose submitted() has not completed may"
                            + " be lost.",
                    unrecorded);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            connection.close();
            closeOwned();
        }
    }

    private void closeOwned() {
        try {
            owned.close();
        } catch (Exception failure) {
            throw new RatchetException("The connection's threads could not be stopped", failure);
        }
    }

    /** Ends a future; whether it is cancelled now. */
    boolean cancel(RemoteFuture<?> future) {
        GatewayConnection.await(future.submitted().toCompletableFuture().handle((done, failure) -> true));
        CancelReply reply = GatewayConnection.await(connection.call((stub, answer) -> stub.cancel(
                CancelRequest.newBuilder().addIds(Ids.bytes(future.id())).build(), answer)));
        return reply.getCancelledCount() == 1;
    }

    /** Reads the value of a realized future into {@code target}. */
    <T> void load(RemoteFuture<T> future, Outcome outcome, CompletableFuture<T> target) {
        if (outcome.getValueBytes() == 0) {
            environment
                    .executor()
                    .execute(() -> decode(future, outcome.getInline().toByteArray(), target));
        } else {
            fetch(future, target);
        }
    }

    private <T> void fetch(RemoteFuture<T> future, CompletableFuture<T> target) {
        ValueFetch.start(connection.stub(), future.id())
                .whenCompleteAsync(
                        (bytes, failure) -> {
                            if (failure == null) {
                                decode(future, bytes, target);
                            } else if (Status.fromThrowable(failure).getCode() == Status.Code.FAILED_PRECONDITION) {
                                awaitAgain(future, target);
                            } else if (GatewayConnection.mayRetry(failure) && !connection.isClosed()) {
                                var unused = environment.schedule(FETCH_RETRY_MILLIS, () -> fetch(future, target));
                            } else {
                                target.completeExceptionally(new RatchetException(
                                        "The value of " + future.id() + " could not be fetched: "
                                                + Status.fromThrowable(failure).getDescription(),
                                        failure));
                            }
                        },
                        environment.executor());
    }

    /** The result was lost and is computed again: there will be another outcome. */
    private <T> void awaitAgain(RemoteFuture<T> future, CompletableFuture<T> target) {
        RemoteFuture<T> again =
                new RemoteFuture<>(future.id(), this, CompletableFuture.completedFuture(null), future.classes());
        waiting.put(future.id(), again);
        var unused = again.stage().whenComplete((value, failure) -> {
            if (failure != null) {
                target.completeExceptionally(failure);
            } else {
                target.complete(value);
            }
        });
        feed.await(List.of(future.id()));
    }

    @SuppressWarnings("unchecked") // The task that made the value was submitted with this type.
    private <T> void decode(RemoteFuture<T> future, byte[] bytes, CompletableFuture<T> target) {
        try {
            target.complete((T) CodeReader.read(bytes, future.classes(), Map.of()));
        } catch (IOException | ClassNotFoundException | RuntimeException | LinkageError unreadable) {
            target.completeExceptionally(new RatchetException(
                    "The value of " + future.id() + " can not be read here: " + unreadable, unreadable));
        }
    }

    /** Wakes those who wait for some of several futures. */
    void changed() {
        synchronized (changes) {
            changes.notifyAll();
        }
    }

    private void recorded(List<FutureId> ids) {
        feed.await(ids);
    }

    private void done(FutureId id, Outcome outcome) {
        RemoteFuture<?> future = waiting.remove(id);
        if (future != null) {
            future.complete(outcome);
            changed();
        }
    }
}
