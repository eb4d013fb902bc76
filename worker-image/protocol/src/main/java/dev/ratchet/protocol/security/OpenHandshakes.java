/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.protocol.security;

import io.grpc.Attributes;
import io.grpc.Grpc;
import io.grpc.ServerTransportFilter;
import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandler.Sharable;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelInboundHandlerAdapter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Owns which connections of a server have not shown yet who calls, and closes new ones of an address that has too many
 * of them: each costs memory, for as long as a handshake may take. Those that have shown it are not counted. Safe for
 * use by several threads.
 */
@Sharable
final class OpenHandshakes extends ChannelInboundHandlerAdapter {

    static final int OF_ONE_ADDRESS_MAX = 256;
    private static final int OF_ALL_MAX = 4_096;
    private static final BoundedLog LOG = new BoundedLog(LoggerFactory.getLogger(OpenHandshakes.class));

    private final Set<SocketAddress> open = new HashSet<>();
    private final Map<InetAddress, Integer> byAddress = new HashMap<>();

    /** Of the server's own channel, whose messages are the connections that it accepts. */
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof Channel connection && connection.remoteAddress() instanceof InetSocketAddress caller) {
            if (!begins(caller)) {
                LOG.warn("Connection closed, too many of this address have not finished their handshakes: {}", caller);
                connection.unsafe().closeForcibly();
                return;
            }
            connection.closeFuture().addListener(unused -> ends(caller));
        }
        context.fireChannelRead(message);
    }

    /** Tells this of each connection whose handshake is over. */
    ServerTransportFilter filter() {
        return new ServerTransportFilter() {
            @Override
            public Attributes transportReady(Attributes connection) {
                ends(connection.get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR));
                return connection;
            }
        };
    }

    private synchronized boolean begins(InetSocketAddress caller) {
        int others = byAddress.getOrDefault(caller.getAddress(), 0);
        if (others >= OF_ONE_ADDRESS_MAX || open.size() >= OF_ALL_MAX || !open.add(caller)) {
            return false;
        }
        byAddress.put(caller.getAddress(), others + 1);
        return true;
    }

    private synchronized void ends(@Nullable SocketAddress caller) {
        if (caller instanceof InetSocketAddress internet && open.remove(caller)) {
            byAddress.computeIfPresent(internet.getAddress(), (same, count) -> count == 1 ? null : count - 1);
        }
    }
}
