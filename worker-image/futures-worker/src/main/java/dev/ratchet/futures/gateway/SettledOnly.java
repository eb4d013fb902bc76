/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.gateway;

import io.grpc.BindableService;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.Status;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/**
 * Refuses every call that comes while the worker has no seat: before it has settled on it, and after it has lost it.
 * UNAVAILABLE, so that clients go elsewhere or come back. Nothing is recorded in the name of nobody. Streams that are
 * open then are ended by {@link #endStreams}: a worker without a seat hears of nothing that it could tell on them. Safe
 * for use by several threads.
 */
public final class SettledOnly implements ServerInterceptor {

    private final String seat;
    private final BooleanSupplier settled;
    private final Set<OpenStream<?, ?>> open = ConcurrentHashMap.newKeySet();
    private volatile boolean ended;

    /**
     * @param seat of this worker, named in refusals
     * @param settled whether it has its seat; asked at each call, on any thread
     */
    public SettledOnly(String seat, BooleanSupplier settled) {
        this.seat = seat;
        this.settled = settled;
    }

    /** The service, as it may be offered to others than the worker itself. */
    public BindableService of(BindableService service) {
        return () -> ServerInterceptors.intercept(service, this);
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        if (ended || !settled.getAsBoolean()) {
            call.close(noSeat(), new Metadata());
            return new ServerCall.Listener<>() {};
        }
        if (call.getMethodDescriptor().getType() == MethodType.UNARY) {
            return next.startCall(call, headers);
        }
        OpenStream<Q, A> stream = new OpenStream<>(call, open::remove);
        open.add(stream);
        if (ended) {
            stream.end(noSeat());
        }
        return stream.listener(next.startCall(stream, headers));
    }

    /** Ends what is open but for calls with one answer, and refuses all calls from now on. */
    public void endStreams() {
        ended = true;
        open.forEach(stream -> stream.end(noSeat()));
    }

    private Status noSeat() {
        return Status.UNAVAILABLE.withDescription(
                "The worker " + seat + " has not taken its seat yet, or has lost it: ask another one");
    }
}
