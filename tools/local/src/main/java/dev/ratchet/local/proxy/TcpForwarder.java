/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.proxy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens on one port of one Service and hands each connection to one of the targets, in turn; a target that refuses is
 * passed over. A connection once made stays where it is, also when its pod is ready no more, as with a real Service.
 * Thread-safe; virtual threads, two for each connection.
 */
final class TcpForwarder implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(TcpForwarder.class);
    private static final int CONNECTIONS_LIMIT = 4096;
    private static final int BACKLOG = 256;
    private static final int CONNECT_MILLIS = 2000;
    private static final int BUFFER_BYTES = 64 << 10;

    private final ServerSocket server;
    private final Semaphore free = new Semaphore(CONNECTIONS_LIMIT);
    private final AtomicInteger turn = new AtomicInteger();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile List<InetSocketAddress> targets = List.of();

    private TcpForwarder(ServerSocket server) {
        this.server = server;
    }

    /** @throws IOException when the address can not be listened on */
    static TcpForwarder listen(InetSocketAddress address) throws IOException {
        ServerSocket server = new ServerSocket();
        try {
            server.setReuseAddress(true);
            server.bind(address, BACKLOG);
        } catch (IOException e) {
            server.close();
            throw e;
        }
        TcpForwarder forwarder = new TcpForwarder(server);
        Thread.ofVirtual().name("forward-" + address).start(forwarder::accept);
        return forwarder;
    }

    void targets(List<InetSocketAddress> newTargets) {
        targets = List.copyOf(newTargets);
    }

    /** Where it listens. */
    InetSocketAddress address() {
        return (InetSocketAddress) server.getLocalSocketAddress();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                if (free.tryAcquire()) {
                    Thread.ofVirtual().start(() -> serve(client));
                } else {
                    client.close();
                    LOG.warn(
                            "a connection is refused, there are too many: service={} limit={}",
                            address(),
                            CONNECTIONS_LIMIT);
                }
            } catch (IOException e) {
                if (!server.isClosed()) {
                    LOG.warn(
                            "a connection to a service failed: service={} cause={}",
                            server.getLocalSocketAddress(),
                            e.toString());
                }
            }
        }
    }

    private void serve(Socket client) {
        open.add(client);
        try (client;
                Socket target = connect()) {
            open.add(target);
            client.setTcpNoDelay(true);
            target.setTcpNoDelay(true);
            Thread back = Thread.ofVirtual().start(() -> copy(target, client));
            copy(client, target);
            back.join();
            open.remove(target);
        } catch (IOException e) {
            LOG.debug(
                    "a connection through a service ended: service={} cause={}",
                    server.getLocalSocketAddress(),
                    e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            open.remove(client);
            free.release();
        }
    }

    private Socket connect() throws IOException {
        List<InetSocketAddress> candidates = targets;
        int first = turn.getAndIncrement();
        for (int i = 0; i < candidates.size(); i++) {
            InetSocketAddress candidate = candidates.get(Math.floorMod(first + i, candidates.size()));
            Socket socket = new Socket();
            try {
                socket.connect(candidate, CONNECT_MILLIS);
                return socket;
            } catch (IOException e) {
                socket.close();
                LOG.debug("a pod of a service does not answer: pod={} cause={}", candidate, e.toString());
            }
        }
        throw new IOException("no ready pod of " + candidates.size() + " answers");
    }

    /** Copies until the end, which it passes on; an error on either side ends both directions. */
    private static void copy(Socket from, Socket to) {
        byte[] buffer = new byte[BUFFER_BYTES];
        try {
            InputStream input = from.getInputStream();
            OutputStream output = to.getOutputStream();
            for (int count = input.read(buffer); count >= 0; count = input.read(buffer)) {
                output.write(buffer, 0, count);
            }
            to.shutdownOutput();
        } catch (IOException e) {
            closeQuietly(from);
            closeQuietly(to);
        }
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            LOG.debug("closing a connection failed: {}", e.toString());
        }
    }

    /** Ends all connections too. */
    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            LOG.debug("closing a service failed: {}", e.toString());
        }
        open.forEach(TcpForwarder::closeQuietly);
    }
}
