/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.remote;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

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
        final ByteArrayOutputStream held = new ByteArrayOutputStream();
        final CompletableFuture<Void> ended = new CompletableFuture<>();
        volatile boolean requestsHeld;
        volatile boolean requestsLost;
        volatile boolean answersLost;

        Connection(Socket client, Socket server) {
            this.client = client;
            this.server = server;
        }
    }

    /** Where bytes go. */
    private interface Sink {
        void take(byte[] bytes, int length) throws IOException;
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

    /** What comes for the server waits here from now on, even when the client's side has broken. */
    void holdRequests() {
        connections.forEach(connection -> connection.requestsHeld = true);
    }

    /** How much waits. */
    int heldBytes() {
        return connections.stream()
                .mapToInt(connection -> connection.held.size())
                .sum();
    }

    /** Breaks the clients' sides of the connections that hold requests; the server does not notice. */
    void cutClientsOfHeld() {
        connections.stream().filter(connection -> connection.requestsHeld).forEach(held -> close(held.client));
    }

    /** Lets the server have what was held, and waits until it has read all of it and ended the connection. */
    void release() throws IOException {
        for (Connection connection : connections) {
            if (connection.requestsHeld) {
                connection.held.writeTo(connection.server.getOutputStream());
                connection.server.shutdownOutput();
                connection.ended.join();
            }
        }
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
                connect(listener.accept());
            } catch (IOException ended) {
                return;
            }
        }
    }

    private void connect(Socket client) {
        try {
            if (down) {
                close(client);
                return;
            }
            Socket server = new Socket(InetAddress.getLoopbackAddress(), targetPort);
            // Both ends send at once what they have; a network in between that waits for acknowledgements is slow.
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            Connection connection = new Connection(client, server);
            connections.add(connection);
            if (down) {
                // It came between the first look and the cut, which did not know it yet.
                cut();
                return;
            }
            Thread.ofVirtual().start(() -> carryRequests(connection));
            Thread.ofVirtual().start(() -> carryAnswers(connection));
        } catch (IOException noServer) {
            // It is between its end and its next start; the next client may find it.
            close(client);
        }
    }

    private static void carryRequests(Connection connection) {
        carry(connection.client, (bytes, length) -> {
            if (connection.requestsHeld) {
                connection.held.write(bytes, 0, length);
            } else if (!connection.requestsLost) {
                connection.server.getOutputStream().write(bytes, 0, length);
            }
        });
        close(connection.client);
        if (!connection.requestsHeld) {
            close(connection.server);
        }
    }

    private static void carryAnswers(Connection connection) {
        carry(connection.server, (bytes, length) -> {
            if (!connection.answersLost && !connection.requestsHeld) {
                connection.client.getOutputStream().write(bytes, 0, length);
            }
        });
        close(connection.server);
        close(connection.client);
        connection.ended.complete(null);
    }

    private static void carry(Socket from, Sink sink) {
        byte[] buffer = new byte[1 << 16];
        try {
            InputStream in = from.getInputStream();
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                sink.take(buffer, length);
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
