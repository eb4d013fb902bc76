/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.exchange;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Passes the connections to one process on. Cuts as many of them as it is told to, each after a random number of bytes;
 * can stop to pass anything on while the connections stay.
 */
final class CuttingProxy implements AutoCloseable {

    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final String target;
    private final Random random;
    private final int bytesLimit;
    private final AtomicInteger cutsLeft;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final AtomicLong pieces = new AtomicLong();
    private volatile boolean frozen;

    /** @param bytesLimit a connection that is cut has passed on fewer */
    CuttingProxy(String target, long seed, int cuts, int bytesLimit) throws IOException {
        this.target = target;
        this.random = new Random(seed);
        this.cutsLeft = new AtomicInteger(cuts);
        this.bytesLimit = bytesLimit;
        Thread.ofVirtual().start(this::accept);
    }

    String address() {
        return "127.0.0.1:" + listener.getLocalPort();
    }

    int cutsLeft() {
        return Math.max(0, cutsLeft.get());
    }

    /** How many pieces of bytes were passed on so far. */
    long pieces() {
        return pieces.get();
    }

    /** From now on what arrives is not passed on, and nobody is told. */
    void freeze() {
        frozen = true;
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket near = listener.accept();
                int port = target.lastIndexOf(':');
                Socket far = new Socket(target.substring(0, port), Integer.parseInt(target.substring(port + 1)));
                near.setTcpNoDelay(true);
                far.setTcpNoDelay(true);
                sockets.add(near);
                sockets.add(far);
                boolean cuts = cutsLeft.getAndDecrement() > 0;
                AtomicInteger left = new AtomicInteger(cuts ? random.nextInt(bytesLimit) : Integer.MAX_VALUE);
                Thread.ofVirtual().start(() -> pass(near, far, cuts, left));
                Thread.ofVirtual().start(() -> pass(far, near, cuts, left));
            } catch (IOException refusedOrClosed) {
                // The caller finds its connection broken.
            }
        }
    }

    private void pass(Socket from, Socket to, boolean cuts, AtomicInteger left) {
        byte[] buffer = new byte[8_192];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                if (frozen) {
                    continue;
                }
                pieces.incrementAndGet();
                int before = cuts ? left.getAndAdd(-length) : length;
                out.write(buffer, 0, Math.clamp(before, 0, length));
                if (before < length) {
                    return;
                }
            }
        } catch (IOException broken) {
            // Both are closed.
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
