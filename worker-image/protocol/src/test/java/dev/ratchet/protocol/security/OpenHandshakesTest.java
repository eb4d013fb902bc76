/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.protocol.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.protocol.coordinator.v1.CoordinatorGrpc;
import dev.ratchet.protocol.coordinator.v1.SetDrainingRequest;
import dev.ratchet.protocol.security.Identity.Kind;
import io.grpc.ManagedChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Connections that never say who calls cost a bounded amount, and those that do are not counted among them. */
class OpenHandshakesTest {

    private static final Identity OPERATOR = new Identity("team-a", "orders", Kind.OPERATOR, "ratchet-operator");
    private static final Identity WORKER = new Identity("team-a", "orders", Kind.WORKER, "orders-w-0");
    private static final int MOST = OpenHandshakes.OF_ONE_ADDRESS_MAX;
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final TestAuthority authority = new TestAuthority("orders-ca");
    private final List<ManagedChannel> channels = new ArrayList<>();
    private final List<Socket> silent = new ArrayList<>();

    @TempDir
    Path directory;

    private CoordinatorStub server;

    @BeforeEach
    void start() throws IOException {
        authority.issue(WORKER).writeTo(directory);
        server = new CoordinatorStub(MutualTls.fromDirectory(directory));
    }

    @AfterEach
    void stop() throws IOException {
        for (Socket socket : silent) {
            socket.close();
        }
        channels.forEach(ManagedChannel::shutdownNow);
        server.close();
    }

    /** Over a connection of its own that stays open; {@code waits} for one that is accepted. */
    private void call(boolean waits) {
        TestAuthority.Issued own = authority.issue(OPERATOR);
        ManagedChannel channel = MutualTls.fromPem(own.certificate(), own.key(), own.authorities())
                .channelBuilder(server.target(), WORKER.authority())
                .build();
        channels.add(channel);
        CoordinatorGrpc.CoordinatorBlockingStub stub = CoordinatorGrpc.newBlockingStub(channel);
        assertThat((waits ? stub.withWaitForReady() : stub)
                        .withDeadlineAfter(LIMIT.toSeconds(), TimeUnit.SECONDS)
                        .setDraining(SetDrainingRequest.getDefaultInstance()))
                .isNotNull();
    }

    private void connectSilently(int count) throws IOException {
        int port = Integer.parseInt(server.target().substring(server.target().lastIndexOf(':') + 1));
        for (int i = 0; i < count; i++) {
            silent.add(new Socket(InetAddress.getLoopbackAddress(), port));
        }
    }

    private static boolean isClosedWithin(Socket socket, Duration time) throws IOException {
        socket.setSoTimeout((int) time.toMillis());
        try {
            return socket.getInputStream().read() < 0;
        } catch (SocketTimeoutException open) {
            return false;
        } catch (IOException reset) {
            return true;
        }
    }

    @Test
    void anAddressHasABoundedNumberOfThemAndItsEndedOnesMakeRoom() throws Exception {
        connectSilently(MOST + 20);
        for (Socket above : silent.subList(MOST, silent.size())) {
            assertThat(isClosedWithin(above, LIMIT)).isTrue();
        }
        assertThat(isClosedWithin(silent.get(MOST - 1), Duration.ofMillis(1)))
                .as("one below the bound, before the time for its handshake is over")
                .isFalse();
        for (Socket socket : silent) {
            socket.close();
        }
        call(true);
    }

    @Test
    void thoseThatHaveShownWhoCallsAreNotCounted() throws Exception {
        for (int i = 0; i < 30; i++) {
            call(false);
        }
        connectSilently(MOST - 5);
        call(false);
    }
}
