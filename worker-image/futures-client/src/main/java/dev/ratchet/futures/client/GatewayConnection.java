/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import dev.ratchet.client.ConnectionException;
import dev.ratchet.client.ConnectionOptions;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.environment.Environment;
import dev.ratchet.environment.GuardedCallbacks;
import dev.ratchet.protocol.client.v1.GatewayGrpc;
import dev.ratchet.protocol.client.v1.GatewayGrpc.GatewayStub;
import dev.ratchet.protocol.client.v1.HelloReply;
import dev.ratchet.protocol.client.v1.HelloRequest;
import dev.ratchet.protocol.release.VersionRange;
import dev.ratchet.protocol.security.MutualTls;
import dev.ratchet.protocol.security.RefusedConnectionException;
import dev.ratchet.protocol.security.RetryAfter;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A client's way to any worker: one channel at a time, to the first endpoint that answers, and to another one when it
 * stops answering. Calls are repeated until they are answered or the time is over; that is harmless, because every call
 * of the gateway may be repeated. Safe for use by several threads.
 */
public final class GatewayConnection implements AutoCloseable {

    private static final long FIRST_RETRY_MILLIS = 50;
    private static final long LAST_RETRY_MILLIS = 1_000;

    private final String namespace;
    private final String cluster;
    private final List<String> endpoints;
    private final Function<String, ManagedChannel> dialer;
    private final Environment environment;
    private final long timeoutNanos;
    private final HelloRequest greeting;
    private @Nullable ManagedChannel channel;
    private @Nullable CompletableFuture<ManagedChannel> choosing;
    private boolean closed;
    /** Whether a worker has ever answered: what is refused before stays so, what is refused later may be a rotation. */
    private volatile boolean known;

    /**
     * Connects nothing yet.
     *
     * @param dialer makes a channel to an endpoint
     * @param timeout how long one call may be tried
     */
    public GatewayConnection(
            String namespace,
            String cluster,
            List<String> endpoints,
            Function<String, ManagedChannel> dialer,
            Environment environment,
            Duration timeout) {
        this.namespace = namespace;
        this.cluster = cluster;
        this.endpoints = List.copyOf(endpoints);
        this.dialer = dialer;
        this.environment = environment;
        this.timeoutNanos = timeout.toNanos();
        this.greeting = HelloRequest.newBuilder()
                .setCluster(cluster)
                .setNamespace(namespace)
                .setClientVersion(
                        String.valueOf(GatewayConnection.class.getPackage().getImplementationVersion()))
                .setProtocolLeast(VersionRange.GATEWAYS.least())
                .setProtocol(VersionRange.GATEWAYS.newest())
                .build();
    }

    /**
     * Loads the classes that the first connection of a process needs, for a thread beside the one that finds out where
     * to connect to. Connects nothing.
     */
    public static void prepare() {
        ManagedChannel channel = MutualTls.prepare();
        Object unused = List.of(GatewayGrpc.newStub(channel), GatewayGrpc.getHelloMethod());
        channel.shutdownNow();
    }

    /**
     * A connection as the options say, checked.
     *
     * @throws InvalidInputException if the document can not be used
     * @throws ConnectionException if no worker answers in time; at once if client and workers refuse each other
     */
    public static GatewayConnection open(ConnectionOptions options, Environment environment) {
        ConnectionDocument document = ConnectionDocument.parse(options.document());
        MutualTls security;
        try {
            security = MutualTls.fromPem(document.certificate(), document.key(), document.authorities());
        } catch (IllegalArgumentException unusable) {
            throw new InvalidInputException(
                    "The connection document has no usable credential: " + unusable.getMessage(), unusable);
        }
        List<String> endpoints = options.endpoints().isEmpty() ? document.endpoints() : options.endpoints();
        GatewayConnection connection = new GatewayConnection(
                document.namespace(),
                document.cluster(),
                endpoints,
                target -> security.channelBuilder(target, document.authority()).build(),
                environment,
                options.connectTimeout());
        try {
            var unused = connection.hello();
        } catch (RuntimeException failure) {
            connection.close();
            throw failure;
        }
        return connection;
    }

    /** Asks any worker who it is. @throws ConnectionException if none answers in time */
    public HelloReply hello() {
        return await(call((stub, reply) -> stub.hello(greeting, reply)));
    }

