/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.environment.Environment;
import dev.ratchet.environment.ForwardingEnvironment;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.protocol.objects.v1.FetchObjectRequest;
import dev.ratchet.protocol.objects.v1.ObjectChunk;
import dev.ratchet.protocol.objects.v1.ObjectsGrpc;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A sender whose connection is well and that sends nothing is given up; a receiver may take its time. */
@Timeout(60)
class SilentSenderTest {

    private static final ObjectName NAME = new ObjectName(FutureId.random(), 3);

    private static final long LIMIT_SECONDS = 30;

    private final Clock clock = new Clock();
    private final CountDownLatch letGo = new CountDownLatch(1);
    private Server server;
    private ManagedChannel channel;

    /** Sends one piece, and nothing more. */
    private final class Stuck extends ObjectsGrpc.ObjectsImplBase {
        @Override
        public void fetch(FetchObjectRequest request, StreamObserver<ObjectChunk> response) {
            ((ServerCallStreamObserver<ObjectChunk>) response).setOnCancelHandler(letGo::countDown);
            response.onNext(ObjectChunk.newBuilder()
                    .setContent(ByteString.copyFromUtf8("piece"))
                    .build());
        }
    }

    /** An environment whose time and timers a test moves on. */
    private static final class Clock implements ForwardingEnvironment {
        private final SystemEnvironment real = new SystemEnvironment();
        private final AtomicLong millis = new AtomicLong();
        private final Queue<Runnable> timers = new ConcurrentLinkedQueue<>();

        @Override
        public Environment real() {
            return real;
        }

        @Override
        public long nanoTime() {
            return 1_000_000 * millis.get();
        }

        @Override
        public Cancellable schedule(long delayMillis, Runnable task) {
            timers.add(task);
            return () -> timers.remove(task);
        }

        void pass(long more) {
            millis.addAndGet(more);
            for (int due = timers.size(); due > 0; due--) {
                Runnable task = timers.poll();
                if (task != null) {
                    task.run();
                }
            }
        }
    }

    @BeforeEach
    void serve() throws IOException {
        server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .addService(new Stuck())
                .build()
                .start();
        channel = NettyChannelBuilder.forTarget("127.0.0.1:" + server.getPort())
                .usePlaintext()
                .build();
    }

    @AfterEach
    void close() throws InterruptedException {
        channel.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
        server.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
        clock.real.close();
    }

    @Test
    void whoWaitsForASilentSenderIsToldAndTheSenderLetsGo() throws Exception {
        BlockingQueue<String> taken = new LinkedBlockingQueue<>();
        CompletableFuture<Void> fetch = fetch((piece, next) -> {
            next.run();
            taken.add(piece.toStringUtf8());
        });
        assertThat(taken.take()).isEqualTo("piece");
        clock.pass(ObjectClient.SILENCE_MILLIS - 1);
        assertThat(fetch).isNotDone();

        clock.pass(1);

        assertThatThrownBy(() -> fetch.get(LIMIT_SECONDS, TimeUnit.SECONDS))
                .satisfies(failure -> assertThat(
                                Status.fromThrowable(failure.getCause()).getCode())
                        .isEqualTo(Status.Code.UNAVAILABLE))
                .hasMessageContaining("nothing came of the object for " + ObjectClient.SILENCE_MILLIS + " ms");
        letGo.await();
        assertThat(clock.timers).isEmpty();
    }

    @Test
    void aReceiverThatAsksForNothingWaitsForNobody() throws Exception {
        BlockingQueue<Runnable> held = new LinkedBlockingQueue<>();
        CompletableFuture<Void> fetch = fetch((piece, next) -> held.add(next));
        Runnable next = held.take();
        for (int minutes = 0; minutes < 100; minutes++) {
            clock.pass(60_000);
        }
        assertThat(fetch).isNotDone();

        next.run();
        clock.pass(ObjectClient.SILENCE_MILLIS - 1);
        assertThat(fetch).as("asked only now").isNotDone();
        clock.pass(1);
        assertThatThrownBy(() -> fetch.get(LIMIT_SECONDS, TimeUnit.SECONDS)).hasMessageContaining("nothing came");
    }

    private CompletableFuture<Void> fetch(ObjectClient.Receiver receiver) {
        return new ObjectClient((seat, address) -> channel, clock).fetch("w-0", "", NAME, 1, receiver);
    }
}
