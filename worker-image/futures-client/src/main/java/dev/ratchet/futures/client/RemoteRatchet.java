/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import com.google.protobuf.UnsafeByteOperations;
import dev.ratchet.client.Actor;
import dev.ratchet.client.AwaitTimeoutException;
import dev.ratchet.client.Awaited;
import dev.ratchet.client.ClusterCircuit;
import dev.ratchet.client.ConnectionOptions;
import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.FutureInfo;
import dev.ratchet.client.FutureQuery;
import dev.ratchet.client.FutureState;
import dev.ratchet.client.Generation;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.Items;
import dev.ratchet.client.JobSummary;
import dev.ratchet.client.NamedTask;
import dev.ratchet.client.ObjectLostException;
import dev.ratchet.client.PreparedFuture;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.RatchetException;
import dev.ratchet.client.SerializableCallable;
import dev.ratchet.client.SerializableFunction;
import dev.ratchet.client.SerializableGenerator;
import dev.ratchet.client.Sessions;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.futures.code.ResultClasses;
import dev.ratchet.futures.code.ResultReader;
import dev.ratchet.futures.lifecycle.Lifecycle;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.model.SchedulingSpecs;
import dev.ratchet.protocol.client.v1.BindRequest;
import dev.ratchet.protocol.client.v1.SubmitRequest;
import dev.ratchet.protocol.client.v1.SummaryReply;
import dev.ratchet.protocol.client.v1.SummaryRequest;
import dev.ratchet.protocol.futures.v1.ArgumentKind;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The client API over the gateway, for a program of its own or for a task on a worker. Everything that outlives a call
 * is in the {@link ClientHub}. Safe for use by several threads.
 */
public final class RemoteRatchet implements Ratchet {

    private static final int ACTOR_NAME_LENGTH_MAX = 150;

    private final ClientHub hub;
    private final TaskPackaging packaging;
    private final Caller caller;
    private final ValueCalls values;
    private final @Nullable AutoCloseable owned;

    /**
     * Works for a program over an open connection, which it closes in the end.
     *
     * @param owned is closed last
     */
    public RemoteRatchet(GatewayConnection connection, ConnectionOptions options, AutoCloseable owned) {
        Artifacts artifacts = new Artifacts(connection, options.artifacts());
        this.hub = ClientHub.ofProgram(
                connection,
                options.connectTimeout(),
                new ResultReader(new ResultClasses(ownClasses(options, artifacts))));
        this.packaging = new TaskPackaging(connection, hub.lease(), artifacts);
        this.caller = () -> this;
        this.values = new ValueCalls(hub, caller);
        this.owned = owned;
    }

    private static Predicate<Class<?>> ownClasses(ConnectionOptions options, Artifacts artifacts) {
        return type -> artifacts.hold(type) || options.allowsResultClass(type.getName());
    }

    /** Works for one of several callers of a hub, with code that the cluster has already. */
    RemoteRatchet(ClientHub hub, Shipping shipping, Caller caller) {
        this.hub = hub;
        this.packaging = new TaskPackaging(hub.connection(), hub.lease(), shipping);
        this.caller = caller;
        this.values = new ValueCalls(hub, caller);
        this.owned = null;
    }

    @Override
    public SubmitOptions defaultOptions() {
        return caller.defaultOptions();
    }

    /** Code that is sent otherwise than with a future. */
    TaskPackaging.Task packed(SerializableCallable<?> task) {
        return packaging.task(task);
    }

    @Override
    public <T> DurableFuture<T> submit(SubmitOptions options, SerializableCallable<T> task) {
        TaskPackaging.Task packed = packaging.task(task);
        return submit(packed.code(), options, packed.argument());
    }

    @Override
    public <T> DurableFuture<T> submit(SubmitOptions options, NamedTask task) {
        TaskPackaging.Task packed = packaging.task(task);
        return submit(packed.code(), options, packed.argument());
    }

