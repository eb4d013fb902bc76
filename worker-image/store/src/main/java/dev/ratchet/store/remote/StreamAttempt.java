/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.remote;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.ratchet.environment.Environment;
import dev.ratchet.environment.GuardedCallbacks;
import dev.ratchet.protocol.store.v1.ClientFrame;
import dev.ratchet.protocol.store.v1.Open;
import dev.ratchet.protocol.store.v1.Opened;
import dev.ratchet.protocol.store.v1.Request;
import dev.ratchet.protocol.store.v1.Response;
import dev.ratchet.protocol.store.v1.ServerFrame;
import dev.ratchet.protocol.store.v1.StoreGrpc;
import dev.ratchet.store.wire.Outbox;
import dev.ratchet.store.wire.Pieces;
import dev.ratchet.store.wire.StoreProtocol;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One attempt at a stream to the store, from dialling to its end, over a connection of its own: a stream whose other
 * side fell silent would drag the next one into the same dead connection. Reports each of opened and broken at most
 * once, and after broken nothing more.
 */
final class StreamAttempt implements ClientResponseObserver<ClientFrame, ServerFrame> {

    /** Whom a link reports to, on threads of the network. */
    interface Owner {
        void opened(StreamAttempt link, Opened opened);

        void received(StreamAttempt link, List<Response> responses);

        void broken(StreamAttempt link, Status status);
    }

    private final ManagedChannel channel;
    private final Owner owner;
    private final Environment environment;
    private final Outbox<Request> outbox;
    private final Pieces pieces = new Pieces();
    private final AtomicBoolean over = new AtomicBoolean();

    private final long begunNanos;
    private @Nullable ClientCallStreamObserver<ClientFrame> stream;
    private volatile boolean opened;
    private volatile long lastReceivedNanos;
    private volatile long lastSentNanos;

    StreamAttempt(ManagedChannel channel, Owner owner, Environment environment) {
        this.channel = channel;
        this.owner = owner;
        this.environment = environment;
        this.outbox = new Outbox<>(this::ready, this::sendRequests);
        this.begunNanos = environment.nanoTime();
        this.lastReceivedNanos = begunNanos;
        this.lastSentNanos = begunNanos;
    }

    /** Dials and asks for a session. */
    void begin(Open open) {
        environment.schedule(StoreProtocol.IDLE_MILLIS, this::beat);
        try {
            StoreGrpc.newStub(channel).session(this);
        } catch (RuntimeException | Error unexpected) {
            end(Status.INTERNAL.withDescription("no stream can be opened").withCause(unexpected));
            return;
        }
        send(ClientFrame.newBuilder().setOpen(open).build());
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<ClientFrame> requests) {
        stream = requests;
        requests.setOnReadyHandler(outbox::drain);
    }

    /** Sends a request, unless it was given to this link before. */
    void give(PendingRequest<?> pending) {
        if (!pending.giveTo(this)) {
            return;
        }
        boolean cut = Pieces.cut(
                pending.request,
                piece -> outbox.add(
                        Request.newBuilder().setId(pending.id()).setPiece(piece).build()));
        if (!cut) {
            outbox.add(pending.request);
        }
    }

    /** Runs what gives several requests, and sends them in as few frames as fit. */
    void batch(Runnable giver) {
        outbox.batch(giver);
    }

    /** Tells the store that nobody waits for an answer any more. */
    void cancel(long id) {
        send(ClientFrame.newBuilder().addCancel(id).build());
    }

    private boolean ready() {
        ClientCallStreamObserver<ClientFrame> current = stream;
        return opened && current != null && current.isReady();
    }

    private void sendRequests(List<Request> requests) {
        send(ClientFrame.newBuilder().addAllRequests(requests).build());
    }

    /** What can not be sent is lost, and with it the link: the next one is given everything again. */
    private void send(ClientFrame frame) {
        try {
            sendNow(frame);
        } catch (RuntimeException | Error unexpected) {
            end(Status.INTERNAL.withDescription("a frame can not be sent").withCause(unexpected));
        }
    }

    private synchronized void sendNow(ClientFrame frame) {
        if (!over.get() && stream != null) {
            lastSentNanos = environment.nanoTime();
            stream.onNext(frame);
        }
    }

    private void beat() {
        if (over.get()) {
            return;
        }
        long now = environment.nanoTime();
        long silentMillis = TimeUnit.NANOSECONDS.toMillis(now - lastReceivedNanos);
        if (!opened && TimeUnit.NANOSECONDS.toMillis(now - begunNanos) > StoreProtocol.OPEN_MILLIS) {
            end(Status.UNAVAILABLE.withDescription("no session within " + StoreProtocol.OPEN_MILLIS + " ms"));
        } else if (opened && silentMillis > StoreProtocol.SERVER_SILENCE_MILLIS) {
            end(Status.UNAVAILABLE.withDescription("nothing came from the store for " + silentMillis + " ms"));
        } else {
            if (opened && TimeUnit.NANOSECONDS.toMillis(now - lastSentNanos) >= StoreProtocol.IDLE_MILLIS / 2) {
                send(ClientFrame.getDefaultInstance());
            }
            // A callback that blocks does not come to the end of its turn: what it waits for may be in here.
            outbox.drain();
            environment.schedule(StoreProtocol.IDLE_MILLIS / 2, this::beat);
        }
    }

    @Override
    public void onNext(ServerFrame frame) {
        lastReceivedNanos = environment.nanoTime();
        if (over.get()) {
            return;
        }
        if (frame.hasOpened()) {
            opened = true;
            owner.opened(this, frame.getOpened());
            outbox.drain();
        }
        if (frame.getResponsesCount() > 0) {
            owner.received(this, joined(frame.getResponsesList()));
        }
    }

    private List<Response> joined(List<Response> responses) {
        if (responses.stream().noneMatch(Response::hasPiece)) {
            return responses;
        }
        List<Response> whole = new ArrayList<>(responses.size());
        for (Response response : responses) {
            if (!response.hasPiece()) {
                whole.add(response);
                continue;
            }
            try {
                ByteString bytes = pieces.add(response.getId(), response.getPiece());
                if (bytes != null) {
                    whole.add(Response.parseFrom(bytes));
                }
            } catch (InvalidProtocolBufferException | IllegalStateException damaged) {
                end(Status.INTERNAL.withDescription(
                        "an answer in pieces can not be put together: " + damaged.getMessage()));
                return List.of();
            }
        }
        return whole;
    }

    @Override
    public void onError(Throwable broken) {
        end(Status.fromThrowable(broken));
    }

    @Override
    public void onCompleted() {
        end(Status.UNAVAILABLE.withDescription("the store ended the session"));
    }

    /** Ends the stream and its connection; reports it to the owner if it had not ended yet. */
    void end(Status status) {
        if (!over.compareAndSet(false, true)) {
            return;
        }
        outbox.close();
        GuardedCallbacks.run("ending a connection to the store", channel::shutdownNow);
        owner.broken(this, status);
    }
}
