/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.protocol.client.v1.CheckReply;
import dev.ratchet.protocol.client.v1.CheckRequest;
import dev.ratchet.protocol.client.v1.GatewayGrpc;
import dev.ratchet.protocol.client.v1.ListReply;
import dev.ratchet.protocol.client.v1.ListRequest;
import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.security.Identity.Kind;
import dev.ratchet.protocol.security.MutualTls;
import dev.ratchet.protocol.security.RetryAfter;
import dev.ratchet.protocol.worker.v1.HelloReply;
import dev.ratchet.protocol.worker.v1.HelloRequest;
import dev.ratchet.protocol.worker.v1.WorkerGrpc;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client with a certificate that calls as fast as it can, against the port of a worker as it is served. */
class CallFloodTest {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final int OPEN_CALLS = 100;
    private static final int CALLS = 1_000;

    @TempDir
    Path directory;

    private final SystemEnvironment environment = new SystemEnvironment();
    private final CallThreads threads = new CallThreads();
    private final CountDownLatch unblock = new CountDownLatch(1);
    private final List<ManagedChannel> channels = new ArrayList<>();
    private TestCertificates certificates;
    private ClientShares shares;
    private Server server;

    /** Lists are never answered, checks hold their threads. */
    private final class Gateway extends GatewayGrpc.GatewayImplBase {
        @Override
        public void list(ListRequest request, StreamObserver<ListReply> client) {}

        @Override
        public void check(CheckRequest request, StreamObserver<CheckReply> client) {
            try {
                unblock.await();
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
            client.onNext(CheckReply.getDefaultInstance());
            client.onCompleted();
        }
    }

    private static final class Membership extends WorkerGrpc.WorkerImplBase {
        @Override
        public void hello(HelloRequest request, StreamObserver<HelloReply> reply) {
            reply.onNext(HelloReply.getDefaultInstance());
            reply.onCompleted();
        }
    }

    @BeforeEach
    void serve() throws Exception {
        certificates = new TestCertificates();
        Files.writeString(directory.resolve("cluster.json"), "{\"clients\":[\"batch\",\"other\"]}");
        shares = new ClientShares(new ClientLimits(1_000_000, OPEN_CALLS), environment);
        server = WorkerServer.builder(
                        certificates.of(directory, "orders-w-0"),
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        "team-a",
                        "orders",
                        List.of(new Gateway(), new Membership()),
                        threads,
                        new PeerAddresses(List::of),
                        new ClientAdmission(new AllowedClients(directory)),
                        shares,
                        ConnectionAge.DEFAULT)
                .build()
                .start();
    }

    @AfterEach
    void stop() {
        unblock.countDown();
        channels.forEach(ManagedChannel::shutdownNow);
        server.shutdownNow();
        threads.close();
        environment.close();
    }

    private ManagedChannel channel(Kind kind, String name) throws Exception {
        Path credential = certificates.issue(
                directory.resolve(name + channels.size()), new Identity("team-a", "orders", kind, name));
        ManagedChannel channel = MutualTls.fromDirectory(credential)
                .channelBuilder("127.0.0.1:" + server.getPort(), Identity.authority("orders-w-0", "team-a"))
                .build();
        channels.add(channel);
        return channel;
    }

    private void membershipAnswers() throws Exception {
        assertThat(WorkerGrpc.newBlockingStub(channel(Kind.WORKER, "orders-w-1"))
                        .withDeadlineAfter(LONG.toSeconds(), TimeUnit.SECONDS)
                        .hello(HelloRequest.getDefaultInstance()))
                .isNotNull();
    }