    @Override
    public <A, T> List<DurableFuture<T>> map(
            SubmitOptions options, Collection<? extends A> arguments, SerializableFunction<A, T> function) {
        CodePackaging.Code code = packaging.code(function, arguments);
        List<TaskPackaging.Argument> packed = new ArrayList<>();
        arguments.forEach(argument -> packed.add(packaging.withArgument(code, argument)));
        List<DurableFuture<T>> futures = new ArrayList<>();
        packed.forEach(argument -> futures.add(submit(code, options, argument)));
        return futures;
    }

    @Override
    public <A, T> DurableFuture<T> then(
            SubmitOptions options, DurableFuture<? extends A> upstream, SerializableFunction<A, T> function) {
        CodePackaging.Code code = packaging.code(function, null);
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
        CodePackaging.Code code = packaging.code(function, null);
        List<FutureId> ids = upstreams.stream().map(DurableFuture::id).toList();
        return submit(code, options, packaging.ofUpstreams(code, ArgumentKind.ARGUMENT_KIND_UPSTREAMS, ids));
    }

    @Override
    public PreparedFuture prepare(SubmitOptions options, SerializableCallable<?> task) {
        TaskPackaging.Task packed = packaging.task(task);
        return prepare(packed.code(), options, packed.argument());
    }

    @Override
    public <A> PreparedFuture prepare(
            SubmitOptions options, Collection<FutureId> upstreams, SerializableFunction<List<A>, ?> function) {
        CodePackaging.Code code = packaging.code(function, null);
        return prepare(
                code,
                options,
                packaging.ofUpstreams(code, ArgumentKind.ARGUMENT_KIND_UPSTREAMS, List.copyOf(upstreams)));
    }

    private PreparedFuture prepare(CodePackaging.Code code, SubmitOptions options, TaskPackaging.Argument argument) {
        if (caller.parent().isPresent()) {
            throw new InvalidInputException(
                    "A task has no transaction of its own: what its TaskStore writes is recorded with its result.");
        }
        PendingSubmit pending = packaging.pack(caller, code, options, argument);
        GatewayConnection.await(CompletableFuture.allOf(pending.ready(), hub.flushed()));
        return new PreparedFuture(
                pending.id(),
                SubmitRequest.newBuilder()
                        .addFunctions(pending.function())
                        .addFutures(pending.future().toBuilder().clearClient().clearTellEarly())
                        .build()
                        .toByteArray());
    }

    private <T> RemoteFuture<T> submit(
            CodePackaging.Code code, SubmitOptions options, TaskPackaging.Argument argument) {
        Optional<TaskPackaging.Common> common = packaging.inBlock(caller, code, options, argument);
        if (common.isPresent()) {
            return hub.submit(
                    common.get(),
                    code.function(),
                    UnsafeByteOperations.unsafeWrap(argument.bytes()),
                    caller,
                    code.classLoader());
        }
        PendingSubmit pending = packaging.pack(caller, code, options, argument);
        RemoteFuture<T> future = RemoteFuture.of(
                new RemoteFuture.Origin(
                        pending.id(), hub.completions(), caller, pending.submitted(), code.classLoader(), options),
                pending.future().getTellEarly());
        hub.submit(pending, future);
        return future;
    }

    @Override
    public <T> Items<T> generate(SubmitOptions options, int ahead, SerializableGenerator<T> generator) {
        if (ahead < 1 || ahead > SchedulingSpecs.ITEMS_AHEAD_MAX) {
            throw new InvalidInputException("A generator may be 1 to " + SchedulingSpecs.ITEMS_AHEAD_MAX
                    + " items ahead of its readers, and not " + ahead + ".");
        }
        CodePackaging.Code code = packaging.code(new Generation<>(generator), null);
        return new RemoteItems<>(hub, caller, submit(code, options, packaging.ofItems(code, ahead)));
    }

    @Override
    public <T> Items<T> items(FutureId id) {
        return new RemoteItems<>(hub, caller, known(id));
    }

    @Override
    public <T> DurableFuture<T> future(FutureId id) {
        return known(id);
    }

