/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TcpForwarderTest {

    private static final int TIMEOUT_MILLIS = 20_000;

    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable part : open) {
            part.close();
        }
    }

    @Test
    void connectionsGoToTheTargetsInTurn() throws IOException {
        TcpForwarder forwarder = forwarder(List.of(target("a"), target("b")));
        List<String> answers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            answers.add(ask(forwarder));
        }
        assertThat(answers).containsExactly("a", "b", "a", "b");
    }

    @Test
    void aTargetThatRefusesIsPassedOver() throws IOException {
        // Nobody else gets its port, and nobody listens there.
        Socket taken = new Socket();
        open.add(taken);
        taken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        InetSocketAddress refused = (InetSocketAddress) taken.getLocalSocketAddress();
        TcpForwarder forwarder = forwarder(List.of(refused, target("alive")));
        for (int i = 0; i < 4; i++) {
            assertThat(ask(forwarder)).isEqualTo("alive");
        }
    }

    @Test
    void withoutTargetsAConnectionEndsAtOnce() throws IOException {
        TcpForwarder forwarder = forwarder(List.of());
        try (Socket socket = connect(forwarder)) {
            assertThat(readOrReset(socket)).isNegative();
        }
    }

    @Test
    void bytesPassUnchangedInBothDirections() throws Exception {
        byte[] sent = new byte[3_000_000];
        new Random(1).nextBytes(sent);
        TcpForwarder forwarder = forwarder(List.of(echo()));
        try (Socket socket = connect(forwarder)) {
            Thread writer = Thread.ofVirtual().start(() -> {
                try {
                    socket.getOutputStream().write(sent);
                    socket.shutdownOutput();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            assertThat(socket.getInputStream().readAllBytes()).isEqualTo(sent);
            writer.join();
        }
    }

    @Test
    void closingEndsConnections() throws IOException {
        TcpForwarder forwarder = forwarder(List.of(echo()));
        try (Socket socket = connect(forwarder)) {
            socket.getOutputStream().write('x');
            assertThat(socket.getInputStream().read()).isEqualTo('x');
            InetSocketAddress address = forwarder.address();
            forwarder.close();
            assertThat(readOrReset(socket)).isNegative();
            // A thread that is just accepting keeps the port open until it has woken up.
            await().atMost(Duration.ofSeconds(20)).until(() -> isRefused(address));
        }
    }

    private TcpForwarder forwarder(List<InetSocketAddress> targets) throws IOException {
        TcpForwarder forwarder = TcpForwarder.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        open.add(forwarder);
        forwarder.targets(targets);
        return forwarder;
    }

    private static Socket connect(TcpForwarder forwarder) throws IOException {
        Socket socket =
                new Socket(forwarder.address().getAddress(), forwarder.address().getPort());
        socket.setSoTimeout(TIMEOUT_MILLIS);
        return socket;
    }

    private static String ask(TcpForwarder forwarder) throws IOException {
        try (Socket socket = connect(forwarder)) {
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static boolean isRefused(InetSocketAddress address) {
        try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
            return !socket.isConnected();
        } catch (IOException e) {
            return true;
        }
    }

    private static int readOrReset(Socket socket) {
        try {
            return socket.getInputStream().read();
        } catch (IOException e) {
            return -1;
        }
    }

    private InetSocketAddress target(String name) throws IOException {
        return serve(socket -> socket.getOutputStream().write(name.getBytes(StandardCharsets.UTF_8)));
    }

    private InetSocketAddress echo() throws IOException {
        return serve(socket -> {
            InputStream input = socket.getInputStream();
            input.transferTo(socket.getOutputStream());
        });
    }

    private interface Handler {
        void handle(Socket socket) throws IOException;
    }

    private InetSocketAddress serve(Handler handler) throws IOException {
        ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        open.add(server);
        Thread.ofVirtual().start(() -> {
            while (!server.isClosed()) {
                try {
                    Socket socket = server.accept();
                    Thread.ofVirtual().start(() -> {
                        try (socket) {
                            handler.handle(socket);
                        } catch (IOException e) {
                            // The test sees what the other side of the connection gets.
                        }
                    });
                } catch (IOException e) {
                    return;
                }
            }
        });
        return (InetSocketAddress) server.getLocalSocketAddress();
    }
}