    /**
     * Makes a call that has one answer, again and again until a worker answers.
     *
     * @return the answer; fails with ConnectionException when the time is over, with InvalidInputException when the
     *     workers do not accept the call
     */
    public <T> CompletableFuture<T> call(BiConsumer<GatewayStub, StreamObserver<T>> call) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        attempt(call, answer, environment.nanoTime() + timeoutNanos, FIRST_RETRY_MILLIS);
        return answer;
    }

    /** As {@link #call}, but one try: a worker that does not answer it is given up, and the answer fails. */
    <T> CompletableFuture<T> callOnce(BiConsumer<GatewayStub, StreamObserver<T>> call) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        attempt(call, answer, environment.nanoTime(), FIRST_RETRY_MILLIS);
        return answer;
    }

    /** Waits for an answer on the caller's thread, and throws what a failed call failed with. */
    public static <T> T await(CompletableFuture<T> answer) {
        try {
            return answer.get();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ConnectionException("Interrupted while waiting for an answer", interrupted);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new ConnectionException("The call failed: " + failed.getCause(), failed);
        }
    }

    /** The clock, timers and threads that it uses. */
    public Environment environment() {
        return environment;
    }

    /** Gives a worker up, unless somebody else has done so since {@code failed} was in use. */
    synchronized void abandon(ManagedChannel failed) {
        if (channel == failed) {
            channel = null;
            failed.shutdown();
        }
    }

    /** As {@link #abandon}, unless the worker is there and only wants the call later. */
    void abandon(ManagedChannel failed, Throwable failure) {
        if (RetryAfter.millis(failure).isEmpty()) {
            abandon(failed);
        }
    }

    /** A channel to a worker that answers: the present one, or else the first that does. */
    CompletableFuture<ManagedChannel> channel() {
        CompletableFuture<ManagedChannel> chosen;
        synchronized (this) {
            if (closed) {
                return CompletableFuture.failedFuture(closedFailure());
            }
            if (channel != null) {
                return CompletableFuture.completedFuture(channel);
            }
            if (choosing != null) {
                return choosing;
            }
            chosen = new CompletableFuture<>();
            choosing = chosen;
        }
        GuardedCallbacks.begin(new EndpointRace(endpoints, dialer, greeting, environment)::start)
                .whenComplete((winner, failure) -> chosen(chosen, winner, failure));
        return chosen;
    }

    private void chosen(
            CompletableFuture<ManagedChannel> waiting, @Nullable ManagedChannel winner, @Nullable Throwable failure) {
        boolean tooLate;
        synchronized (this) {
            choosing = null;
            tooLate = closed;
            known = known || winner != null;
            if (!tooLate) {
                channel = winner;
            }
        }
        if (winner == null || failure != null) {
            waiting.completeExceptionally(failure == null ? new IllegalStateException("No endpoint") : failure);
        } else if (tooLate) {
            winner.shutdownNow();
            waiting.completeExceptionally(new ConnectionException("The connection was closed meanwhile"));
        } else {
            waiting.complete(winner);
        }
    }

    synchronized boolean isClosed() {
        return closed;
    }

    /** @throws ConnectionException if it is closed */
    void requireOpen() {
        if (isClosed()) {
            throw closedFailure();
        }
    }

    /** What is asked of a closed connection fails with this. */
    ConnectionException closedFailure() {
        return new ConnectionException("The connection to " + namespace + "/" + cluster + " is closed");
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (channel != null) {
            channel.shutdownNow();
            channel = null;
        }
    }

    private <T> void attempt(
            BiConsumer<GatewayStub, StreamObserver<T>> call,
            CompletableFuture<T> answer,
            long deadline,
            long delayMillis) {
        channel().whenComplete((present, failure) -> {
            if (present != null) {
                Answer<T> next = new Answer<>(call, answer, present, deadline, delayMillis);
                try {
                    call.accept(GatewayGrpc.newStub(present), next);
                } catch (RuntimeException | Error unexpected) {
                    next.onError(unexpected);
                }
            } else {
                failed(call, answer, causeOf(failure), deadline, delayMillis);
            }
        });
    }

    /** What comes of one attempt at a call. */
    private final class Answer<T> implements StreamObserver<T> {

        private final BiConsumer<GatewayStub, StreamObserver<T>> call;
        private final CompletableFuture<T> answer;
        private final ManagedChannel used;
        private final long deadline;
        private final long delayMillis;
        private final AtomicBoolean answered = new AtomicBoolean();

        Answer(
                BiConsumer<GatewayStub, StreamObserver<T>> call,
                CompletableFuture<T> answer,
                ManagedChannel used,
                long deadline,
                long delayMillis) {
            this.call = call;
            this.answer = answer;
            this.used = used;
            this.deadline = deadline;
            this.delayMillis = delayMillis;
        }

        @Override
        public void onNext(T value) {
            answered.set(true);
            answer.complete(value);
        }

        @Override
        public void onError(Throwable failure) {
            if (!answered.get()) {
                if (mayRetry(failure)) {
                    abandon(used, failure);
                }
                failed(call, answer, failure, deadline, delayMillis);
            }
        }

        @Override
        public void onCompleted() {
            onError(Status.UNAVAILABLE
                    .withDescription("The call ended without an answer")
                    .asRuntimeException());
        }
    }

    private <T> void failed(
            BiConsumer<GatewayStub, StreamObserver<T>> call,
            CompletableFuture<T> answer,
            Throwable failure,
            long deadline,
            long delayMillis) {
        if (failure instanceof ConnectionException isClosed) {
            answer.completeExceptionally(isClosed);
        } else if (!mayRetry(failure)) {
            answer.completeExceptionally(explain(failure));
        } else if (!known && RefusedConnectionException.in(failure).isPresent()) {
            answer.completeExceptionally(unreachable(failure));
        } else {
            OptionalLong wanted = RetryAfter.millis(failure);
            long waitMillis = Math.max(delayMillis, wanted.orElse(0));
            if (environment.nanoTime() + waitMillis * 1_000_000 > deadline) {
                answer.completeExceptionally(wanted.isPresent() ? tooMuch(failure) : unreachable(failure));
            } else {
                var unused = environment.schedule(
                        waitMillis,
                        () -> attempt(call, answer, deadline, Math.min(LAST_RETRY_MILLIS, 2 * delayMillis)));
            }
        }
    }

    private static Throwable causeOf(@Nullable Throwable failure) {
        if (failure instanceof CompletionException && failure.getCause() != null) {
            return failure.getCause();
        }
        return failure == null ? new IllegalStateException("No channel and no failure") : failure;
    }

    /** Whether another worker, or the same one later, may answer. */
    static boolean mayRetry(Throwable failure) {
        return switch (Status.fromThrowable(failure).getCode()) {
            case UNAVAILABLE, ABORTED, DEADLINE_EXCEEDED, CANCELLED, UNKNOWN -> true;
            case RESOURCE_EXHAUSTED -> RetryAfter.millis(failure).isPresent();
            default -> false;
        };
    }

    private ConnectionException tooMuch(Throwable failure) {
        return new ConnectionException(
                "The workers of " + namespace + "/" + cluster + " have refused this client for now again and again: "
                        + Status.fromThrowable(failure).getDescription(),
                failure);
    }

    private ConnectionException unreachable(Throwable failure) {
        Optional<RefusedConnectionException> refused = RefusedConnectionException.in(failure);
        if (refused.isPresent()) {
            return new ConnectionException(
                    "No connection to " + namespace + "/" + cluster + ": "
                            + refused.get().getMessage(),
                    failure);
        }
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String reason = root == failure ? Status.fromThrowable(failure).getDescription() : root.getMessage();
        return new ConnectionException(
                "No worker of " + namespace + "/" + cluster + " answers at " + String.join(", ", endpoints) + " ("
                        + reason + "). Check that workers are ready, or name another address with --endpoint.",
                failure);
    }

    /** Which failure of several endpoints tells most: a refusal of this client, then one of a connection. */
    static int weight(Throwable failure) {
        return mayRetry(failure) ? RefusedConnectionException.in(failure).isPresent() ? 1 : 0 : 2;
    }

    /** A failure that {@link #mayRetry} says is final, as users see it. */
    RuntimeException explain(Throwable failure) {
        Status status = Status.fromThrowable(failure);
        String description = status.getDescription() == null ? status.toString() : status.getDescription();
        return switch (status.getCode()) {
            case INVALID_ARGUMENT, NOT_FOUND, FAILED_PRECONDITION, RESOURCE_EXHAUSTED, OUT_OF_RANGE ->
                new InvalidInputException(description, failure);
            case UNAUTHENTICATED, PERMISSION_DENIED ->
                new ConnectionException(
                        "The workers of " + namespace + "/" + cluster + " do not accept this client: " + description,
                        failure);
            default -> new ConnectionException("The call failed: " + description, new CompletionException(failure));
        };
    }
}
