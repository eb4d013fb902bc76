/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.IntSupplier;

/**
 * The network between a cluster and its store: forwards every connection to a port of 127.0.0.1 that may change, and
 * can be cut and held. Two virtual threads for each connection.
 */
public final class StoreNetwork implements AutoCloseable {

    private static final int BUFFER_BYTES = 64 << 10;

    private final ServerSocket listener;
    private final IntSupplier port;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    /** Forwarders share it; who holds the wire has it alone. */
    private final ReentrantReadWriteLock held = new ReentrantReadWriteLock();

    /** Listens at {@code address}, and asks for the port with each connection. */
    public StoreNetwork(InetSocketAddress address, IntSupplier port) throws IOException {
        this.port = port;
        listener = new ServerSocket();
        listener.setReuseAddress(true);
        listener.bind(address);
        Thread.ofVirtual().name("wire-listener").start(this::listen);
    }

    /** Breaks all connections. */
    public void cut() {
        sockets.forEach(StoreNetwork::close);
    }

    /** Lets nothing through for so long, in either direction, and then everything that was sent. */
    public void hold(long millis) throws InterruptedException {
        held.writeLock().lock();
        try {
            Thread.sleep(millis);
        } finally {
            held.writeLock().unlock();
        }
    }

    private void listen() {
        while (!listener.isClosed()) {
            try {
                Socket near = listener.accept();
                Thread.ofVirtual().start(() -> connect(near));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void connect(Socket near) {
        try {
            Socket far = new Socket(InetAddress.getLoopbackAddress(), port.getAsInt());
            sockets.add(near);
            sockets.add(far);
            near.setTcpNoDelay(true);
            far.setTcpNoDelay(true);
            Thread.ofVirtual().start(() -> forward(near, far));
            forward(far, near);
        } catch (IOException refused) {
            close(near);
        }
    }

    private void forward(Socket from, Socket to) {
        try (InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            byte[] buffer = new byte[BUFFER_BYTES];
            int length;
            while ((length = in.read(buffer)) >= 0) {
                held.readLock().lock();
                try {
                    out.write(buffer, 0, length);
                } finally {
                    held.readLock().unlock();
                }
            }
        } catch (IOException broken) {
            // As an end: both directions end below.
        } finally {
            close(from);
            close(to);
            sockets.remove(from);
            sockets.remove(to);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException gone) {
            // It is closed either way.
        }
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException gone) {
            // It is closed either way.
        }
        cut();
    }
}
