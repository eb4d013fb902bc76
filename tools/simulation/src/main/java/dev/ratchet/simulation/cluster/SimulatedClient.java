/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.cluster;

import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.simulated.SimulatedTask;
import dev.ratchet.futures.code.CodeWriter;
import dev.ratchet.futures.code.Digests;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.protocol.client.v1.AwaitRequest;
import dev.ratchet.protocol.client.v1.CancelReply;
import dev.ratchet.protocol.client.v1.CancelRequest;
import dev.ratchet.protocol.client.v1.FetchRequest;
import dev.ratchet.protocol.client.v1.GatewayGrpc;
import dev.ratchet.protocol.client.v1.HelloReply;
import dev.ratchet.protocol.client.v1.HelloRequest;
import dev.ratchet.protocol.client.v1.Outcome;
import dev.ratchet.protocol.client.v1.OutcomeBatch;
import dev.ratchet.protocol.client.v1.SubmitReply;
import dev.ratchet.protocol.client.v1.SubmitRequest;
import dev.ratchet.protocol.client.v1.SubmittedFunction;
import dev.ratchet.protocol.client.v1.SubmittedFuture;
import dev.ratchet.protocol.client.v1.ValueChunk;
import dev.ratchet.protocol.futures.v1.ArgumentKind;
import dev.ratchet.protocol.futures.v1.FunctionRecord;
import dev.ratchet.protocol.futures.v1.SchedulingSpec;
import dev.ratchet.protocol.futures.v1.SessionBinding;
import dev.ratchet.protocol.futures.v1.State;
import dev.ratchet.simulation.world.VirtualProcess;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A client that never gives up: each future is submitted until one worker has acknowledged it and awaited until there
 * is an outcome, at whichever worker is there. It speaks the same calls as the real client.
 */
public final class SimulatedClient {

    private static final long RETRY_MILLIS = 300;

    /** What takes longer is not declared short. */
    private static final long SHORT_MILLIS = 500;

    /** One of so many futures that are not short is declared to have external effects. */
    public static final int EFFECTS_EVERY = 8;

    private static final long ANSWER_SECONDS = 3;
    private static final int RETRIES = 20;
    private static final int RETRIES_IN_VAIN = 2;

    private final SimulatedCluster cluster;
    private final VirtualProcess process;
    private final Map<FutureId, Submitted> futures = new LinkedHashMap<>();
    private final Map<FutureId, String> wishes = new HashMap<>();
    private final Set<FutureId> sent = new LinkedHashSet<>();
    private final Set<FutureId> acknowledged = new LinkedHashSet<>();
    private final Map<FutureId, Outcome> outcomes = new LinkedHashMap<>();
    private @Nullable StreamObserver<AwaitRequest> stream;
    private boolean connecting;

    /** A future and what it is made of. */
    public record Submitted(FutureId id, SimulatedTask task, List<FutureId> upstreams) {}

    public SimulatedClient(SimulatedCluster cluster) {
        this.cluster = cluster;
        this.process = new VirtualProcess(cluster.world, "client", 0);
    }

    /** Submits a future that takes {@code upstreams}, which are this client's, as its argument. */
    public FutureId submit(SimulatedTask task, List<FutureId> upstreams) {
        FutureId id = FutureId.ofRandom(
                cluster.world.random().nextLong(), cluster.world.random().nextLong());
        submit(id, task, upstreams);
        return id;
    }

    /** As {@link #submit(SimulatedTask, List)}, with an id that was chosen. */
    public void submit(FutureId id, SimulatedTask task, List<FutureId> upstreams) {
        Submitted future = new Submitted(id, task, List.copyOf(upstreams));
        futures.put(id, future);
        process.executor().execute(() -> send(List.of(future)));
    }

    /** Submits a future that had best run on one seat. */
    public FutureId submitTo(String seat, SimulatedTask task) {
        FutureId id = FutureId.ofRandom(
                cluster.world.random().nextLong(), cluster.world.random().nextLong());
        wishes.put(id, seat);
        submit(id, task, List.of());
        return id;
    }

    /** Submits tasks in one request, to be queued one by one. */
    public void submitTogether(List<SimulatedTask> tasks) {
        List<Submitted> together = new ArrayList<>();
        for (SimulatedTask task : tasks) {
            FutureId id = FutureId.ofRandom(
                    cluster.world.random().nextLong(), cluster.world.random().nextLong());
            together.add(new Submitted(id, task, List.of()));
        }
        together.forEach(future -> futures.put(future.id(), future));
        process.executor().execute(() -> send(together));
    }

