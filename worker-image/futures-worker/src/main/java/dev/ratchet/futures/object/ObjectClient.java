/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.object;

import com.google.protobuf.ByteString;
import dev.ratchet.environment.Environment;
import dev.ratchet.environment.Environment.Cancellable;
import dev.ratchet.futures.model.LargeMessages;
import dev.ratchet.membership.Peers;
import dev.ratchet.protocol.objects.v1.AdoptReply;
import dev.ratchet.protocol.objects.v1.AdoptRequest;
import dev.ratchet.protocol.objects.v1.FetchObjectRequest;
import dev.ratchet.protocol.objects.v1.ObjectChunk;
import dev.ratchet.protocol.objects.v1.ObjectsGrpc;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Asks other workers for objects. The receiver sets the pace: a few messages are in flight until it asks for more. */
public final class ObjectClient {

    /** Longest time that copying one object may take. */
    private static final long ADOPT_LIMIT_SECONDS = 600;

    /** A sender from which nothing comes for so long, though it was asked, is given up. */
    static final long SILENCE_MILLIS = 30_000;

    private final Peers peers;
    private final Environment environment;

    public ObjectClient(Peers peers, Environment environment) {
        this.peers = peers;
        this.environment = environment;
    }

    /** Receives an object in order. Called by one thread at a time. */
    public interface Receiver {
        /**
         * Takes a piece, which is the transport's memory and lasts as long as this call; {@code next} asks for another
         * one and must be called once, now or later.
         */
        void piece(ByteString content, Runnable next);

        /** Whether pieces may be taken on the thread of the network, because that never blocks. */
        default boolean takesAtOnce() {
            return false;
        }
    }

    /**
     * Streams an object from another worker.
     *
     * @param window messages that may come before the receiver has asked for more
     * @return completes after the last piece, on the thread that has taken it; fails with the call's status, which is
     *     UNAVAILABLE where the sender has fallen silent: its connection may be well, and its disk not. Cancelling it
     *     ends the call, and the sender lets go of the object: nothing else does while a receiver asks for no more
     */
    public CompletableFuture<Void> fetch(String seat, String address, ObjectName name, int window, Receiver receiver) {
        Fetch fetch = new Fetch(window, receiver);
        ObjectsGrpc.ObjectsStub stub = ObjectsGrpc.newStub(LargeMessages.over(peers.channel(seat, address)));
        (receiver.takesAtOnce() ? stub.withExecutor(Runnable::run) : stub)
                .fetch(
                        FetchObjectRequest.newBuilder()
                                .setName(ObjectsService.message(name))
                                .build(),
                        fetch);
        return fetch.done;
    }

    /** Asks another worker to make a copy of an object that it fetches itself. */
    public CompletableFuture<AdoptReply> adopt(String seat, String address, AdoptRequest request) {
        CompletableFuture<AdoptReply> reply = new CompletableFuture<>();
        ObjectsGrpc.newStub(peers.channel(seat, address))
                .withDeadlineAfter(ADOPT_LIMIT_SECONDS, TimeUnit.SECONDS)
                .adopt(request, new StreamObserver<>() {
                    @Override
                    public void onNext(AdoptReply value) {
                        reply.complete(value);
                    }

                    @Override
                    public void onError(Throwable failure) {
                        reply.completeExceptionally(failure);
                    }

                    @Override
                    public void onCompleted() {
                        reply.completeExceptionally(new IllegalStateException("No answer from " + seat));
                    }
                });
        return reply;
    }

    private final class Fetch implements ClientResponseObserver<FetchObjectRequest, ObjectChunk> {
        private final int window;
        private final Receiver receiver;
        private final CompletableFuture<Void> done = new CompletableFuture<>();
        /** Pieces that were asked for and have not come. */
        private final AtomicInteger awaited = new AtomicInteger();

        private volatile long awaitedSinceNanos;
        private volatile Cancellable silence = () -> {};
        private volatile @Nullable Status silent;
        private ClientCallStreamObserver<FetchObjectRequest> call;

        @SuppressWarnings("NullAway.Init") // gRPC calls beforeStart before anything else
        Fetch(int window, Receiver receiver) {
            this.window = window;
            this.receiver = receiver;
        }

        @Override
        public void beforeStart(ClientCallStreamObserver<FetchObjectRequest> started) {
            call = started;
            call.disableAutoRequestWithInitial(window);
            awaited.set(window);
            awaitedSinceNanos = environment.nanoTime();
            listen();
            var unused = done.whenComplete((all, failure) -> {
                silence.cancel();
                if (done.isCancelled()) {
                    started.cancel("Nobody receives it any more", failure);
                }
            });
        }

        private void listen() {
            silence = environment.schedule(SILENCE_MILLIS, this::listened);
            if (done.isDone()) {
                silence.cancel();
            }
        }

        private void listened() {
            long millis = TimeUnit.NANOSECONDS.toMillis(environment.nanoTime() - awaitedSinceNanos);
            if (done.isDone()) {
                return;
            }
            if (awaited.get() == 0 || millis < SILENCE_MILLIS) {
                listen();
                return;
            }
            // The call tells the receiver, between two pieces.
            silent = Status.UNAVAILABLE.withDescription("nothing came of the object for " + millis + " ms");
            call.cancel("The sender is silent", null);
        }

        private void ask() {
            if (awaited.get() == 0) {
                awaitedSinceNanos = environment.nanoTime();
            }
            awaited.incrementAndGet();
            call.request(1);
        }

        @Override
        public void onNext(ObjectChunk chunk) {
            awaited.decrementAndGet();
            awaitedSinceNanos = environment.nanoTime();
            try {
                receiver.piece(chunk.getContent(), this::ask);
            } catch (RuntimeException refused) {
                call.cancel("The receiver can not take more", refused);
                done.completeExceptionally(refused);
            }
        }

        @Override
        public void onError(Throwable failure) {
            Status gaveUp = silent;
            done.completeExceptionally(gaveUp == null ? failure : gaveUp.asRuntimeException());
        }

        @Override
        public void onCompleted() {
            done.complete(null);
        }
    }
}
