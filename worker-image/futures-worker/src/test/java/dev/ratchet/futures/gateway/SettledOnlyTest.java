/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.protocol.client.v1.AwaitRequest;
import dev.ratchet.protocol.client.v1.GatewayGrpc;
import dev.ratchet.protocol.client.v1.HelloReply;
import dev.ratchet.protocol.client.v1.HelloRequest;
import dev.ratchet.protocol.client.v1.OutcomeBatch;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What becomes of the calls of clients when a worker has no seat any more, and its server still waits for their end.
 */
class SettledOnlyTest {

    private static final long LIMIT_SECONDS = 60;

    private final SettledOnly calls = new SettledOnly("orders-w-0", () -> true);
    /** What has come in and is not answered yet. */
    private final BlockingQueue<StreamObserver<OutcomeBatch>> streams = new LinkedBlockingQueue<>();

    private final BlockingQueue<StreamObserver<HelloReply>> hellos = new LinkedBlockingQueue<>();
    private Server server;
    private ManagedChannel channel;

    /** Answers nothing by itself. */
    private final class Service extends GatewayGrpc.GatewayImplBase {
        @Override
        public void hello(HelloRequest request, StreamObserver<HelloReply> client) {
            hellos.add(client);
        }

        @Override
        public StreamObserver<AwaitRequest> await(StreamObserver<OutcomeBatch> client) {
            streams.add(client);
            return new Heard<>();
        }
    }

    /** The end of a call, as who makes it sees it. */
    private static final class Heard<T> implements StreamObserver<T> {

        private final CompletableFuture<T> last = new CompletableFuture<>();

        @Override
        public void onNext(T message) {
            last.complete(message);
        }

        @Override
        public void onError(Throwable failure) {
            last.completeExceptionally(failure);
        }

        @Override
        public void onCompleted() {}

        private T get() throws Exception {
            return last.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        }

        private Status status() {
            assertThatThrownBy(this::get).isInstanceOf(ExecutionException.class);
            return Status.fromThrowable(last.exceptionNow());
        }
    }

    @BeforeEach
    void start() throws IOException {
        String name = UUID.randomUUID().toString();
        server = InProcessServerBuilder.forName(name)
                .addService(calls.of(new Service()))
                .build()
                .start();
        channel = InProcessChannelBuilder.forName(name).build();
    }

    @AfterEach
    void stop() {
        channel.shutdownNow();
        server.shutdownNow();
    }

    @Test
    void aStreamEndsSoThatItsClientAsksAnotherWorker() throws Exception {
        Heard<OutcomeBatch> heard = new Heard<>();
        GatewayGrpc.newStub(channel).await(heard);
        StreamObserver<OutcomeBatch> open = streams.poll(LIMIT_SECONDS, TimeUnit.SECONDS);

        calls.endStreams();

        assertThat(heard.status().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
        assertThat(heard.status().getDescription()).contains("orders-w-0", "ask another one");
        // The service does not know of it and may go on.
        open.onNext(OutcomeBatch.getDefaultInstance());
        open.onCompleted();
        server.shutdown();
        assertThat(server.awaitTermination(LIMIT_SECONDS, TimeUnit.SECONDS))
                .as("the server has nothing left to wait for")
                .isTrue();
    }

    @Test
    void aCallWithOneAnswerIsStillAnswered() throws Exception {
        Heard<HelloReply> heard = new Heard<>();
        GatewayGrpc.newStub(channel).hello(HelloRequest.getDefaultInstance(), heard);
        StreamObserver<HelloReply> asked = hellos.poll(LIMIT_SECONDS, TimeUnit.SECONDS);

        calls.endStreams();
        HelloReply reply = HelloReply.newBuilder().setVersion("1.2.3").build();
        asked.onNext(reply);
        asked.onCompleted();

        assertThat(heard.get()).isEqualTo(reply);
    }

    @Test
    void aCallThatComesLaterIsRefused() {
        calls.endStreams();
        Heard<HelloReply> heard = new Heard<>();
        GatewayGrpc.newStub(channel).hello(HelloRequest.getDefaultInstance(), heard);

        assertThat(heard.status().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    }
}