    private void send(List<Submitted> together) {
        Runnable again = () -> process.schedule(RETRY_MILLIS, () -> send(together));
        if (!together.stream().allMatch(future -> acknowledged.containsAll(future.upstreams()))) {
            again.run();
            return;
        }
        withWorker(again, worker -> stub(worker).submit(request(together), new Answer<>(again) {
            @Override
            public void onNext(SubmitReply reply) {
                if (reply.getRefusalsCount() > 0) {
                    throw new AssertionError("Refused: " + reply);
                }
                List<FutureId> ids = together.stream().map(Submitted::id).toList();
                acknowledged.addAll(ids);
                ask(ids);
            }
        }));
    }

    /** Greets a worker, as clients do before anything else, and goes on with it if it serves. */
    private void withWorker(Runnable otherwise, Consumer<SimulatedWorker> action) {
        List<SimulatedWorker> there =
                cluster.workers().stream().filter(worker -> !worker.isGone()).toList();
        if (there.isEmpty()) {
            otherwise.run();
            return;
        }
        SimulatedWorker worker = there.get(cluster.world.random().nextInt(there.size()));
        HelloRequest hello = HelloRequest.newBuilder()
                .setCluster(SimulatedCluster.NAME)
                .setNamespace(SimulatedCluster.NAMESPACE)
                .build();
        stub(worker).hello(hello, new Answer<>(otherwise) {
            @Override
            public void onNext(HelloReply reply) {
                action.accept(worker);
            }
        });
    }

    /** One answer, or what to do without. */
    private abstract static class Answer<T> implements StreamObserver<T> {
        private final Runnable otherwise;

        Answer(Runnable otherwise) {
            this.otherwise = otherwise;
        }

        @Override
        public void onError(Throwable failure) {
            otherwise.run();
        }

        @Override
        public void onCompleted() {
            // The answer has come.
        }
    }

    /**
     * How often the faults of a scenario may cost a task its worker, and how often a task that always fails is tried.
     */
    static int retries(SimulatedTask task) {
        return task.kind() == SimulatedTask.Kind.FAILS ? RETRIES_IN_VAIN : RETRIES;
    }

    /** Every second one of those that are. */
    private static boolean isDeclaredShort(Submitted future) {
        return future.task().millis() <= SHORT_MILLIS && future.id().value().getLeastSignificantBits() % 2 == 0;
    }

    private static boolean hasExternalEffects(Submitted future) {
        return future.task().millis() > SHORT_MILLIS
                && future.id().value().getLeastSignificantBits() % EFFECTS_EVERY == 0;
    }

    /** What asks for a future of a session, whose outcome this client does not await. */
    public SubmitRequest request(FutureId id, SimulatedTask task, SessionBinding session) {
        SubmitRequest.Builder request = request(List.of(new Submitted(id, task, List.of()))).toBuilder();
        request.getFuturesBuilder(0)
                .getSchedulingSpecBuilder()
                .setSession(session)
                .clearShortTask();
        return request.clearMayRunFirst().clearNotify().build();
    }

    /** What is sent for the first time, and alone, may be run before it is recorded, if it is short. */
    private SubmitRequest request(List<Submitted> together) {
        boolean first = together.stream().map(Submitted::id).noneMatch(sent::contains);
        SubmitRequest.Builder request = SubmitRequest.newBuilder()
                .setNotify(true)
                .setMayRunFirst(first && together.size() == 1)
                .setLostAttempts(first ? 0 : 1);
        for (Submitted future : together) {
            sent.add(future.id());
            FunctionRecord code = FunctionRecord.newBuilder()
                    .setSerialized(
                            ByteString.copyFrom(CodeWriter.write("The task", future.task(), new LinkedHashSet<>())))
                    .build();
            ByteString digest = Digests.ofFunction(code);
            SubmittedFuture.Builder one = submitted(future, digest);
            String wish = wishes.get(future.id());
            if (wish != null) {
                one.getSchedulingSpecBuilder().getLocalityBuilder().setSeat(wish);
            }
            request.addFunctions(
                            SubmittedFunction.newBuilder().setDigest(digest).setCode(code))
                    .addFutures(one);
        }
        return request.build();
    }

