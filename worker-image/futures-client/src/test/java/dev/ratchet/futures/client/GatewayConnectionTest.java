/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.ratchet.client.ConnectionException;
import dev.ratchet.client.ConnectionOptions;
import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.Ratchet;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.protocol.client.v1.AwaitRequest;
import dev.ratchet.protocol.client.v1.FetchRequest;
import dev.ratchet.protocol.client.v1.GatewayGrpc;
import dev.ratchet.protocol.client.v1.HelloReply;
import dev.ratchet.protocol.client.v1.HelloRequest;
import dev.ratchet.protocol.client.v1.ListReply;
import dev.ratchet.protocol.client.v1.ListRequest;
import dev.ratchet.protocol.client.v1.OutcomeBatch;
import dev.ratchet.protocol.client.v1.ValueChunk;
import dev.ratchet.protocol.security.RetryAfter;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How a client finds a worker, and what it learns from workers that do not want it. */
class GatewayConnectionTest {

    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final Duration SOON = Duration.ofSeconds(1);
    private static final String UNDIALLABLE = "undiallable";

    private final SystemEnvironment environment = new SystemEnvironment();
    private final List<Server> servers = new ArrayList<>();

    @AfterEach
    void stop() {
        servers.forEach(Server::shutdownNow);
        environment.close();
    }

    /** A worker that does not answer. */
    private static class Silent extends GatewayGrpc.GatewayImplBase {
        @Override
        public void hello(HelloRequest request, StreamObserver<HelloReply> client) {}
    }

    /** One that answers, but tells nobody of outcomes. */
    private static final class Refusing extends GatewayGrpc.GatewayImplBase {
        @Override
        public void hello(HelloRequest request, StreamObserver<HelloReply> client) {
            client.onNext(HelloReply.newBuilder().setSeat("orders-w-7").build());
            client.onCompleted();
        }

        @Override
        public StreamObserver<AwaitRequest> await(StreamObserver<OutcomeBatch> client) {
            client.onError(Status.PERMISSION_DENIED
                    .withDescription("The client batch is not admitted")
                    .asRuntimeException());
            return new StreamObserver<>() {
                @Override
                public void onNext(AwaitRequest request) {}

                @Override
                public void onError(Throwable failure) {}

                @Override
                public void onCompleted() {}
            };
        }
    }

    /** One that answers, and has the value 7 of each future or nothing. */
    private static final class Holding extends AnsweringGateway {

        private final boolean leaves;

        Holding(boolean leaves) {
            this.leaves = leaves;
        }

        @Override
        public void fetch(FetchRequest request, StreamObserver<ValueChunk> client) {
            if (leaves) {
                client.onError(Status.UNAVAILABLE.asRuntimeException());
                return;
            }
            client.onNext(ValueChunk.newBuilder()
                    .setBytes(1)
                    .setContent(ByteString.copyFrom(new byte[] {7}))
                    .build());
            client.onCompleted();
        }
    }

    private String serve(GatewayGrpc.GatewayImplBase service) throws IOException {
        String name = UUID.randomUUID().toString();
        servers.add(
                InProcessServerBuilder.forName(name).addService(service).build().start());
        return name;
    }

    private GatewayConnection connection(String... endpoints) {
        return connection(Duration.ofSeconds(20), endpoints);
    }

    private GatewayConnection connection(Duration timeout, String... endpoints) {
        return new GatewayConnection(
                "team-a", "orders", List.of(endpoints), GatewayConnectionTest::dial, environment, timeout);
    }

    private static ManagedChannel dial(String name) {
        if (name.equals(UNDIALLABLE)) {
            throw new IllegalStateException("planted: no channel can be made");
        }
        return InProcessChannelBuilder.forName(name).build();
    }

    @Test
    void anEndpointThatCanNotBeDialledDoesNotKeepAClientFromTheNext() throws Exception {
        try (GatewayConnection connection = connection(UNDIALLABLE, serve(new Refusing()), UNDIALLABLE)) {
            assertThat(connection.hello().getSeat()).isEqualTo("orders-w-7");
        }
    }

