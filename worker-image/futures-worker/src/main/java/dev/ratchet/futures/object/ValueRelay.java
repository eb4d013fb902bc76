/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.object;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.ratchet.client.FutureId;
import dev.ratchet.environment.GuardedCallbacks;
import dev.ratchet.futures.model.LargeMessages;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.membership.Liveness;
import dev.ratchet.protocol.client.v1.ValueChunk;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.State;
import dev.ratchet.protocol.futures.v1.StoredObject;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the value of a future to a client: from the record, from the own store, or passed on from the worker that holds
 * it, piece by piece as the client takes them.
 */
public final class ValueRelay {

    private static final Logger LOG = LoggerFactory.getLogger(ValueRelay.class);

    private final FutureStore store;
    private final ObjectLocator locator;
    private final ObjectStore objects;
    private final ObjectClient client;
    private final Liveness liveness;
    private final BiFunction<FutureId, StoredObject, CompletableFuture<Void>> reviver;

    /** @param reviver makes a result that was found missing be computed again */
    public ValueRelay(
            FutureStore store,
            ObjectLocator locator,
            ObjectStore objects,
            ObjectClient client,
            Liveness liveness,
            BiFunction<FutureId, StoredObject, CompletableFuture<Void>> reviver) {
        this.store = store;
        this.locator = locator;
        this.objects = objects;
        this.client = client;
        this.liveness = liveness;
        this.reviver = reviver;
    }

    /** A client's call, with what is wanted of the sender when the client can take more. */
    static final class Call {
        private final ServerCallStreamObserver<ValueChunk> response;
        private final AtomicReference<@Nullable Runnable> next = new AtomicReference<>();
        private final boolean keepLost;
        private final AtomicInteger signals = new AtomicInteger();
        private final AtomicReference<@Nullable Runnable> source = new AtomicReference<>();
        private volatile boolean ended;

        Call(ServerCallStreamObserver<ValueChunk> response, boolean keepLost) {
            this.response = response;
            this.keepLost = keepLost;
            response.setOnReadyThreshold(LargeMessages.READY_BYTES);
            response.setOnReadyHandler(this::ready);
            response.setOnCancelHandler(this::end);
            response.setOnCloseHandler(this::end);
        }

        /** Has an object stay where it is until the call has ended, however that happens; then lets go of it. */
        void hold(Runnable letGo) {
            source.set(letGo);
            if (ended) {
                release();
            }
        }

        boolean hasEnded() {
            return ended;
        }

        private void end() {
            ended = true;
            next.set(null);
            release();
        }

        private void release() {
            Runnable letGo = source.getAndSet(null);
            if (letGo != null) {
                letGo.run();
            }
        }

        /** Asks for the next piece if one may be sent; calls from within the sender only note that. */
        void ready() {
            if (signals.getAndIncrement() > 0) {
                return;
            }
            int handled = 1;
            do {
                Runnable waiting = response.isReady() ? next.getAndSet(null) : null;
                if (waiting != null) {
                    GuardedCallbacks.or(waiting, this::unreadable);
                }
                handled = signals.addAndGet(-handled);
            } while (handled > 0);
        }

        void pass(ByteString content, Runnable more) {
            response.onNext(ValueChunk.newBuilder().setContent(content).build());
            next.set(more);
            ready();
        }

        void complete() {
            GuardedCallbacks.or(response::onCompleted, this::unreadable);
        }

        void lost(FutureId id) {
            fail(Status.DATA_LOSS, "The result of " + id + " is lost with the workers that held it");
        }

        void unreadable(Throwable failure) {
            fail(Status.UNAVAILABLE, "The value can not be read: " + failure);
        }

        void fail(Status status, String description) {
            if (!response.isCancelled()) {
                response.onError(status.withDescription(description).asRuntimeException());
            }
        }
    }

    /**
     * Answers the call. To be called within the call's method.
     *
     * @param keepLost whether a lost result is only told of, and not computed again
     */
    public void send(FutureId id, boolean keepLost, ServerCallStreamObserver<ValueChunk> response) {
        Call call = new Call(response, keepLost);
        var unused = store.read(transaction -> locator.sources(transaction, id))
                .thenAccept(sources -> send(id, sources, call))
                .exceptionally(failure -> {
                    call.unreadable(failure);
                    return null;
                });
    }

