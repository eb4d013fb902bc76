/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.protocol.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Probes are answered whatever others do on the open port. */
class HealthPortTest {

    private static final int CONNECTIONS = 200;
    private static final int SECONDS_MAX = 30;

    private static HealthPort open() throws IOException {
        return new HealthPort(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                Optional::empty,
                () -> CompletableFuture.completedFuture(Optional.empty()),
                () -> "up 1\n");
    }

    private static int status(HealthPort port, String path) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port.port() + path))
                    .timeout(Duration.ofSeconds(SECONDS_MAX))
                    .build();
            return client.send(request, HttpResponse.BodyHandlers.ofString()).statusCode();
        }
    }

    @Test
    void connectionsThatNeverFinishARequestDoNotStopProbes() throws IOException, InterruptedException {
        List<Socket> unfinished = new ArrayList<>();
        try (HealthPort port = open()) {
            for (int count = 0; count < CONNECTIONS; count++) {
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), port.port());
                unfinished.add(socket);
                if (count % 2 == 0) {
                    socket.getOutputStream().write("GET /livez HTT".getBytes(StandardCharsets.US_ASCII));
                }
            }
            assertThat(status(port, "/livez")).isEqualTo(200);
            assertThat(status(port, "/readyz")).isEqualTo(200);
            assertThat(status(port, "/metrics")).isEqualTo(200);
        } finally {
            for (Socket socket : unfinished) {
                socket.close();
            }
        }
    }

    @Test
    void aRequestThatIsNotFinishedInTimeIsClosedByTheServer() throws IOException {
        try (HealthPort port = open();
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), port.port())) {
            socket.setSoTimeout(SECONDS_MAX * 1000);
            socket.getOutputStream().write("GET /livez HTTP/1.1\r\nHost:".getBytes(StandardCharsets.US_ASCII));
            assertThat(socket.getInputStream().read())
                    .as("the end of the connection, within %s s", SECONDS_MAX)
                    .isEqualTo(-1);
        }
    }
}
