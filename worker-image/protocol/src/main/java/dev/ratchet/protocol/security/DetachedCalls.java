/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.protocol.security;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.Context;
import io.grpc.MethodDescriptor;

/**
 * Lets calls that begin in the handler of another call outlive it. gRPC ends them with that one otherwise, although
 * what is asked of another worker, and the stream to the store, are for all callers. Who wants a call to end cancels
 * it.
 */
final class DetachedCalls implements ClientInterceptor {

    @Override
    public <Q, A> ClientCall<Q, A> interceptCall(MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
        Context former = Context.ROOT.attach();
        try {
            return next.newCall(method, options);
        } finally {
            Context.ROOT.detach(former);
        }
    }
}
