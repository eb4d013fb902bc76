/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.protocol.security;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/**
 * Says in the status of a call why it did not come about. The one place that tells a refused connection from one that
 * could not be made: codes stay, the description gets readable, and a refusal has {@link RefusedConnectionException} as
 * cause. What fails on a connection that was made stays as it is, unless the other side does not accept the caller.
 */
final class RefusalInterceptor implements ClientInterceptor {

    /** What one way of proving knows of its refusals. */
    interface Explanation {
        /** What this process shows, as the object of a sentence. */
        String shown();

        /** What to do when the other side does not know this process; no full stop. */
        String remedy();

        /** Why nothing came of a connection to {@code target}, with the remedy; null if nobody refused anybody. */
        @Nullable
        String refusal(String target, Status status);
    }

    /** gRPC's description, without a cause, of a connection that the other side closed in order. */
    private static final String CLOSED = "Network closed";

    private final String target;
    private final Explanation explanation;

    RefusalInterceptor(String target, Explanation explanation) {
        this.target = target;
        this.explanation = explanation;
    }

    @Override
    public <Q, A> ClientCall<Q, A> interceptCall(MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
        return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
            @Override
            public void start(Listener<A> listener, Metadata headers) {
                ClientCall<Q, A> call = delegate();
                super.start(
                        new SimpleForwardingClientCallListener<>(listener) {
                            @Override
                            public void onClose(Status status, Metadata trailers) {
                                boolean connected = call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR) != null;
                                super.onClose(explained(status, method, connected), trailers);
                            }
                        },
                        headers);
            }
        };
    }

    private Status explained(Status status, MethodDescriptor<?, ?> method, boolean connected) {
        return switch (status.getCode()) {
            case UNAUTHENTICATED ->
                refused(status, refusedBy(target) + status.getDescription() + ". " + explanation.remedy());
            case PERMISSION_DENIED -> refused(status, refusedBy(target) + status.getDescription());
            case UNIMPLEMENTED ->
                refused(
                        status,
                        target + " does not know " + method.getFullMethodName()
                                + ": it is another service, or of another release. Check the address");
            case INTERNAL ->
                connected
                        ? status
                        : refused(
                                status,
                                target + " does not speak HTTP/2: it is another service, such as one of health or"
                                        + " metrics. Check the address");
            case UNAVAILABLE -> connected ? status : unavailable(status);
            default -> status;
        };
    }

    private String refusedBy(String address) {
        return address + " refused " + explanation.shown() + ": ";
    }

    private Status unavailable(Status status) {
        String refusal = explanation.refusal(target, status);
        if (refusal != null) {
            return refused(status, refusal);
        }
        for (Throwable cause = status.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof IOException && cause.getMessage() != null) {
                return status.withDescription("No connection to " + target + ": " + cause.getMessage());
            }
        }
        return status;
    }

    private static Status refused(Status status, String message) {
        return status.withDescription(message).withCause(new RefusedConnectionException(message, status.getCause()));
    }

    /** Whether a connection was made and then closed or cut, rather than not made at all. */
    static boolean isCut(Status status) {
        boolean cut = String.valueOf(status.getDescription()).startsWith(CLOSED);
        for (Throwable cause = status.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof ConnectException
                    || cause instanceof NoRouteToHostException
                    || cause instanceof UnknownHostException) {
                return false;
            }
            cut |= cause instanceof IOException;
        }
        return cut;
    }
}
