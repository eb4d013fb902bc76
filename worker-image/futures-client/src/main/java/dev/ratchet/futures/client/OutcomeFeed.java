/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import dev.ratchet.client.FutureId;
import dev.ratchet.environment.Environment;
import dev.ratchet.environment.GuardedCallbacks;
import dev.ratchet.futures.model.FutureSet;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.protocol.client.v1.AwaitRequest;
import dev.ratchet.protocol.client.v1.AwaitedBlock;
import dev.ratchet.protocol.client.v1.BlockOutcome;
import dev.ratchet.protocol.client.v1.GatewayGrpc;
import dev.ratchet.protocol.client.v1.Outcome;
import dev.ratchet.protocol.client.v1.OutcomeBatch;
import dev.ratchet.protocol.futures.v1.ResultRun;
import dev.ratchet.protocol.security.RetryAfter;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one stream of outcomes open while somebody waits for any. When it breaks, the next one, maybe to another
 * worker, asks for everything that is still open. What is more than a worker lets one stream await is asked for in
 * turn, once others have ended. Safe for use by several threads.
 */
final class OutcomeFeed {

    private static final int IDS_PER_MESSAGE = 500;
    private static final int BLOCKS_PER_MESSAGE = 32;
    private static final long RETRY_MILLIS = 200;

    private final GatewayConnection connection;
    private final Sink sink;
    private final BiConsumer<FutureId, RuntimeException> refused;
    private final int awaitedMax;
    /** What the present stream was asked for, or the next one will be. */
    private final FutureSet asked = new FutureSet();

    private final Deque<Later> later = new ArrayDeque<>();
    private @Nullable StreamObserver<AwaitRequest> stream;
    private long openedNanos;
    private boolean retrying;

    /**
     * What is to be asked for next.
     *
     * @param futures of a block, all of them; 0: a future
     */
    private record Later(FutureId id, int futures) {}

    /** Is told of outcomes, in the order in which they come. */
    interface Sink {

        /** One future has ended. */
        void done(FutureId id, Outcome outcome);

        /** Futures of a block have values. */
        void done(FutureId block, BlockOutcome outcome);
    }

    /**
     * @param sink is told of each outcome once
     * @param refused is told of each future whose outcome the workers will not tell, and why
     * @param awaitedMax futures asked for at once, as many as the workers allow
     */
    OutcomeFeed(
            GatewayConnection connection, Sink sink, BiConsumer<FutureId, RuntimeException> refused, int awaitedMax) {
        this.awaitedMax = awaitedMax;
        this.connection = connection;
        this.sink = sink;
        this.refused = refused;
    }

    /** Asks for the outcomes of futures that are recorded. */
    void await(Collection<FutureId> ids) {
        await(ids, Map.of());
    }

    /** As {@link #await(Collection)}, and of all futures of some blocks, by their number. */
    synchronized void await(Collection<FutureId> ids, Map<FutureId, Integer> blocks) {
        ids.forEach(id -> later.add(new Later(id, 0)));
        blocks.forEach((block, futures) -> later.add(new Later(block, futures)));
        StreamObserver<AwaitRequest> present = stream;
        if (present != null) {
            askForMore(present);
        } else if (!retrying) {
            connect();
        }
    }

    private void askForMore(StreamObserver<AwaitRequest> present) {
        List<FutureId> ids = new ArrayList<>();
        Map<FutureId, Integer> blocks = new LinkedHashMap<>();
        for (Later next = later.peek();
                next != null && asked.size() + Math.max(1, next.futures()) <= awaitedMax;
                next = later.peek()) {
            later.remove();
            if (next.futures() > 0) {
                asked.add(next.id(), 1, next.futures());
                blocks.put(next.id(), next.futures());
            } else {
                asked.add(next.id());
                ids.add(next.id());
            }
        }
        ask(present, ids, blocks);
    }

