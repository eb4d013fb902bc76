/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.isolation;

import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** Messages over one socket between two processes of a pod. Each direction is used by one thread at a time. */
final class Link implements AutoCloseable {

    private final SocketChannel channel;
    private final InputStream in;
    private final OutputStream out;

    Link(SocketChannel channel) {
        this.channel = channel;
        this.in = new BufferedInputStream(Channels.newInputStream(channel), 1 << 16);
        this.out = new BufferedOutputStream(Channels.newOutputStream(channel), 1 << 16);
    }

    synchronized void send(MessageLite message) throws IOException {
        message.writeDelimitedTo(out);
        out.flush();
    }

    /** The next message; null at the end. */
    <M> @Nullable M receive(Parser<M> parser) throws IOException {
        return parser.parseDelimitedFrom(in);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
