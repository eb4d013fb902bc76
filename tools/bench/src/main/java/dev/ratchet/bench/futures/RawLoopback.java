/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.futures;

import dev.ratchet.bench.cluster.JavaProcess;
import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.security.Identity.Kind;
import dev.ratchet.protocol.security.TestAuthority;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What a way of a value from worker to worker is measured by: one connection between two processes of this machine,
 * from the memory of one to that of the other, with no protocol and no checksum.
 */
enum RawLoopback {
    /** A bare socket: what no way can do better than. */
    BARE {
        @Override
        ByteBuffer place(int bytes) {
            return ByteBuffer.allocateDirect(bytes);
        }

        @Override
        ByteChannel over(SocketChannel socket, Path identity, boolean server) {
            return socket;
        }
    },
    /** Encrypted, and both ends known by their certificates, as workers promise of their connections. */
    TLS {
        @Override
        ByteBuffer place(int bytes) {
            return ByteBuffer.allocate(bytes);
        }

        @Override
        ByteChannel over(SocketChannel socket, Path identity, boolean server) throws IOException {
            return TlsChannel.over(socket, identity, server);
        }
    };

    private static final int PIECE_BYTES = 256 << 10;

    abstract ByteBuffer place(int bytes);

    abstract ByteChannel over(SocketChannel socket, Path identity, boolean server) throws IOException;

    /**
     * Receives so many values.
     *
     * @param directory for the certificates, and for the errors of the other process
     * @param warmUp values that come before
     * @return values per second
     */
    double perSecond(Path directory, int bytes, int warmUp, int count) throws IOException {
        TestAuthority authority = new TestAuthority("loopback-ca");
        Path receiver = directory.resolve("loopback-receiver");
        Path sender = directory.resolve("loopback-sender");
        for (Path end : List.of(receiver, sender)) {
            authority
                    .issue(new Identity(
                            "bench", "bench", Kind.WORKER, end.getFileName().toString()))
                    .writeTo(end);
        }
        try (ServerSocketChannel listener =
                ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            int port = ((InetSocketAddress) listener.getLocalAddress()).getPort();
            JavaProcess process = JavaProcess.talking(
                    List.of(),
                    directory.resolve("loopback.log"),
                    RawLoopback.class,
                    name(),
                    sender.toString(),
                    Integer.toString(port),
                    Integer.toString(bytes),
                    Integer.toString(warmUp + count));
            try (SocketChannel socket = listener.accept();
                    ByteChannel from = over(socket, receiver, true)) {
                ByteBuffer place = place(bytes);
                for (int i = 0; i < warmUp; i++) {
                    receive(from, place.clear());
                }
                long began = System.nanoTime();
                for (int i = 0; i < count; i++) {
                    receive(from, place.clear());
                }
                double perSecond = count / ((System.nanoTime() - began) / 1e9);
                if (!place.flip().equals(ByteBuffer.wrap(value(bytes)))) {
                    throw new IllegalStateException("A value of " + bytes + " bytes has become another one: " + this);
                }
                return perSecond;
            } finally {
                process.kill();
            }
        }
    }

    private static byte[] value(int bytes) {
        byte[] value = new byte[bytes];
        new SplittableRandom(1).nextBytes(value);
        return value;
    }

    private static void receive(ByteChannel from, ByteBuffer place) throws IOException {
        int bytes = place.capacity();
        while (place.position() < bytes) {
            place.limit(Math.min(bytes, place.position() + PIECE_BYTES));
            if (from.read(place) < 0) {
                throw new EOFException("The sender has ended, " + (bytes - place.position())
                        + " bytes before the end of a value: see loopback.log");
            }
        }
    }

    /** The process of the sender. Arguments: which, its identity, the port, how many bytes, how often. */
    public static void main(String[] arguments) throws IOException {
        RawLoopback which = valueOf(arguments[0]);
        int bytes = Integer.parseInt(arguments[3]);
        ByteBuffer value = which.place(bytes).put(value(bytes));
        try (SocketChannel socket = SocketChannel.open(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[2])));
                ByteChannel to = which.over(socket, Path.of(arguments[1]), false)) {
            for (int i = 0; i < Integer.parseInt(arguments[4]); i++) {
                for (value.clear(); value.position() < bytes; ) {
                    value.limit(Math.min(bytes, value.position() + PIECE_BYTES));
                    to.write(value);
                }
            }
        }
    }
}
