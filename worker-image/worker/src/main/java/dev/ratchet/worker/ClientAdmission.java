/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import com.google.protobuf.MessageOrBuilder;
import dev.ratchet.protocol.client.v1.GatewayGrpc;
import dev.ratchet.protocol.coordinator.v1.CoordinatorGrpc;
import dev.ratchet.protocol.security.CallerIdentity;
import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.security.Identity.Kind;
import dev.ratchet.protocol.sessions.v1.AskSlotsRequest;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Refuses clients that are not admitted any more, or whose role does not allow what they call: new calls at once, and
 * an open call at the next message either way, so that nothing more passes. Notes refusals, and what administrators and
 * the operator do, for who looks into it later. Wraps each service, because the caller is known only inside the
 * server's own interceptor.
 */
final class ClientAdmission implements ServerInterceptor {

    /** What changes or ends the work of others; what a client submits is its own. */
    private static final Set<String> ADMINISTRATIVE = Stream.<MethodDescriptor<?, ?>>of(
                    GatewayGrpc.getCancelMethod(),
                    GatewayGrpc.getDeleteMethod(),
                    GatewayGrpc.getPrioritizeMethod(),
                    GatewayGrpc.getPlaceMethod(),
                    GatewayGrpc.getCheckMethod(),
                    GatewayGrpc.getRetainMethod(),
                    GatewayGrpc.getCloseSessionMethod(),
                    GatewayGrpc.getPutFeedMethod(),
                    GatewayGrpc.getEndFeedMethod(),
                    CoordinatorGrpc.getCommitLayoutMethod(),
                    CoordinatorGrpc.getSetDrainingMethod(),
                    CoordinatorGrpc.getRaiseFormatMethod(),
                    CoordinatorGrpc.getClearStoreMethod())
            .map(MethodDescriptor::getFullMethodName)
            .collect(Collectors.toUnmodifiableSet());

    private final AllowedClients clients;
    private final Audit audit = new Audit();

    ClientAdmission(AllowedClients clients) {
        this.clients = clients;
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        Identity caller = CallerIdentity.current();
        Admitted<Q, A> admitted = new Admitted<>(call, caller);
        if (!admitted.holds()) {
            return new ServerCall.Listener<>() {};
        }
        String method = call.getMethodDescriptor().getFullMethodName();
        boolean isAudited = ADMINISTRATIVE.contains(method);
        boolean closesSessions =
                method.equals(GatewayGrpc.getAskSessionsMethod().getFullMethodName());
        boolean isConfined = clients.role(caller) == ClientRole.SUBMIT;
        ServerCall.Listener<Q> listener = isConfined
                ? Contexts.interceptCall(
                        Context.current().withValue(CallerIdentity.TENANT, caller.name()), admitted, headers, next)
                : next.startCall(admitted, headers);
        return new SimpleForwardingServerCallListener<>(listener) {
            @Override
            public void onMessage(Q message) {
                if (admitted.holds()) {
                    if (isAudited && message instanceof MessageOrBuilder request) {
                        audit.done(caller, call, request);
                    }
                    if (closesSessions && message instanceof AskSlotsRequest request) {
                        audit.closed(caller, call, request);
                    }
                    super.onMessage(message);
                }
            }
        };
    }

    private @Nullable String refusal(Identity caller, String method) {
        if (!clients.admits(caller)) {
            return caller + " is not among the clients of this cluster (spec.access.clients)";
        }
        ClientRole role = clients.role(caller);
        return caller.kind() != Kind.CLIENT || role.allows(method)
                ? null
                : caller + " has the role " + role.word() + ", which does not allow "
                        + method.substring(method.indexOf('/') + 1) + " (spec.access.clients[].role)";
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
            String refusal = refusal(caller, getMethodDescriptor().getFullMethodName());
            if (refusal != null && closed.compareAndSet(false, true)) {
                audit.refused(caller, delegate(), refusal);
                delegate().close(Status.PERMISSION_DENIED.withDescription(refusal), new Metadata());
            }
            return !closed.get();
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
                if (status.getCode() == Status.Code.PERMISSION_DENIED) {
                    audit.refused(caller, delegate(), String.valueOf(status.getDescription()));
                }
                super.close(status, trailers);
            }
        }
    }
}
