/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ratchet.client.ConnectionOptions;
import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.Ratchet;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.futures.client.GatewayConnection;
import dev.ratchet.futures.client.RemoteRatchet;
import dev.ratchet.protocol.client.v1.AwaitRequest;
import dev.ratchet.protocol.client.v1.GatewayGrpc;
import dev.ratchet.protocol.client.v1.HelloReply;
import dev.ratchet.protocol.client.v1.HelloRequest;
import dev.ratchet.protocol.client.v1.Outcome;
import dev.ratchet.protocol.client.v1.OutcomeBatch;
import dev.ratchet.protocol.futures.v1.State;
import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.security.Identity.Kind;
import dev.ratchet.protocol.security.MutualTls;
import dev.ratchet.protocol.security.RefusedConnectionException;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of a client whose connection has come of age, on the port of a worker as it is served. */
class ConnectionAgeTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final ConnectionAge SHORT = new ConnectionAge(300, 300);
    private static final int LAST_STREAM = 3;

    @TempDir
    Path directory;

    private final SystemEnvironment environment = new SystemEnvironment();
    private final CallThreads threads = new CallThreads();
    private final AtomicInteger streams = new AtomicInteger();
    private MutualTls client;
    private Path worker;
    private String ownAuthority;
    private Server server;

    /** Tells outcomes to nobody before the third stream that asks for them. */
    private final class Gateway extends GatewayGrpc.GatewayImplBase {
        @Override
        public void hello(HelloRequest request, StreamObserver<HelloReply> caller) {
            caller.onNext(HelloReply.getDefaultInstance());
            caller.onCompleted();
        }

        @Override
        public StreamObserver<AwaitRequest> await(StreamObserver<OutcomeBatch> caller) {
            int number = streams.incrementAndGet();
            return new StreamObserver<>() {
                @Override
                public void onNext(AwaitRequest request) {
                    if (number >= LAST_STREAM) {
                        caller.onNext(realized(request));
                    }
                }

                @Override
                public void onError(Throwable failure) {}

                @Override
                public void onCompleted() {}
            };
        }

        private static OutcomeBatch realized(AwaitRequest request) {
            OutcomeBatch.Builder outcomes = OutcomeBatch.newBuilder();
            request.getIdsList()
                    .forEach(id ->
                            outcomes.addOutcomes(Outcome.newBuilder().setId(id).setState(State.STATE_REALIZED)));
            return outcomes.build();
        }
    }

    /** The client's certificate is by an authority that the worker admits beside its own. */
    @BeforeEach
    void serve() throws Exception {
        worker = new TestCertificates()
                .issue(directory.resolve("worker"), new Identity("team-a", "orders", Kind.WORKER, "orders-w-0"));
        Path credential = new TestCertificates()
                .issue(directory.resolve("client"), new Identity("team-a", "orders", Kind.CLIENT, "batch"));
        ownAuthority = Files.readString(worker.resolve("ca.crt"));
        admit(ownAuthority + Files.readString(credential.resolve("ca.crt")));
        Files.writeString(credential.resolve("ca.crt"), ownAuthority);
        client = MutualTls.fromDirectory(credential);
        Files.writeString(directory.resolve("cluster.json"), "{\"clients\":[\"batch\"]}");
        server = WorkerServer.builder(
                        MutualTls.fromDirectory(worker),
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        "team-a",
                        "orders",
                        List.of(new Gateway()),
                        threads,
                        new PeerAddresses(List::of),
                        new ClientAdmission(new AllowedClients(directory)),
                        new ClientShares(ClientLimits.forHeap(0), environment),
                        SHORT)
                .build()
                .start();
    }

    @AfterEach
    void stop() {
        server.shutdownNow();
        threads.close();
        environment.close();
    }

    private void admit(String authorities) throws Exception {
        Files.writeString(worker.resolve("ca.crt"), authorities);
    }

    private ManagedChannel dial(String target) {
        return client.channelBuilder(target, Identity.authority("orders-w-0", "team-a"))
                .build();
    }

    private String address() {
        return "127.0.0.1:" + server.getPort();
    }

    private static boolean isRefused(ManagedChannel channel) {
        try {
            GatewayGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(LIMIT.toSeconds(), TimeUnit.SECONDS)
                    .hello(HelloRequest.getDefaultInstance());
            return false;
        } catch (StatusRuntimeException failure) {
            assertThat(RefusedConnectionException.in(failure)).isPresent();
            return true;
        }
    }

    @Test
    void whoseCertificateIsNotAcceptedAnyMoreIsOutWithItsOpenStream() throws Exception {
        ManagedChannel channel = dial(address());
        try {
            CompletableFuture<Throwable> ended = new CompletableFuture<>();
            GatewayGrpc.newStub(channel).await(new StreamObserver<>() {
                @Override
                public void onNext(OutcomeBatch batch) {}

                @Override
                public void onError(Throwable failure) {
                    ended.complete(failure);
                }

                @Override
                public void onCompleted() {}
            });
            await("the stream to be open").atMost(LIMIT).until(() -> streams.get() == 1);

            admit(ownAuthority);

            await("a connection of age to be given up, and the next one to be refused")
                    .atMost(LIMIT)
                    .until(() -> isRefused(channel));
            await("the open stream to end").atMost(LIMIT).until(ended::isDone);
            assertThat(streams).hasValue(1);
        } finally {
            channel.shutdownNow();
        }
    }

    @Test
    void whoIsStillAcceptedCallsAndWaitsOnWithoutAnError() throws Exception {
        GatewayConnection connection =
                new GatewayConnection("team-a", "orders", List.of(address()), this::dial, environment, LIMIT);
        try (Ratchet ratchet = new RemoteRatchet(connection, ConnectionOptions.ofDocument("{}"), () -> {})) {
            DurableFuture<String> future = ratchet.future(FutureId.random());
            await("streams that end with their connections").atMost(LIMIT).until(() -> {
                connection.hello();
                return streams.get() >= LAST_STREAM;
            });
            assertThat(ratchet.await(List.of(future), 1, LIMIT).done()).containsExactly(future);
        }
    }
}
