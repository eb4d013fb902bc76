/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.isolation;

import io.grpc.BindableService;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.util.concurrent.Executor;

/**
 * The worker's gateway for the processes that it has started: on a Unix socket in a directory that no other user can
 * open, which is all the permission that is needed. SO_KEEPALIVE, which gRPC sets on every socket, is taken off again:
 * Unix sockets have no such option, and each connection would be a warning in the log.
 */
final class LocalGateway implements AutoCloseable {

    private final EventLoopGroup loop = loop();
    private final Server server;

    /** @throws IOException if the socket can not be made */
    LocalGateway(String socket, BindableService gateway, Executor executor) throws IOException {
        server = NettyServerBuilder.forAddress(UnixDomainSocketAddress.of(socket))
                .channelType(NioServerDomainSocketChannel.class)
                .withChildOption(ChannelOption.SO_KEEPALIVE, null)
                .bossEventLoopGroup(loop)
                .workerEventLoopGroup(loop)
                .executor(executor)
                .addService(gateway)
                .build()
                .start();
    }

    /** A channel to the gateway at {@code socket}, for the life of this process. */
    static ManagedChannel dial(String socket) {
        return NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket))
                .channelType(NioDomainSocketChannel.class, UnixDomainSocketAddress.class)
                .withOption(ChannelOption.SO_KEEPALIVE, null)
                .eventLoopGroup(loop())
                .overrideAuthority("worker")
                .usePlaintext()
                .build();
    }

    private static EventLoopGroup loop() {
        return new MultiThreadIoEventLoopGroup(
                1, new DefaultThreadFactory("ratchet-local", true), NioIoHandler.newFactory());
    }

    @Override
    public void close() {
        server.shutdownNow();
        loop.shutdownGracefully();
    }
}
