/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.futures;

import dev.ratchet.bench.cluster.JavaProcess;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;

/**
 * A bare socket between two processes of this machine, without encryption, checksum or a place for what comes: what no
 * way of a value from worker to worker can do better than.
 */
final class Loopback {

    private static final int PIECE_BYTES = 256 << 10;
    private static final int ROUNDS_TO_WARM_UP = 3;

    private Loopback() {}

    /**
     * Receives so many values of so many bytes each.
     *
     * @param directory for the errors of the other process
     * @return values per second
     */
    static double perSecond(Path directory, int bytes, int count) throws IOException {
        try (ServerSocketChannel server =
                ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            int port = ((InetSocketAddress) server.getLocalAddress()).getPort();
            JavaProcess sender = JavaProcess.talking(
                    List.of(),
                    directory.resolve("loopback.log"),
                    Loopback.class,
                    Integer.toString(port),
                    Long.toString((long) bytes * (ROUNDS_TO_WARM_UP + count)));
            try (SocketChannel from = server.accept()) {
                receive(from, (long) bytes * ROUNDS_TO_WARM_UP);
                long began = System.nanoTime();
                receive(from, (long) bytes * count);
                return count / ((System.nanoTime() - began) / 1e9);
            } finally {
                sender.kill();
            }
        }
    }

    private static void receive(SocketChannel from, long bytes) throws IOException {
        ByteBuffer piece = ByteBuffer.allocateDirect(PIECE_BYTES);
        for (long left = bytes; left > 0; ) {
            int read = from.read(piece.clear().limit((int) Math.min(PIECE_BYTES, left)));
            if (read < 0) {
                throw new EOFException("The sender has ended, " + left + " bytes before the end: see loopback.log");
            }
            left -= read;
        }
    }

    /** The process of the sender. Arguments: the port of the receiver, how many bytes. */
    public static void main(String[] arguments) throws IOException {
        int port = Integer.parseInt(arguments[0]);
        long bytes = Long.parseLong(arguments[1]);
        ByteBuffer piece = ByteBuffer.allocateDirect(PIECE_BYTES);
        try (SocketChannel to = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
            for (long left = bytes; left > 0; ) {
                left -= to.write(piece.clear().limit((int) Math.min(PIECE_BYTES, left)));
            }
        }
    }
}