    @Test
    void callsAboveTheShareOfAClientAreRefusedWithWhenToTryAgain() throws Exception {
        AtomicInteger refused = new AtomicInteger();
        AtomicInteger unexpected = new AtomicInteger();
        List<ManagedChannel> flood = List.of(channel(Kind.CLIENT, "batch"), channel(Kind.CLIENT, "batch"));
        for (int call = 0; call < CALLS; call++) {
            GatewayGrpc.newStub(flood.get(call % flood.size()))
                    .list(ListRequest.getDefaultInstance(), new StreamObserver<>() {
                        @Override
                        public void onNext(ListReply reply) {
                            unexpected.incrementAndGet();
                        }

                        @Override
                        public void onError(Throwable failure) {
                            boolean told = RetryAfter.millis(failure).orElse(0) == ClientShares.RETRY_AFTER_MILLIS;
                            (told ? refused : unexpected).incrementAndGet();
                        }

                        @Override
                        public void onCompleted() {
                            unexpected.incrementAndGet();
                        }
                    });
        }
        await().atMost(LONG)
                .untilAtomic(refused, refusals -> assertThat(refusals).isEqualTo(CALLS - OPEN_CALLS));
        assertThat(unexpected).hasValue(0);
        assertThat(shares.open()).isEqualTo(OPEN_CALLS);
        membershipAnswers();
        GatewayGrpc.newStub(channel(Kind.CLIENT, "other")).list(ListRequest.getDefaultInstance(), ignoring());
        await("another client has a share of its own").atMost(LONG).until(() -> shares.open() == OPEN_CALLS + 1);

        flood.forEach(ManagedChannel::shutdownNow);

        await("calls are over with their connections").atMost(LONG).until(() -> shares.open() == 1);
    }

    @Test
    void callsThatHoldTheirThreadsTakeNoneFromMembership() throws Exception {
        ManagedChannel flood = channel(Kind.CLIENT, "batch");
        for (int call = 0; call < 2 * CallThreads.CLIENT_THREADS; call++) {
            GatewayGrpc.newStub(flood).check(CheckRequest.getDefaultInstance(), ignoring());
        }
        await().atMost(LONG).until(() -> clientThreads() == CallThreads.CLIENT_THREADS);
        await().atMost(LONG).until(() -> shares.open() >= CallThreads.CLIENT_THREADS);
        membershipAnswers();
        assertThat(clientThreads()).isEqualTo(CallThreads.CLIENT_THREADS);
    }

    @Test
    void whatAClientBeginsInASecondIsBounded() throws Exception {
        ClientShares slow = new ClientShares(new ClientLimits(1, 1_000), environment);
        Server second = WorkerServer.builder(
                        certificates.of(directory, "orders-w-0"),
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        "team-a",
                        "orders",
                        List.of(new Gateway()),
                        threads,
                        new PeerAddresses(List::of),
                        new ClientAdmission(new AllowedClients(directory)),
                        slow,
                        ConnectionAge.DEFAULT)
                .build()
                .start();
        server.shutdownNow();
        server = second;
        GatewayGrpc.GatewayStub stub = GatewayGrpc.newStub(channel(Kind.CLIENT, "batch"));
        AtomicInteger refused = new AtomicInteger();
        for (int call = 0; call < 100; call++) {
            stub.list(ListRequest.getDefaultInstance(), new StreamObserver<>() {
                @Override
                public void onNext(ListReply reply) {}

                @Override
                public void onError(Throwable failure) {
                    if (Status.fromThrowable(failure).getCode() == Status.Code.RESOURCE_EXHAUSTED) {
                        refused.incrementAndGet();
                    }
                }

                @Override
                public void onCompleted() {}
            });
        }
        await().atMost(LONG).until(() -> refused.get() + slow.open() == 100);
        assertThat(refused.get()).isGreaterThan(1);
    }

    private static int clientThreads() {
        return (int) Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("ratchet-client-call-"))
                .count();
    }

    private static <T> StreamObserver<T> ignoring() {
        return new StreamObserver<>() {
            @Override
            public void onNext(T reply) {}

            @Override
            public void onError(Throwable failure) {}

            @Override
            public void onCompleted() {}
        };
    }
}
