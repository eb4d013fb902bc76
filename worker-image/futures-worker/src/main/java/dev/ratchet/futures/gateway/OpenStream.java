/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.gateway;

import io.grpc.ForwardingServerCall;
import io.grpc.ForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.util.function.Consumer;

/**
 * A call that another thread than that of its service may end. What the service sends after that goes nowhere, and the
 * call is closed once, whoever does it first. Safe for use by several threads, which gRPC's own calls are not.
 */
final class OpenStream<Q, A> extends ForwardingServerCall.SimpleForwardingServerCall<Q, A> {

    private final Consumer<OpenStream<?, ?>> over;
    private boolean closed;

    /** @param over is told when nothing is left to end */
    OpenStream(ServerCall<Q, A> call, Consumer<OpenStream<?, ?>> over) {
        super(call);
        this.over = over;
    }

    /** What the service wants to hear of it. */
    ServerCall.Listener<Q> listener(ServerCall.Listener<Q> service) {
        return new ForwardingServerCallListener.SimpleForwardingServerCallListener<>(service) {
            @Override
            public void onCancel() {
                over.accept(OpenStream.this);
                super.onCancel();
            }

            @Override
            public void onComplete() {
                over.accept(OpenStream.this);
                super.onComplete();
            }
        };
    }

    /** Ends it, unless it has ended. */
    void end(Status status) {
        close(status, new Metadata());
    }

    @Override
    public synchronized void sendHeaders(Metadata headers) {
        if (!closed) {
            super.sendHeaders(headers);
        }
    }

    @Override
    public synchronized void sendMessage(A message) {
        if (!closed) {
            super.sendMessage(message);
        }
    }

    @Override
    public synchronized void close(Status status, Metadata trailers) {
        if (!closed) {
            closed = true;
            super.close(status, trailers);
        }
    }
}
