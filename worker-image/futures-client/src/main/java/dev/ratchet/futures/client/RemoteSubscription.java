/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import dev.ratchet.client.ConnectionException;
import dev.ratchet.client.StepExpiredException;
import dev.ratchet.client.ViewStep;
import dev.ratchet.client.ViewStepListener;
import dev.ratchet.client.ViewSubscription;
import dev.ratchet.protocol.client.v1.FollowViewReply;
import dev.ratchet.protocol.client.v1.FollowViewRequest;
import dev.ratchet.protocol.client.v1.GatewayGrpc;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one stream of steps open. When it breaks, the next one, maybe to another worker, begins behind the last step
 * that was heard. The listener is called on the thread of the stream, so that no more comes than it takes.
 */
final class RemoteSubscription implements ViewSubscription {

    private static final long FIRST_RETRY_MILLIS = 50;
    private static final long LAST_RETRY_MILLIS = 2_000;

    private final GatewayConnection connection;
    private final String view;
    private final ViewStepListener listener;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private OptionalLong after;
    private OptionalLong heard = OptionalLong.empty();
    private long retryMillis = FIRST_RETRY_MILLIS;
    private @Nullable ClientCallStreamObserver<FollowViewRequest> stream;

    /** @param after the step behind which it begins; empty: with a snapshot */
    RemoteSubscription(GatewayConnection connection, String view, OptionalLong after, ViewStepListener listener) {
        this.connection = connection;
        this.view = view;
        this.after = after;
        this.listener = listener;
    }

    /** To be called once. */
    RemoteSubscription begin() {
        connect();
        return this;
    }

    @Override
    public synchronized OptionalLong step() {
        return heard;
    }

    /** A program that completes it changes nothing. */
    @Override
    public CompletableFuture<Void> ended() {
        return ended.copy();
    }

    @Override
    public void close() {
        ended.complete(null);
        synchronized (this) {
            if (stream != null) {
                stream.cancel("The subscription is closed", null);
            }
        }
    }

    private void connect() {
        if (ended.isDone()) {
            return;
        }
        connection.channel().whenComplete((channel, failure) -> {
            if (channel != null) {
                open(channel);
            } else {
                broken(failure);
            }
        });
    }

    private void open(ManagedChannel channel) {
        FollowViewRequest.Builder request = FollowViewRequest.newBuilder().setView(view);
        synchronized (this) {
            after.ifPresent(request::setAfterStep);
        }
        try {
            GatewayGrpc.newStub(channel).followView(request.build(), new Steps(channel));
        } catch (RuntimeException | Error unexpected) {
            connection.abandon(channel);
            broken(unexpected);
        }
    }

    private void broken(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (connection.isClosed()) {
            end(connection.closedFailure());
        } else if (cause instanceof ConnectionException refused) {
            end(refused);
        } else if (GatewayConnection.mayRetry(cause)) {
            long delay;
            synchronized (this) {
                delay = retryMillis;
                retryMillis = Math.min(LAST_RETRY_MILLIS, 2 * retryMillis);
            }
            var unused = connection.environment().schedule(delay, this::connect);
        } else if (Status.fromThrowable(cause).getCode() == Status.Code.OUT_OF_RANGE) {
            end(new StepExpiredException(
                    "The view '" + view + "' can not be followed: "
                            + Status.fromThrowable(cause).getDescription(),
                    cause));
        } else {
            end(connection.explain(cause));
        }
    }

    private void end(Throwable failure) {
        ended.completeExceptionally(failure);
        close();
    }

    /** One stream. */
    private final class Steps implements ClientResponseObserver<FollowViewRequest, FollowViewReply> {
        private final ManagedChannel channel;
        private final StepParts parts = new StepParts(view);

        Steps(ManagedChannel channel) {
            this.channel = channel;
        }

        @Override
        public void beforeStart(ClientCallStreamObserver<FollowViewRequest> begun) {
            synchronized (RemoteSubscription.this) {
                stream = begun;
            }
            if (ended.isDone()) {
                begun.cancel("The subscription is closed", null);
            }
        }

        @Override
        public void onNext(FollowViewReply piece) {
            if (ended.isDone()) {
                return;
            }
            try {
                ViewStep step = parts.add(piece);
                if (step != null) {
                    listener.hear(step);
                    heard(step.step());
                }
            } catch (RuntimeException | Error thrown) {
                end(thrown);
            }
        }

        @Override
        public void onError(Throwable failure) {
            if (ended.isDone()) {
                return;
            }
            if (GatewayConnection.mayRetry(failure)) {
                connection.abandon(channel, failure);
            }
            broken(failure);
        }

        @Override
        public void onCompleted() {
            onError(Status.UNAVAILABLE.asRuntimeException());
        }
    }

    private synchronized void heard(long step) {
        heard = OptionalLong.of(step);
        after = heard;
        retryMillis = FIRST_RETRY_MILLIS;
    }
}