    private <T> RemoteFuture<T> known(FutureId id) {
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        hub.connection().requireOpen();
        Completions completions = hub.completions();
        CompletableFuture<Void> recorded = completions.recorded(id);
        RemoteFuture<T> future = RemoteFuture.of(new RemoteFuture.Origin(
                id,
                completions,
                caller,
                recorded,
                context == null ? RemoteRatchet.class.getClassLoader() : context,
                defaultOptions()));
        completions.expect(future);
        var unused = recorded.thenRun(() -> completions.askSoon(id));
        return future;
    }

    @Override
    public <T> Awaited<T> await(Collection<? extends DurableFuture<T>> futures, int count, Duration timeout)
            throws InterruptedException {
        if (count < 0) {
            throw new InvalidInputException("The number of futures to wait for is not negative, as " + count + " is.");
        }
        long deadline = deadline(timeout);
        Waits<T> waits = waits(futures);
        Set<DurableFuture<T>> found = new HashSet<>();
        DurableFuture<T> next = null;
        do {
            next = found.size() < count ? waits.next(deadline) : waits.poll();
            if (next != null) {
                found.add(next);
            }
        } while (next != null);
        List<DurableFuture<T>> done = new ArrayList<>();
        List<DurableFuture<T>> pending = new ArrayList<>();
        futures.forEach(future -> (found.contains(future) ? done : pending).add(future));
        return new Awaited<>(done, pending);
    }

    @Override
    public <T> DurableFuture<T> awaitAny(Collection<? extends DurableFuture<T>> futures) throws InterruptedException {
        if (futures.isEmpty()) {
            throw new InvalidInputException("There is no future to wait for.");
        }
        return await(futures, 1, Duration.ofNanos(Long.MAX_VALUE)).done().get(0);
    }

    @Override
    public <T> Stream<DurableFuture<T>> asCompleted(Collection<? extends DurableFuture<T>> futures) {
        return waits(futures).stream();
    }

    @Override
    public <T> List<T> awaitAll(Collection<? extends DurableFuture<T>> futures) throws InterruptedException {
        return awaitAll(futures, Duration.ofNanos(Long.MAX_VALUE));
    }

    @Override
    public <T> List<T> awaitAll(Collection<? extends DurableFuture<T>> futures, Duration timeout)
            throws InterruptedException {
        long deadline = deadline(timeout);
        Waits<T> waits = waits(futures);
        int done = 0;
        DurableFuture<T> next = waits.next(deadline);
        while (next != null) {
            if (Waits.hasFailed(next)) {
                var unused = next.get();
            }
            done++;
            next = waits.next(deadline);
        }
        futures.forEach(DurableFuture::toCompletableFuture);
        List<T> values = new ArrayList<>();
        for (DurableFuture<T> future : futures) {
            long left = deadline - hub.environment().nanoTime();
            if (left <= 0 || done < futures.size()) {
                throw new AwaitTimeoutException(
                        "After " + timeout + " only " + done + " of " + futures.size() + " futures are done.");
            }
            values.add(future.get(Duration.ofNanos(left)));
        }
        return values;
    }

    @Override
    public <S> Actor<S> actor(SubmitOptions options, String name, SerializableCallable<S> create) {
        if (name.isEmpty() || name.length() > ACTOR_NAME_LENGTH_MAX) {
            throw new InvalidInputException("The name of an actor has 1 to " + ACTOR_NAME_LENGTH_MAX
                    + " characters, and not " + name.length() + ".");
        }
        return new RemoteActor<>(this, options, name, create);
    }

    /** Submits a call of an actor: what it is applied to is the state of that. */
    <T> RemoteFuture<T> submitCall(
            TaskPackaging.Call call, ArgumentKind kind, SubmitOptions options, SerializableFunction<?, T> body) {
        TaskPackaging.Task packed = packaging.call(call, kind, body);
        return submit(packed.code(), options, packed.argument());
    }

    private <T> Waits<T> waits(Collection<? extends DurableFuture<T>> futures) {
        return new Waits<>(futures, caller, hub.environment());
    }

    private long deadline(Duration timeout) {
        return hub.environment().nanoTime() + Waits.nanos(timeout);
    }

