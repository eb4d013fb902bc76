/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.protocol.security;

import dev.ratchet.protocol.coordinator.v1.CoordinatorGrpc;
import dev.ratchet.protocol.coordinator.v1.SetDrainingReply;
import dev.ratchet.protocol.coordinator.v1.SetDrainingRequest;
import dev.ratchet.protocol.security.Identity.Kind;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A server with one real service that notes who called it, and a call to it; for the tests of transports. */
final class CoordinatorStub extends CoordinatorGrpc.CoordinatorImplBase implements AutoCloseable {

    static final CallerPolicy OPERATORS_ONLY =
            new CallerPolicy("team-a", "orders", Map.of(CoordinatorGrpc.SERVICE_NAME, Set.of(Kind.OPERATOR)));

    final BlockingQueue<Identity> callers = new LinkedBlockingQueue<>();
    private final Server server;

    CoordinatorStub(TransportSecurity security) throws IOException {
        server = security.serverBuilder(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), OPERATORS_ONLY)
                .addService(this)
                .build()
                .start();
    }

    @Override
    public void setDraining(SetDrainingRequest request, StreamObserver<SetDrainingReply> reply) {
        callers.add(CallerIdentity.current());
        reply.onNext(SetDrainingReply.newBuilder().setTerm(7).build());
        reply.onCompleted();
    }

    String target() {
        return "127.0.0.1:" + server.getPort();
    }

    /** Makes one call over a connection of its own; returns the term answered or throws StatusRuntimeException. */
    long call(TransportSecurity caller, String authority) {
        return call(target(), caller, authority);
    }

    /** As {@link #call(TransportSecurity, String)}, where there may be no server any more. */
    static long call(String target, TransportSecurity caller, String authority) {
        ManagedChannel channel = caller.channelBuilder(target, authority).build();
        try {
            return CoordinatorGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(20, TimeUnit.SECONDS)
                    .setDraining(SetDrainingRequest.getDefaultInstance())
                    .getTerm();
        } finally {
            channel.shutdownNow();
        }
    }

    @Override
    public void close() {
        server.shutdownNow();
    }
}
