/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.server;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.ratchet.environment.Environment;
import dev.ratchet.protocol.store.v1.ClientFrame;
import dev.ratchet.protocol.store.v1.Request;
import dev.ratchet.protocol.store.v1.Response;
import dev.ratchet.protocol.store.v1.ServerFrame;
import dev.ratchet.store.transaction.EmbeddedFDBException;
import dev.ratchet.store.transaction.ErrorCode;
import dev.ratchet.store.wire.Outbox;
import dev.ratchet.store.wire.Pieces;
import dev.ratchet.store.wire.Responses;
import dev.ratchet.store.wire.StoreProtocol;
import io.grpc.Status;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One open session: the requests of one client process on their way into the engine, and its answers on their way out.
 *
 * <p>Invariant: after {@link #end} has returned, no request of this session reaches the engine any more. A successor
 * relies on it when it settles commits. What a client can make the server remember is limited: when the bytes promised
 * to it exceed {@value #PROMISED_BYTES}, no further request is begun and no further frame is read until it has taken
 * some, and it may have {@value #WATCHES} watches.
 */
final class OpenSession {

    static final long PROMISED_BYTES = 16L << 20;
    static final int WATCHES = 100_000;
    /**
     * How long requests are begun in one go on the thread of the network, which also tells clients that the store is
     * there.
     */
    private static final long SLICE_NANOS = 5_000_000;
    /** What an answer of unknown size is taken for while it is made. */
    private static final long ANSWER_BYTES = 256;

    private final FrameStream stream;
    private final Dispatcher dispatcher;
    private final StoreMetrics metrics;
    private final Environment environment;
    private final Outbox<Response> outbox;

    private final ConcurrentLinkedQueue<Request> waiting = new ConcurrentLinkedQueue<>();
    private final Map<Long, CompletableFuture<?>> watches = new ConcurrentHashMap<>();
    private final AtomicLong promisedBytes = new AtomicLong();
    private final AtomicBoolean frameOwed = new AtomicBoolean();
    /** Used by the thread that takes frames, one at a time. */
    private final Pieces pieces = new Pieces();
    /** Calls of {@link #begin} not yet answered; whoever raises it from 0 begins requests. */
    private final AtomicInteger beginCalls = new AtomicInteger();
    /** Whether requests wait for bytes to be taken. */
    private volatile boolean stalled;

    private final Object lock = new Object();
    /** Guarded by {@link #lock}, which is also held while the engine is called. */
    private boolean ended;

    OpenSession(FrameStream stream, Dispatcher dispatcher, StoreMetrics metrics, Environment environment) {
        this.stream = stream;
        this.dispatcher = dispatcher;
        this.metrics = metrics;
        this.environment = environment;
        this.outbox = new Outbox<>(
                stream::ready,
                responses -> stream.send(
                        ServerFrame.newBuilder().addAllResponses(responses).build()));
    }

    /** Takes a frame; the next one is asked for when this one has been begun. Called by one thread at a time. */
    void take(ClientFrame frame) {
        for (long id : frame.getCancelList()) {
            cancel(id);
        }
        for (Request request : frame.getRequestsList()) {
            if (request.hasPiece()) {
                takePiece(request);
            } else {
                waiting.add(request);
            }
        }
        frameOwed.set(true);
        outbox.batch(this::begin);
    }

    private void cancel(long id) {
        waiting.removeIf(request -> request.hasWatch() && request.getId() == id);
        CompletableFuture<?> watch = watches.get(id);
        if (watch != null) {
            watch.cancel(false);
        }
    }

    private void takePiece(Request request) {
        try {
            ByteString whole = pieces.add(request.getId(), request.getPiece());
            if (whole != null) {
                waiting.add(Request.parseFrom(whole));
            }
        } catch (InvalidProtocolBufferException | IllegalStateException damaged) {
            stream.fail(Status.INVALID_ARGUMENT.withDescription(
                    "A request in pieces can not be put together: " + damaged.getMessage()));
        }
    }

    /** The stream takes frames again. */
    void ready() {
        outbox.drain();
        begin();
    }

    /** Begins waiting requests as far as the limits allow, and asks for the next frame when none is left. */
    private void begin() {
        if (beginCalls.getAndIncrement() != 0) {
            return;
        }
        int answered = 1;
        do {
            beginWaiting();
            answered = beginCalls.addAndGet(-answered);
        } while (answered != 0);
    }

    private void beginWaiting() {
        long beganNanos = environment.nanoTime();
        while (!waiting.isEmpty()) {
            if (environment.nanoTime() - beganNanos > SLICE_NANOS) {
                environment.executor().execute(this::begin);
                return;
            }
            if (full()) {
                stalled = true;
                if (full()) {
                    return;
                }
                stalled = false;
            }
            Request request = waiting.poll();
            if (request == null || !begin(request)) {
                return;
            }
        }
        if (frameOwed.compareAndSet(true, false)) {
            stream.askForFrame();
        }
    }

    /** Whether what the client sends is read; it is not while it owes the taking of answers. */
    boolean isReading() {
        return !frameOwed.get();
    }

    private boolean full() {
        return promisedBytes.get() + outbox.pendingBytes() >= PROMISED_BYTES;
    }

    /** False when the session has ended. */
    private boolean begin(Request request) {
        boolean watch = request.hasWatch();
        long promised = watch ? 0 : request.hasRange() ? StoreProtocol.ROWS_BYTES : ANSWER_BYTES;
        Dispatcher.Call call;
        synchronized (lock) {
            if (ended) {
                waiting.clear();
                return false;
            }
            metrics.requestBegan(request);
            if (watch && watches.size() >= WATCHES) {
                finish(Responses.error(request.getId(), new EmbeddedFDBException(ErrorCode.TOO_MANY_WATCHES)));
                return true;
            }
            promisedBytes.addAndGet(promised);
            call = call(request);
            if (watch) {
                watches.put(request.getId(), call.asked());
            }
        }
        call.answer().whenComplete((response, failure) -> {
            promisedBytes.addAndGet(-promised);
            if (watch) {
                watches.remove(request.getId());
            }
            finish(failure == null ? response : Responses.error(request.getId(), failure));
            if (stalled) {
                stalled = false;
                environment.executor().execute(this::begin);
            }
        });
        return true;
    }

    /** What the engine throws is an answer, too: the client waits for one. */
    private Dispatcher.Call call(Request request) {
        try {
            return dispatcher.call(request);
        } catch (RuntimeException | Error unexpected) {
            CompletableFuture<Response> failed = CompletableFuture.failedFuture(unexpected);
            return new Dispatcher.Call(failed, failed);
        }
    }

    private void finish(Response answer) {
        metrics.requestEnded(answer);
        boolean cut = Pieces.cut(
                answer,
                piece -> outbox.add(Response.newBuilder()
                        .setId(answer.getId())
                        .setPiece(piece)
                        .build()));
        if (!cut) {
            outbox.add(answer);
        }
    }

    /** Stops for good; see the invariant. Answers that are still to come go nowhere. */
    void end() {
        synchronized (lock) {
            if (ended) {
                return;
            }
            ended = true;
        }
        watches.values().forEach(watch -> watch.cancel(false));
        outbox.close();
    }
}