    @Override
    public int cancelAll(Collection<? extends DurableFuture<?>> futures) {
        List<RemoteFuture<?>> all = new ArrayList<>();
        for (DurableFuture<?> future : futures) {
            if (future instanceof RemoteFuture<?> remote) {
                all.add(remote);
            }
        }
        return hub.completions().cancel(all, false);
    }

    @Override
    public <T> DurableFuture<T> put(SubmitOptions options, T value) {
        return values.put(options, value);
    }

    @Override
    public int prioritizeAll(Collection<? extends DurableFuture<?>> futures, int priority) {
        return hub.completions()
                .prioritize(futures, defaultOptions().withPriority(priority).priority());
    }

    @Override
    public <T> @Nullable T getStored(FutureId id, Class<T> type, Duration timeout) throws InterruptedException {
        if (isIn(id, FutureState.LOST)) {
            throw new ObjectLostException("The result of " + id + " is lost with the workers that held it.");
        }
        DurableFuture<T> handle = future(id);
        if (await(List.of(handle), 1, timeout).done().isEmpty()) {
            throw new AwaitTimeoutException("The future " + id + " has no outcome after " + timeout + ".");
        }
        if (!isIn(id, FutureState.REALIZED)) {
            return handle.get(timeout);
        }
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        try {
            return type.cast(hub.completions()
                    .results()
                    .read(values.stored(id), context == null ? RemoteRatchet.class.getClassLoader() : context));
        } catch (IOException | ClassNotFoundException | ClassCastException unreadable) {
            throw new RatchetException("The value of " + id + " can not be read here: " + unreadable, unreadable);
        }
    }

    private boolean isIn(FutureId id, FutureState state) {
        return describe(id).filter(info -> info.state() == state).isPresent();
    }

    @Override
    public int deleteAll(Collection<? extends DurableFuture<?>> futures) {
        return values.delete(futures);
    }

    @Override
    public int hold(Collection<? extends DurableFuture<?>> futures) {
        return values.hold(futures, false);
    }

    @Override
    public int release(Collection<? extends DurableFuture<?>> futures) {
        return values.hold(futures, true);
    }

    @Override
    public ClusterCircuit circuit() {
        return new RemoteCircuit(hub, caller, packaging);
    }

    @Override
    public Sessions sessions() {
        return new RemoteSessions(this, hub, caller);
    }

    @Override
    public void bind(String name, DurableFuture<?> future) {
        GatewayConnection.await(future.submitted().toCompletableFuture());
        var unused = values.bind(named(name).setBind(Ids.bytes(future.id())).build());
    }

    @Override
    public <T> Optional<DurableFuture<T>> bound(String name) {
        return values.bind(named(name).build()).map(id -> this.<T>future(id));
    }

    @Override
    public boolean unbind(String name) {
        return values.bind(named(name).setUnbind(true).build()).isPresent();
    }

    private BindRequest.Builder named(String name) {
        return BindRequest.newBuilder().setTenant(defaultOptions().tenant()).setName(name);
    }

    @Override
    public List<String> replicate(DurableFuture<?> future, int copies) {
        return values.replicate(future, copies);
    }

    @Override
    public List<String> transfer(DurableFuture<?> future, String seat) {
        return values.transfer(future, seat);
    }

    @Override
    public ExecutorService executor(SubmitOptions options) {
        return new ClusterExecutor(this, options, hub.environment());
    }

    @Override
    public Optional<FutureInfo> describe(FutureId id) {
        GatewayConnection.await(hub.completions().recorded(id));
        return new Inspection(hub.connection()).describe(id);
    }

    @Override
    public Stream<FutureInfo> list(FutureQuery query) {
        GatewayConnection.await(hub.flushed());
        return new Inspection(hub.connection()).list(query);
    }

    @Override
    public JobSummary summary(String job) {
        GatewayConnection.await(hub.flushed());
        GatewayConnection connection = hub.connection();
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
        if (owned != null) {
            hub.close(owned);
        }
    }
}