    private synchronized void connect() {
        if (connection.isClosed() || (asked.size() == 0 && later.isEmpty())) {
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

    private void open(ManagedChannel channel) {
        try {
            openNow(channel);
        } catch (RuntimeException | Error unexpected) {
            connection.abandon(channel);
            retryLater();
        }
    }

    private synchronized void openNow(ManagedChannel channel) {
        retrying = false;
        openedNanos = connection.environment().nanoTime();
        StreamObserver<AwaitRequest> opened = GatewayGrpc.newStub(channel).await(new StreamObserver<>() {
            @Override
            public void onNext(OutcomeBatch batch) {
                receive(batch);
            }

            @Override
            public void onError(Throwable failure) {
                connection.abandon(channel, failure);
                refuseOrRetry(failure);
            }

            @Override
            public void onCompleted() {
                connection.abandon(channel);
                retryLater();
            }
        });
        stream = opened;
        Map<FutureId, Integer> blocks = asked.wholeBlocks();
        ask(opened, asked.without(blocks.keySet()), blocks);
        askForMore(opened);
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

    /** What can not be asked for ends the stream, and the next one asks for it. */
    private static void ask(
            StreamObserver<AwaitRequest> stream, Collection<FutureId> ids, Map<FutureId, Integer> blocks) {
        try {
            askNow(stream, ids, blocks);
        } catch (RuntimeException | Error unexpected) {
            GuardedCallbacks.run("ending a stream of outcomes", () -> stream.onError(unexpected));
        }
    }

    private static void askNow(
            StreamObserver<AwaitRequest> stream, Collection<FutureId> ids, Map<FutureId, Integer> blocks) {
        AwaitRequest.Builder request = AwaitRequest.newBuilder();
        for (Map.Entry<FutureId, Integer> block : blocks.entrySet()) {
            request.addBlocks(
                    AwaitedBlock.newBuilder().setId(Ids.bytes(block.getKey())).setFutures(block.getValue()));
            if (request.getBlocksCount() == BLOCKS_PER_MESSAGE) {
                stream.onNext(request.build());
                request.clearBlocks();
            }
        }
        for (FutureId id : ids) {
            request.addIds(Ids.bytes(id));
            if (request.getIdsCount() == IDS_PER_MESSAGE) {
                stream.onNext(request.build());
                request.clear();
            }
        }
        if (request.getIdsCount() + request.getBlocksCount() > 0) {
            stream.onNext(request.build());
        }
    }

    private void receive(OutcomeBatch batch) {
        List<Outcome> fresh = new ArrayList<>();
        List<BlockOutcome> freshBlocks = new ArrayList<>();
        synchronized (this) {
            for (Outcome outcome : batch.getOutcomesList()) {
                if (asked.take(Ids.of(outcome.getId()))) {
                    fresh.add(outcome);
                }
            }
            for (BlockOutcome block : batch.getBlocksList()) {
                List<ResultRun> runs = asked.take(Ids.of(block.getId()), block.getRunsList());
                freshBlocks.add(block.toBuilder().clearRuns().addAllRuns(runs).build());
            }
        }
        GuardedCallbacks.each("taking an outcome", fresh, outcome -> sink.done(Ids.of(outcome.getId()), outcome));
        GuardedCallbacks.each(
                "taking the outcome of a block", freshBlocks, block -> sink.done(Ids.of(block.getId()), block));
        synchronized (this) {
            if (stream != null) {
                askForMore(stream);
            }
        }
    }

    /** Whether every worker would say the same: waiting on would be for ever. */
    private static boolean isRefusal(Throwable failure) {
        return switch (Status.fromThrowable(failure).getCode()) {
            case PERMISSION_DENIED, UNAUTHENTICATED, INVALID_ARGUMENT -> true;
            case RESOURCE_EXHAUSTED -> RetryAfter.millis(failure).isEmpty();
            default -> false;
        };
    }

    private void refuse(RuntimeException reason) {
        List<FutureId> all;
        synchronized (this) {
            stream = null;
            retrying = false;
            later.forEach(next -> {
                if (next.futures() > 0) {
                    asked.add(next.id(), 1, next.futures());
                } else {
                    asked.add(next.id());
                }
            });
            later.clear();
            all = asked.without(Set.of());
            asked.clear();
        }
        GuardedCallbacks.each("refusing an outcome", all, id -> refused.accept(id, reason));
    }

    /** At once after a stream that has lasted, so that callers of a worker that ends wait for the next one only. */
    private synchronized void retryLater() {
        Environment environment = connection.environment();
        boolean lasted = stream != null && environment.nanoTime() - openedNanos >= RETRY_MILLIS * 1_000_000;
        stream = null;
        if (!connection.isClosed()) {
            retrying = true;
            var unused = environment.schedule(lasted ? 0 : RETRY_MILLIS, this::connect);
        }
    }
}
