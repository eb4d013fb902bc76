/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import com.google.protobuf.ByteString;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.protocol.client.v1.AttachReply;
import dev.ratchet.protocol.client.v1.AttachRequest;
import dev.ratchet.protocol.client.v1.DetachReply;
import dev.ratchet.protocol.client.v1.DetachRequest;
import dev.ratchet.protocol.client.v1.GatewayGrpc;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lease under which the cluster keeps what this program alone holds. It begins when something is to be held for the
 * first time, lasts while one stream to any worker is open and a while beyond, and ends with {@link #end}. A program
 * that was away for longer finds its lease over, and begins another one. Safe for use by several threads.
 */
final class ClientLease {

    private static final Logger LOG = LoggerFactory.getLogger(ClientLease.class);
    private static final long RETRY_MILLIS = 200;

    private final GatewayConnection connection;
    private final CompletableFuture<Void> begun = new CompletableFuture<>();
    private ByteString id;
    private boolean started;
    private boolean granted;

    ClientLease(GatewayConnection connection) {
        this.connection = connection;
        this.id = newId();
    }

    /** The id of the lease; another one after it was lost. */
    synchronized ByteString id() {
        return id;
    }

    /** Completes when the cluster knows the lease; begins it if it has not begun. */
    CompletableFuture<Void> begun() {
        synchronized (this) {
            if (started) {
                return begun;
            }
            started = true;
        }
        connect();
        return begun;
    }

    /**
     * Ends the lease, if it has begun, as far as any worker answers in time. The worker in use is asked, and once more
     * whoever answers then, because the end of a worker may not have come to this program yet. Where nobody answers,
     * the lease is left to end by itself: a program does not wait for a cluster that is away.
     */
    void end(Duration timeout) {
        synchronized (this) {
            if (!granted) {
                return;
            }
        }
        DetachRequest request = DetachRequest.newBuilder().setClient(id()).build();
        CompletableFuture<DetachReply> ended = connection.channel().thenCompose(reachable -> detach(request)
                .exceptionallyCompose(gone -> detach(request)));
        try {
            var unused = ended.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException unanswered) {
            LOG.debug("The lease was not ended, and will be over by itself", unanswered);
        }
    }

    private CompletableFuture<DetachReply> detach(DetachRequest request) {
        return connection.callOnce((stub, answer) -> stub.detach(request, answer));
    }

    private ByteString newId() {
        return Ids.bytes(Ids.ofRandom(connection.environment().randomId()));
    }

    private void connect() {
        if (connection.isClosed()) {
            return;
        }
        connection.channel().whenComplete((channel, failure) -> {
            if (channel == null) {
                lost(failure);
                return;
            }
            try {
                open(channel);
            } catch (RuntimeException | Error unexpected) {
                lost(unexpected);
            }
        });
    }

    private void open(ManagedChannel channel) {
        AttachRequest request;
        synchronized (this) {
            request = AttachRequest.newBuilder()
                    .setClient(id)
                    .setName(ProcessHandle.current().pid() + " " + System.getProperty("user.name", ""))
                    .setBegins(!granted)
                    .build();
        }
        GatewayGrpc.newStub(channel).attach(request, new StreamObserver<>() {
            @Override
            public void onNext(AttachReply reply) {
                synchronized (ClientLease.this) {
                    granted = true;
                }
                begun.complete(null);
            }

            @Override
            public void onError(Throwable failure) {
                if (GatewayConnection.mayRetry(failure)) {
                    connection.abandon(channel, failure);
                }
                lost(failure);
            }

            @Override
            public void onCompleted() {
                lost(Status.UNAVAILABLE.asRuntimeException());
            }
        });
    }

    private synchronized boolean isGranted() {
        return granted;
    }

    /** A lease that was granted is asked for until it is over: without it the cluster forgets what it holds. */
    private void lost(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        Status.Code code = Status.fromThrowable(cause).getCode();
        if (code == Status.Code.FAILED_PRECONDITION) {
            LOG.warn("The lease of this program is over, because it was away for too long: what it alone held is gone");
            synchronized (this) {
                id = newId();
                granted = false;
            }
        } else if (!GatewayConnection.mayRetry(cause) && !isGranted()) {
            begun.completeExceptionally(connection.explain(cause));
            return;
        }
        if (!connection.isClosed()) {
            var unused = connection.environment().schedule(RETRY_MILLIS, this::connect);
        }
    }
}
