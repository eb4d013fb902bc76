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
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Messages over one socket between two processes of a pod. A thread of its own writes them: an interrupt of a thread
 * that writes closes the socket, and senders are interrupted while others need it. One thread reads.
 */
final class ProcessLink implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ProcessLink.class);

    private final SocketChannel channel;
    private final InputStream in;
    private final OutputStream out;
    /** At most an attempt, a question or an answer, and an interrupt of each attempt; nothing: the end. */
    private final BlockingQueue<Optional<MessageLite>> outbox = new LinkedBlockingQueue<>();

    /** @param threads make the one that writes */
    ProcessLink(SocketChannel channel, ThreadFactory threads) {
        this.channel = channel;
        this.in = new BufferedInputStream(Channels.newInputStream(channel), 1 << 16);
        this.out = new BufferedOutputStream(Channels.newOutputStream(channel), 1 << 16);
        threads.newThread(this::write).start();
    }

    /** Sends after what was sent before. Where that can not be done the socket ends, which the reader notices. */
    void send(MessageLite message) {
        outbox.add(Optional.of(message));
    }

    private void write() {
        try (channel) {
            for (Optional<MessageLite> next = outbox.take(); next.isPresent(); next = outbox.take()) {
                next.get().writeDelimitedTo(out);
                if (outbox.isEmpty()) {
                    out.flush();
                }
            }
        } catch (IOException | InterruptedException gone) {
            LOG.debug("A message could not be sent", gone);
        }
    }

    /** The next message; null at the end. */
    <M> @Nullable M receive(Parser<M> parser) throws IOException {
        return parser.parseDelimitedFrom(in);
    }

    @Override
    public void close() throws IOException {
        outbox.add(Optional.empty());
        channel.close();
    }
}
