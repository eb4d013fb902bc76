/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.protocol.security;

import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.epoll.Epoll;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioSocketChannel;
import java.util.concurrent.TimeUnit;

/**
 * The threads of the network on which this process hears those it has connected to. They are daemons that live as long
 * as the process. {@link #end} is for a process that ends now: a JVM that exits waits 300 ms for threads that are in
 * native code, as those that wait for the network are (HotSpot, {@code VM_Exit::wait_for_threads_in_native_to_block}).
 */
public final class ClientThreads {

    private static final int END_MILLIS = 200;
    private static volatile boolean used;

    private ClientThreads() {}

    static NettyChannelBuilder apply(NettyChannelBuilder builder) {
        used = true;
        Class<? extends Channel> channel = Epoll.isAvailable() ? EpollSocketChannel.class : NioSocketChannel.class;
        return builder.channelType(channel).eventLoopGroup(Threads.CONNECTED);
    }

    /**
     * Ends the threads, and with them every connection that this process has opened, and waits for it, but not longer
     * than {@value #END_MILLIS} ms. No channel works afterwards: to be called right before the process exits.
     */
    public static void end() {
        if (used) {
            Threads.CONNECTED
                    .shutdownGracefully(0, END_MILLIS, TimeUnit.MILLISECONDS)
                    .awaitUninterruptibly(END_MILLIS);
        }
    }

    /** Made with the first channel. */
    private static final class Threads {
        private static final EventLoopGroup CONNECTED =
                ServerThreads.group("ratchet-connect", 2 * Runtime.getRuntime().availableProcessors());
    }
}
