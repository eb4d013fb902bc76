/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.remote;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;

/** A network between a client and a server on loopback that can lose what it carries and break. */
final class Proxy implements AutoCloseable {

    private final ServerSocket listener;
    private final int targetPort;
    private final List<Connection> connections = new CopyOnWriteArrayList<>();
    private volatile boolean down;

    /** One client's connection: what it loses and when it breaks is its own. */
    private static final class Connection {
        final Socket client;
        final Socket server;
        volatile boolean requestsLost;
        volatile boolean answersLost;

        Connection(Socket client, Socket server) {
            this.client = client;
            this.server = server;
        }
    }

    Proxy(int targetPort) {
        this.targetPort = targetPort;
        try {
            listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    /** Nothing reaches the server any more over the connections there are, and nobody notices. */
    void loseRequests() {
        connections.forEach(connection -> connection.requestsLost = true);
    }

    /** Nothing reaches the client any more over the connections there are, and nobody notices. */
    void loseAnswers() {
        connections.forEach(connection -> connection.answersLost = true);
    }

    /** Breaks every connection; new ones work. */
    void cut() {
        List<Connection> broken = List.copyOf(connections);
        connections.removeAll(broken);
        for (Connection connection : broken) {
            close(connection.client);
            close(connection.server);
        }
    }

    /** Breaks every connection and accepts no new one until {@link #up}. */
    void down() {
        down = true;
        cut();
    }

    void up() {
        down = false;
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                if (down) {
                    client.close();
                    continue;
                }
                Socket server = new Socket(InetAddress.getLoopbackAddress(), targetPort);
                Connection connection = new Connection(client, server);
                connections.add(connection);
                if (down) {
                    // It came between the first look and the cut, which did not know it yet.
                    cut();
                    continue;
                }
                Thread.ofVirtual().start(() -> carry(client, server, () -> connection.requestsLost));
                Thread.ofVirtual().start(() -> carry(server, client, () -> connection.answersLost));
            } catch (IOException ended) {
                return;
            }
        }
    }

    private static void carry(Socket from, Socket to, BooleanSupplier lost) {
        byte[] buffer = new byte[1 << 16];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                if (!lost.getAsBoolean()) {
                    out.write(buffer, 0, length);
                }
            }
        } catch (IOException broken) {
            close(from);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
        cut();
    }
}
