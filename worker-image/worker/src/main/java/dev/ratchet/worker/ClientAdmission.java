/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import dev.ratchet.protocol.security.Caller;
import dev.ratchet.protocol.security.Identity;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refuses clients that are not admitted any more: their new calls at once, and an open call at the next message either
 * way, so that nothing more passes. Wraps each service, because the caller is known only inside the server's own
 * interceptor.
 */
final class ClientAdmission implements ServerInterceptor {

    private static final Logger LOG = LoggerFactory.getLogger(ClientAdmission.class);

    private final AllowedClients clients;

    ClientAdmission(AllowedClients clients) {
        this.clients = clients;
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        Admitted<Q, A> admitted = new Admitted<>(call, Caller.current());
        if (!admitted.holds()) {
            return new ServerCall.Listener<>() {};
        }
        return new SimpleForwardingServerCallListener<>(next.startCall(admitted, headers)) {
            @Override
            public void onMessage(Q message) {
                if (admitted.holds()) {
                    super.onMessage(message);
                }
            }
        };
    }

    /** One call for as long as its caller is admitted; what the service says afterwards goes nowhere. */
    private final class Admitted<Q, A> extends SimpleForwardingServerCall<Q, A> {
        private final Identity caller;
        private final AtomicBoolean closed = new AtomicBoolean();

        Admitted(ServerCall<Q, A> call, Identity caller) {
            super(call);
            this.caller = caller;
        }

        boolean holds() {
            if (!clients.admits(caller)) {
                refuse();
            }
            return !closed.get();
        }

        private void refuse() {
            if (closed.compareAndSet(false, true)) {
                LOG.warn(
                        "Call refused, the client is not listed: method={} caller={}",
                        getMethodDescriptor().getFullMethodName(),
                        caller);
                delegate()
                        .close(
                                Status.PERMISSION_DENIED.withDescription(
                                        caller + " is not among the clients of this cluster (spec.access.clients)"),
                                new Metadata());
            }
        }

        @Override
        public void sendHeaders(Metadata headers) {
            if (holds()) {
                super.sendHeaders(headers);
            }
        }

        @Override
        public void sendMessage(A message) {
            if (holds()) {
                super.sendMessage(message);
            }
        }

        @Override
        public void close(Status status, Metadata trailers) {
            if (closed.compareAndSet(false, true)) {
                super.close(status, trailers);
            }
        }
    }
}
