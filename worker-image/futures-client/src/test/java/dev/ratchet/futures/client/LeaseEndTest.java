/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.protocol.client.v1.AttachReply;
import dev.ratchet.protocol.client.v1.AttachRequest;
import dev.ratchet.protocol.client.v1.DetachReply;
import dev.ratchet.protocol.client.v1.DetachRequest;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How a program gives up what it alone holds. */
class LeaseEndTest {

    /** So long a program would wait for a cluster that it could still reach. */
    private static final Duration LONG = Duration.ofMinutes(5);

    private static final long LIMIT_SECONDS = 60;

    private final SystemEnvironment environment = new SystemEnvironment();
    private final List<ByteString> ended = Collections.synchronizedList(new ArrayList<>());
    private final List<Server> servers = new ArrayList<>();

    @AfterEach
    void stop() {
        servers.forEach(Server::shutdownNow);
        environment.close();
    }

    /** Grants leases for as long as it is there. */
    private class Granting extends AnsweringGateway {
        @Override
        public void attach(AttachRequest request, StreamObserver<AttachReply> client) {
            client.onNext(AttachReply.getDefaultInstance());
        }

        @Override
        public void detach(DetachRequest request, StreamObserver<DetachReply> client) {
            ended.add(request.getClient());
            client.onNext(DetachReply.getDefaultInstance());
            client.onCompleted();
        }
    }

    /** A worker that ends by the end of a lease: what the program has of it when it asks is already of the past. */
    private final class Leaving extends Granting {
        @Override
        public void detach(DetachRequest request, StreamObserver<DetachReply> client) {
            servers.getFirst().shutdown();
            client.onError(Status.UNAVAILABLE.asRuntimeException());
        }
    }

    private String worker() throws IOException {
        return worker(new Granting());
    }

    private String worker(Granting gateway) throws IOException {
        String address = UUID.randomUUID().toString();
        servers.add(InProcessServerBuilder.forName(address)
                .addService(gateway)
                .build()
                .start());
        return address;
    }

    private GatewayConnection connection(String... endpoints) {
        return new GatewayConnection(
                "team-a",
                "orders",
                List.of(endpoints),
                address -> InProcessChannelBuilder.forName(address).build(),
                environment,
                LONG);
    }

    private static void end(ClientLease lease) throws Exception {
        CompletableFuture.runAsync(
                        () -> lease.end(LONG), task -> Thread.ofVirtual().start(task))
                .get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    private static void close(Server server) throws InterruptedException {
        assertThat(server.shutdownNow().awaitTermination(LIMIT_SECONDS, TimeUnit.SECONDS))
                .as("the worker has ended")
                .isTrue();
    }

    @Test
    void whereNobodyAnswersItIsNotWaitedFor() throws Exception {
        try (GatewayConnection connection = connection(worker())) {
            ClientLease lease = new ClientLease(connection);
            lease.begun().get(LIMIT_SECONDS, TimeUnit.SECONDS);
            close(servers.getFirst());

            end(lease);

            assertThat(ended).isEmpty();
        }
    }

    @Test
    void aWorkerThatEndsMeanwhileIsNotWaitedFor() throws Exception {
        try (GatewayConnection connection = connection(worker(new Leaving()))) {
            ClientLease lease = new ClientLease(connection);
            lease.begun().get(LIMIT_SECONDS, TimeUnit.SECONDS);

            end(lease);

            assertThat(ended).isEmpty();
        }
    }

    @Test
    void anotherWorkerIsToldWhereTheFirstEndsMeanwhile() throws Exception {
        try (GatewayConnection connection = connection(worker(new Leaving()), worker())) {
            ClientLease lease = new ClientLease(connection);
            lease.begun().get(LIMIT_SECONDS, TimeUnit.SECONDS);

            end(lease);

            assertThat(ended).containsExactly(lease.id());
        }
    }

    @Test
    void anotherWorkerIsToldWhereTheFirstIsGone() throws Exception {
        try (GatewayConnection connection = connection(worker(), worker())) {
            ClientLease lease = new ClientLease(connection);
            lease.begun().get(LIMIT_SECONDS, TimeUnit.SECONDS);
            close(servers.getFirst());

            end(lease);

            assertThat(ended).containsExactly(lease.id());
        }
    }
}
