/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.gateway;

import io.grpc.BindableService;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.Status;
import java.util.function.BooleanSupplier;

/**
 * Refuses every call that comes while the worker has no seat: before it has settled on it, and after it has lost it.
 * UNAVAILABLE, so that clients go elsewhere or come back. Nothing is recorded in the name of nobody.
 */
public final class SettledOnly implements ServerInterceptor {

    private final String seat;
    private final BooleanSupplier settled;

    private SettledOnly(String seat, BooleanSupplier settled) {
        this.seat = seat;
        this.settled = settled;
    }

    /** The service, as it may be offered to others than the worker itself. */
    public static BindableService of(BindableService service, String seat, BooleanSupplier settled) {
        return () -> ServerInterceptors.intercept(service, new SettledOnly(seat, settled));
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        if (settled.getAsBoolean()) {
            return next.startCall(call, headers);
        }
        call.close(
                Status.UNAVAILABLE.withDescription(
                        "The worker " + seat + " has not taken its seat yet, or has lost it: ask another one"),
                new Metadata());
        return new ServerCall.Listener<>() {};
    }
}