    private static SubmittedFuture.Builder submitted(Submitted future, ByteString function) {
        SubmittedFuture.Builder submitted = SubmittedFuture.newBuilder()
                .setId(Ids.bytes(future.id()))
                .setName("task-" + future.task().number())
                .setJob("job")
                .setMaxRetries(retries(future.task()))
                .setFunction(function)
                .setSchedulingSpec(SchedulingSpec.newBuilder()
                        .setShortTask(isDeclaredShort(future))
                        .setExternalEffects(hasExternalEffects(future))
                        .setNoReconstruction(future.task().kind() == SimulatedTask.Kind.LARGE_ONCE))
                .setArgumentKind(
                        future.upstreams().isEmpty()
                                ? ArgumentKind.ARGUMENT_KIND_NONE
                                : ArgumentKind.ARGUMENT_KIND_UPSTREAMS)
                .setArgumentUpstreams(future.upstreams().size());
        future.upstreams().forEach(upstream -> submitted.addUpstreams(Ids.bytes(upstream)));
        return submitted;
    }

    /** Asks for a future to be cancelled, once, at whichever worker is there. */
    public void cancel(FutureId id) {
        Runnable nothing = () -> {};
        CancelRequest request = CancelRequest.newBuilder().addIds(Ids.bytes(id)).build();
        process.executor()
                .execute(() -> withWorker(nothing, worker -> stub(worker).cancel(request, new Answer<>(nothing) {
                    @Override
                    public void onNext(CancelReply reply) {
                        // The outcome will tell.
                    }
                })));
    }

    /** The value of a future as a worker sends it, from whichever worker has it to send. */
    public CompletableFuture<ByteString> read(FutureId id) {
        CompletableFuture<ByteString> value = new CompletableFuture<>();
        process.executor().execute(() -> read(id, value));
        return value;
    }

    private void read(FutureId id, CompletableFuture<ByteString> value) {
        Runnable again = () -> process.schedule(RETRY_MILLIS, () -> read(id, value));
        FetchRequest request = FetchRequest.newBuilder().setId(Ids.bytes(id)).build();
        withWorker(again, worker -> stub(worker).fetch(request, new Answer<>(again) {
            private ByteString received = ByteString.EMPTY;

            @Override
            public void onNext(ValueChunk chunk) {
                received = received.concat(chunk.getContent());
            }

            @Override
            public void onCompleted() {
                value.complete(received);
            }
        }));
    }

    private GatewayGrpc.GatewayStub stub(SimulatedWorker worker) {
        return GatewayGrpc.newStub(cluster.network.channel(process, worker.address()))
                .withDeadlineAfter(ANSWER_SECONDS, TimeUnit.SECONDS);
    }

    private void ask(List<FutureId> ids) {
        StreamObserver<AwaitRequest> open = stream;
        if (open != null) {
            AwaitRequest.Builder request = AwaitRequest.newBuilder();
            ids.forEach(id -> request.addIds(Ids.bytes(id)));
            open.onNext(request.build());
        } else {
            connect();
        }
    }

    private void connect() {
        if (stream == null && !connecting && !pending().isEmpty()) {
            connecting = true;
            withWorker(this::connectLater, this::connect);
        }
    }

    private void connectLater() {
        connecting = false;
        var unused = process.schedule(RETRY_MILLIS, this::connect);
    }

    private void connect(SimulatedWorker worker) {
        connecting = false;
        stream = GatewayGrpc.newStub(cluster.network.channel(process, worker.address()))
                .await(new StreamObserver<>() {
                    @Override
                    public void onNext(OutcomeBatch batch) {
                        batch.getOutcomesList().forEach(outcome -> take(Ids.of(outcome.getId()), outcome));
                    }

                    @Override
                    public void onError(Throwable failure) {
                        onCompleted();
                    }

                    @Override
                    public void onCompleted() {
                        stream = null;
                        connectLater();
                    }
                });
        ask(List.copyOf(pending()));
    }

    private void take(FutureId id, Outcome outcome) {
        if (outcome.getState() == State.STATE_UNSPECIFIED) {
            throw new AssertionError("An acknowledged future is not known: " + id);
        }
        cluster.world.note("task " + task(id).number() + " is known to be " + outcome.getState());
        outcomes.put(id, outcome);
    }

    private SimulatedTask task(FutureId id) {
        Submitted future = futures.get(id);
        if (future == null) {
            throw new AssertionError("An outcome of a future that was never submitted: " + id);
        }
        return future.task();
    }

    /** What was submitted, in order. */
    public List<Submitted> submitted() {
        return List.copyOf(futures.values());
    }

    /** Futures that have no outcome yet, acknowledged or not. */
    public Set<FutureId> pending() {
        Set<FutureId> pending = new LinkedHashSet<>(acknowledged);
        pending.removeAll(outcomes.keySet());
        return pending;
    }

    /** Whether everything that was submitted has an outcome. */
    public boolean isDone() {
        return outcomes.keySet().containsAll(futures.keySet());
    }

    /** Outcomes as they were told. */
    public Map<FutureId, Outcome> outcomes() {
        return Map.copyOf(outcomes);
    }
}
