/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.examples.sessions;

import dev.ratchet.client.SessionStateLostException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A service on a worker's loopback interface that says each line again, in capitals. One per process. */
final class EchoService {

    private static @Nullable ServerSocket running;

    private EchoService() {}

    /** Starts it; returns its port. */
    static synchronized int start() throws IOException {
        ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        running = socket;
        Thread.ofPlatform().daemon().name("echo").start(() -> serve(socket));
        return socket.getLocalPort();
    }

    private static void serve(ServerSocket socket) {
        while (!socket.isClosed()) {
            try (Socket caller = socket.accept();
                    BufferedReader in =
                            new BufferedReader(new InputStreamReader(caller.getInputStream(), StandardCharsets.UTF_8));
                    PrintWriter out = new PrintWriter(caller.getOutputStream(), true, StandardCharsets.UTF_8)) {
                String line = in.readLine();
                out.println(line == null ? "" : line.toUpperCase(Locale.ROOT));
            } catch (IOException ended) {
                // A caller that leaves, or the end of the service.
            }
        }
    }

    /** Calls it, from a task on the same worker. */
    static String call(String line) throws IOException {
        try (Socket service = new Socket(InetAddress.getLoopbackAddress(), port());
                PrintWriter out = new PrintWriter(service.getOutputStream(), true, StandardCharsets.UTF_8);
                BufferedReader in =
                        new BufferedReader(new InputStreamReader(service.getInputStream(), StandardCharsets.UTF_8))) {
            out.println(line);
            return Objects.requireNonNullElse(in.readLine(), "");
        }
    }

    private static synchronized int port() {
        ServerSocket socket = running;
        if (socket == null) {
            throw new SessionStateLostException("the service does not run");
        }
        return socket.getLocalPort();
    }

    /** Stops it; whether it ran. */
    static synchronized boolean stop() throws IOException {
        ServerSocket socket = running;
        running = null;
        if (socket != null) {
            socket.close();
        }
        return socket != null;
    }
}