    @Test
    void whoCanDialNoEndpointIsToldSo() {
        try (GatewayConnection connection = connection(SOON, UNDIALLABLE)) {
            CompletableFuture<Object> answer = connection.call((stub, reply) -> {});
            assertThatThrownBy(() -> answer.get(LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .hasCauseInstanceOf(ConnectionException.class);
        }
    }

    @Test
    void aCallThatCanNotBeMadeFailsInsteadOfWaiting() throws Exception {
        try (GatewayConnection connection = connection(SOON, serve(new Refusing()))) {
            CompletableFuture<Object> answer = connection.call((stub, reply) -> {
                throw new IllegalStateException("planted: no call can be made");
            });
            assertThatThrownBy(() -> answer.get(LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .hasRootCauseMessage("planted: no call can be made");
        }
    }

    /** One that refuses the first calls for now, each time over the same connection. */
    private static final class Busy extends GatewayGrpc.GatewayImplBase {
        private static final int REFUSALS = 3;
        private int calls;

        @Override
        public synchronized void hello(HelloRequest request, StreamObserver<HelloReply> client) {
            client.onNext(HelloReply.newBuilder().setSeat("orders-w-7").build());
            client.onCompleted();
        }

        @Override
        public synchronized void list(ListRequest request, StreamObserver<ListReply> client) {
            calls++;
            if (calls <= REFUSALS) {
                client.onError(Status.RESOURCE_EXHAUSTED
                        .withDescription("planted: too many calls")
                        .asRuntimeException(RetryAfter.trailers(1)));
                return;
            }
            client.onNext(ListReply.getDefaultInstance());
            client.onCompleted();
        }
    }

    @Test
    void aCallThatIsRefusedForNowIsMadeAgainOverTheSameConnection() throws Exception {
        AtomicInteger dialled = new AtomicInteger();
        String name = serve(new Busy());
        try (GatewayConnection connection = new GatewayConnection(
                "team-a",
                "orders",
                List.of(name),
                endpoint -> {
                    dialled.incrementAndGet();
                    return dial(endpoint);
                },
                environment,
                LIMIT)) {
            CompletableFuture<ListReply> answer =
                    connection.call((stub, reply) -> stub.list(ListRequest.getDefaultInstance(), reply));
            assertThat(answer.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isNotNull();
            assertThat(dialled).hasValue(1);
        }
    }

    @Test
    void anEndpointThatSwallowsEverythingDoesNotKeepAClientFromTheNext() throws Exception {
        try (GatewayConnection connection =
                connection(serve(new Silent()), "nobody is here", serve(new Silent()), serve(new Refusing()))) {
            assertThat(connection.hello().getSeat()).isEqualTo("orders-w-7");
        }
    }

    @Test
    void whereNobodyAnswersTheCallSaysWhereItHasTried() {
        GatewayConnection connection = new GatewayConnection(
                "team-a",
                "orders",
                List.of("here", "there"),
                name -> InProcessChannelBuilder.forName(name).build(),
                environment,
                Duration.ofMillis(200));

        assertThatThrownBy(connection::hello)
                .isInstanceOf(ConnectionException.class)
                .hasMessageContaining("No worker of team-a/orders answers at here, there");
    }

    @Test
    void aClientThatIsNotAdmittedAnyMoreFailsItsWaits() throws Exception {
        try (GatewayConnection connection = connection(serve(new Refusing()));
                Ratchet ratchet = new RemoteRatchet(connection, ConnectionOptions.ofDocument("{}"), () -> {})) {
            DurableFuture<String> future = ratchet.future(FutureId.random());

            assertThatThrownBy(() -> future.get(LIMIT))
                    .isInstanceOf(ConnectionException.class)
                    .hasMessageContaining("do not accept this client: The client batch is not admitted");
        }
    }

    @Test
    void aValueIsFetchedFromAnotherWorkerOnceTheOneThatWasAskedIsGone() throws Exception {
        Deque<String> workers = new ArrayDeque<>(List.of(serve(new Holding(true)), serve(new Holding(false))));
        try (GatewayConnection connection = new GatewayConnection(
                "team-a",
                "orders",
                List.of("a service"),
                service -> InProcessChannelBuilder.forName(workers.remove()).build(),
                environment,
                LIMIT)) {
            FutureId id = FutureId.random();

            assertThat(ValueFetch.start(connection, id)).failsWithin(LIMIT);
            assertThat(ValueFetch.start(connection, id)).succeedsWithin(LIMIT).isEqualTo(new byte[] {7});
        }
    }
}
