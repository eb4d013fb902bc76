/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.protocol.security;

import io.grpc.Attributes;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import org.slf4j.LoggerFactory;

/**
 * Lets a call through to its service only with a proved identity that the policy admits, and puts the identity into the
 * context. The outermost interceptor of every server, so that no handler runs for an unknown caller.
 */
final class CallerInterceptor implements ServerInterceptor {

    /** How a transport tells who calls. */
    interface Proof {
        /** The caller. @throws Refusal if it did not prove who it is */
        Identity identify(Attributes connection, Metadata headers) throws Refusal;
    }

    /** Why a caller stays unknown; the message is for the log, and for the caller. */
    static final class Refusal extends Exception {
        private static final long serialVersionUID = 1L;

        Refusal(String message) {
            super(message);
        }
    }

    private static final BoundedLog LOG = new BoundedLog(LoggerFactory.getLogger(CallerInterceptor.class));

    private final CallerPolicy policy;
    private final Proof proof;

    CallerInterceptor(CallerPolicy policy, Proof proof) {
        this.policy = policy;
        this.proof = proof;
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        String method = call.getMethodDescriptor().getFullMethodName();
        Object remote = call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
        Identity caller;
        try {
            caller = proof.identify(call.getAttributes(), headers);
        } catch (Refusal refusal) {
            LOG.warn(
                    "Call refused, caller not known: remote={} method={} reason={}",
                    remote,
                    method,
                    refusal.getMessage());
            return close(call, Status.UNAUTHENTICATED.withDescription(refusal.getMessage()));
        }
        String service = String.valueOf(call.getMethodDescriptor().getServiceName());
        if (!policy.allows(service, caller)) {
            LOG.warn(
                    "Call refused, not allowed for this caller: remote={} method={} caller={}", remote, method, caller);
            return close(call, Status.PERMISSION_DENIED.withDescription(policy.refusal(service, caller)));
        }
        return Contexts.interceptCall(Context.current().withValue(CallerIdentity.KEY, caller), call, headers, next);
    }

    private static <Q, A> ServerCall.Listener<Q> close(ServerCall<Q, A> call, Status status) {
        call.close(status, new Metadata());
        return new ServerCall.Listener<>() {};
    }
}