    private void send(FutureId id, ObjectLocator.Sources sources, Call call) {
        Optional<FutureRecord> record = sources.record();
        if (call.keepLost && record.map(FutureRecord::getState).equals(Optional.of(State.STATE_LOST))) {
            call.lost(id);
            return;
        }
        if (record.isEmpty() || record.get().getState() != State.STATE_REALIZED) {
            call.fail(Status.FAILED_PRECONDITION, "The future " + id + " has no value now");
            return;
        }
        if (!record.get().getResult().hasObject()) {
            ByteString value = record.get().getResult().getInline();
            call.response.onNext(ValueChunk.newBuilder()
                    .setBytes(value.size())
                    .setContent(value)
                    .build());
            call.response.onCompleted();
            return;
        }
        StoredObject object = record.get().getResult().getObject();
        ObjectName name = new ObjectName(id, object.getEpoch());
        call.response.onNext(ValueChunk.newBuilder()
                .setBytes(object.getBytes())
                .setChecksum(object.getChecksum())
                .build());
        Optional<ObjectStore.Stored> own = objects.find(name);
        if (own.isEmpty()) {
            relay(id, object, name, sources, call);
            return;
        }
        var unused = CompletableFuture.runAsync(
                        () -> {
                            try {
                                sendOwn(own.get(), call);
                            } catch (IOException failure) {
                                sendUnreadable(id, object, name, sources, call, failure);
                            }
                        },
                        locator.readers(own.get()))
                .exceptionally(failure -> {
                    call.unreadable(failure);
                    return null;
                });
    }

    private void sendOwn(ObjectStore.Stored own, Call call) throws IOException {
        ObjectReader object = new ObjectReader(objects.open(own), own.bytes());
        call.hold(object::close);
        new OwnObject(object, call).next();
    }

    /** What can not be opened here comes from elsewhere; where it is nowhere else, it is not lost for that. */
    private void sendUnreadable(
            FutureId id,
            StoredObject object,
            ObjectName name,
            ObjectLocator.Sources sources,
            Call call,
            IOException failure) {
        if (DamagedObjectException.isGone(failure)) {
            objects.delete(name);
        } else {
            LOG.warn("an object can not be read now object={}", name, failure);
            objects.counters().unreadable.increment();
        }
        relay(id, object, name, locator.others(sources), call);
    }

    private void relay(FutureId id, StoredObject object, ObjectName name, ObjectLocator.Sources sources, Call call) {
        List<ObjectLocator.Source> alive = sources.alive();
        if (alive.isEmpty() && objects.find(name).isPresent()) {
            call.fail(Status.UNAVAILABLE, "The only copy of " + name + " is here and can not be read");
            return;
        }
        if (alive.isEmpty() && !sources.away().isEmpty()) {
            call.fail(
                    Status.ABORTED,
                    "The value of " + id + " is in files of " + String.join(", ", sources.away())
                            + ", where no process has taken it up yet");
            return;
        }
        if (alive.isEmpty() && call.keepLost) {
            call.lost(id);
            return;
        }
        if (alive.isEmpty()) {
            var unused = GuardedCallbacks.begin(() -> reviver.apply(id, object))
                    .whenComplete((done, failure) -> call.fail(
                            Status.FAILED_PRECONDITION, "The result of " + id + " was lost and is computed again"));
            return;
        }
        ObjectLocator.Source source = alive.getFirst();
        CompletableFuture<Void> fetch = GuardedCallbacks.begin(() -> client.fetch(
                source.copy().getSeat(),
                source.address(),
                name,
                1,
                // A copy: it is the transport's, and a client in this process reads it later.
                (content, more) -> call.pass(UnsafeByteOperations.unsafeWrap(content.toByteArray()), more)));
        call.hold(() -> fetch.cancel(true));
        var unused = fetch.whenComplete((done, failure) -> {
            if (failure == null) {
                call.complete();
            } else if (call.hasEnded()) {
                LOG.debug("A client has gone while it received object={}", name, failure);
            } else if (ObjectLocator.isGone(failure)) {
                relay(id, object, name, sources.withAlive(alive.subList(1, alive.size())), call);
            } else {
                liveness.suspect(source.copy().getSeat(), source.copy().getIncarnation());
                // Not UNAVAILABLE, by which a client would give this worker up, which is well.
                call.fail(
                        Status.ABORTED,
                        "The worker " + source.copy().getSeat() + " that holds the value does not answer: "
                                + failure.getMessage());
            }
        });
    }
}
