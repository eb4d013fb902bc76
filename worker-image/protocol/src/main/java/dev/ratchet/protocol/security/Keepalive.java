/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.protocol.security;

import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.util.ResourceLeakDetector;
import java.util.concurrent.TimeUnit;

/**
 * Limits and keep-alive times that every connection between our processes has, so that a peer whose machine vanished is
 * noticed in seconds and neither side calls the other's pings abuse; and that Netty does not watch its buffers, unless
 * it is told to by {@value #LEAK_DETECTION}.
 */
final class Keepalive {

    private static final int SERVER_PING_SECONDS = 3;
    /** gRPC raises anything less to this. Protocols that must know sooner exchange messages of their own. */
    private static final int CLIENT_PING_SECONDS = 10;

    private static final int ANSWER_SECONDS = 3;
    private static final int HANDSHAKE_SECONDS = 10;

    /** More calls of one connection wait on the side of the caller, where they cost the server nothing. */
    private static final int CALLS_PER_CONNECTION = 4_096;

    private static final String LEAK_DETECTION = "io.grpc.netty.shaded.io.netty.leakDetection.level";

    static {
        // Netty follows some buffers to find who forgets one: 3 % of the time of whatever moves large values.
        if (System.getProperty(LEAK_DETECTION) == null) {
            ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
        }
    }

    private Keepalive() {}

    static NettyServerBuilder apply(NettyServerBuilder builder) {
        return ServerThreads.apply(builder)
                .maxConcurrentCallsPerConnection(CALLS_PER_CONNECTION)
                .keepAliveTime(SERVER_PING_SECONDS, TimeUnit.SECONDS)
                .keepAliveTimeout(ANSWER_SECONDS, TimeUnit.SECONDS)
                .permitKeepAliveTime(1, TimeUnit.SECONDS)
                .permitKeepAliveWithoutCalls(true)
                .handshakeTimeout(HANDSHAKE_SECONDS, TimeUnit.SECONDS)
                .maxInboundMessageSize(TransportSecurity.MESSAGE_LIMIT_BYTES);
    }

    static NettyChannelBuilder apply(NettyChannelBuilder builder) {
        return ClientThreads.apply(builder)
                .keepAliveTime(CLIENT_PING_SECONDS, TimeUnit.SECONDS)
                .keepAliveTimeout(ANSWER_SECONDS, TimeUnit.SECONDS)
                .keepAliveWithoutCalls(true)
                .maxInboundMessageSize(TransportSecurity.MESSAGE_LIMIT_BYTES);
    }
}
