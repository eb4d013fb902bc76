/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.protocol.security;

import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.IoHandlerFactory;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.ServerChannel;
import io.grpc.netty.shaded.io.netty.channel.epoll.Epoll;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollIoHandler;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollServerSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerSocketChannel;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;

/**
 * The threads of the network on which servers of this process hear callers. They are not those of its own connections,
 * so that whoever keeps a server busy does not hold up what this process asks of its store and of other workers. They
 * are daemons that live as long as the process.
 */
final class ServerThreads {

    private static final boolean EPOLL = Epoll.isAvailable();
    private static final EventLoopGroup ACCEPTING = group("ratchet-accept", 1);
    private static final EventLoopGroup SERVING =
            group("ratchet-serve", 2 * Runtime.getRuntime().availableProcessors());

    private ServerThreads() {}

    static NettyServerBuilder apply(NettyServerBuilder builder) {
        OpenHandshakes handshakes = new OpenHandshakes();
        return builder.channelFactory(() -> channel(handshakes))
                .addTransportFilter(handshakes.filter())
                .bossEventLoopGroup(ACCEPTING)
                .workerEventLoopGroup(SERVING);
    }

    private static ServerChannel channel(OpenHandshakes handshakes) {
        ServerChannel channel = EPOLL ? new EpollServerSocketChannel() : new NioServerSocketChannel();
        channel.pipeline().addLast(handshakes);
        return channel;
    }

    /** Daemons with this name that wait for the network, each begun with its first connection. */
    static EventLoopGroup group(String name, int threads) {
        IoHandlerFactory handlers = EPOLL ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
        return new MultiThreadIoEventLoopGroup(threads, new DefaultThreadFactory(name, true), handlers);
    }
}
