/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import dev.ratchet.client.FutureId;
import dev.ratchet.futures.record.Ids;
import dev.ratchet.protocol.client.v1.AwaitRequest;
import dev.ratchet.protocol.client.v1.GatewayGrpc;
import dev.ratchet.protocol.client.v1.Outcome;
import dev.ratchet.protocol.client.v1.OutcomeBatch;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one stream of outcomes open while somebody waits for any. When it breaks, the next one, maybe to another
 * worker, asks for everything that is still open. Safe for use by several threads.
 */
final class OutcomeFeed {

    private static final int IDS_PER_MESSAGE = 500;
    private static final long RETRY_MILLIS = 200;

    private final GatewayConnection connection;
    private final BiConsumer<FutureId, Outcome> sink;
    private final BiConsumer<FutureId, RuntimeException> refused;
    private final Set<FutureId> open = new LinkedHashSet<>();
    private @Nullable StreamObserver<AwaitRequest> stream;
    private boolean retrying;

    /**
     * @param sink is told of each outcome, in the order in which they come
     * @param refused is told of each future whose outcome the workers will not tell, and why
     */
    OutcomeFeed(
            GatewayConnection connection,
            BiConsumer<FutureId, Outcome> sink,
            BiConsumer<FutureId, RuntimeException> refused) {
        this.connection = connection;
        this.sink = sink;
        this.refused = refused;
    }

    /** Asks for the outcomes of futures that are recorded. */
    synchronized void await(Collection<FutureId> ids) {
        open.addAll(ids);
        StreamObserver<AwaitRequest> present = stream;
        if (present != null) {
            ask(present, ids);
        } else if (!retrying) {
            connect();
        }
    }

    private synchronized void connect() {
        if (connection.isClosed() || open.isEmpty()) {
            retrying = false;
            return;
        }
        retrying = true;
        connection.channel().whenComplete((channel, failure) -> {
            if (channel != null) {
                open(channel);
            } else {
                refuseOrRetry(failure);
            }
        });
    }

    private synchronized void open(ManagedChannel channel) {
        retrying = false;
        StreamObserver<AwaitRequest> opened = GatewayGrpc.newStub(channel).await(new StreamObserver<>() {
            @Override
            public void onNext(OutcomeBatch batch) {
                receive(batch);
            }

            @Override
            public void onError(Throwable failure) {
                connection.abandon(channel);
                refuseOrRetry(failure);
            }

            @Override
            public void onCompleted() {
                connection.abandon(channel);
                retryLater();
            }
        });
        stream = opened;
        ask(opened, List.copyOf(open));
    }

    private void refuseOrRetry(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (isRefusal(cause)) {
            refuse(connection.explain(cause));
        } else {
            retryLater();
        }
    }

    private static void ask(StreamObserver<AwaitRequest> stream, Collection<FutureId> ids) {
        AwaitRequest.Builder request = AwaitRequest.newBuilder();
        for (FutureId id : ids) {
            request.addIds(Ids.bytes(id));
            if (request.getIdsCount() == IDS_PER_MESSAGE) {
                stream.onNext(request.build());
                request.clearIds();
            }
        }
        if (request.getIdsCount() > 0) {
            stream.onNext(request.build());
        }
    }

    private void receive(OutcomeBatch batch) {
        List<Outcome> fresh = new ArrayList<>();
        synchronized (this) {
            for (Outcome outcome : batch.getOutcomesList()) {
                if (open.remove(Ids.of(outcome.getId()))) {
                    fresh.add(outcome);
                }
            }
        }
        fresh.forEach(outcome -> sink.accept(Ids.of(outcome.getId()), outcome));
    }

    /** Whether every worker would say the same: waiting on would be for ever. */
    private static boolean isRefusal(Throwable failure) {
        return switch (Status.fromThrowable(failure).getCode()) {
            case PERMISSION_DENIED, UNAUTHENTICATED, INVALID_ARGUMENT, RESOURCE_EXHAUSTED -> true;
            default -> false;
        };
    }

    private void refuse(RuntimeException reason) {
        List<FutureId> all;
        synchronized (this) {
            stream = null;
            retrying = false;
            all = List.copyOf(open);
            open.clear();
        }
        all.forEach(id -> refused.accept(id, reason));
    }

    private synchronized void retryLater() {
        stream = null;
        if (!connection.isClosed()) {
            retrying = true;
            var unused = connection.environment().schedule(RETRY_MILLIS, this::connect);
        }
    }
}
