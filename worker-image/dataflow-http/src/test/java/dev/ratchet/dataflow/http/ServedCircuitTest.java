/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.dataflow.query.TableIntake;
import dev.ratchet.dataflow.query.ViewAnswers;
import dev.ratchet.dataflow.query.WaitingBytes;
import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.security.Identity.Kind;
import dev.ratchet.protocol.security.MutualTls;
import dev.ratchet.protocol.security.TestAuthority;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A server of a test's circuit over TLS on the loopback address, and a client with a certificate. */
abstract class ServedCircuitTest {

    static final String NDJSON = "application/x-ndjson";
    static final String TOKEN = "a-token-of-this-test";
    private static final TestAuthority AUTHORITY = new TestAuthority("cluster");
    private static final MutualTls SERVER = security(Kind.WORKER, "w-0");

    @TempDir
    Path directory;

    final TestCircuit circuit = new TestCircuit();
    final WaitingBytes waiting = new WaitingBytes(1 << 20);
    CircuitHttpServer server;
    HttpClient client;

    static MutualTls security(Kind kind, String name) {
        TestAuthority.Issued issued = AUTHORITY.issue(new Identity("ns", "c", kind, name), "localhost");
        return MutualTls.fromPem(issued.certificate(), issued.key(), issued.authorities());
    }

    static String serverAuthority() {
        return AUTHORITY.certificatePem();
    }

    /** A client that shows the certificate of a client of this name. */
    static HttpClient client(String name) {
        return HttpClient.newBuilder()
                .sslContext(security(Kind.CLIENT, name).clientContext(Identity.authority("w-0", "ns")))
                .build();
    }

    HttpLimits limits() {
        return new HttpLimits(16, 1 << 16, 8 << 10, 10_000, 5_000, 8, 1_000);
    }

    ViewAnswers.Limits readLimits() {
        return new ViewAnswers.Limits(60_000, 60_000, 100);
    }

    /** Clients called "reader" may only read; "stranger" nothing. */
    static Optional<String> access(Identity caller, boolean writes) {
        boolean refused = caller.name().equals("stranger") || (caller.name().equals("reader") && writes);
        return refused ? Optional.of(caller + " may not") : Optional.empty();
    }

    @BeforeEach
    void serve() throws IOException {
        Path token = Files.writeString(directory.resolve("token"), TOKEN + "\n");
        server = new CircuitHttpServer(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                SERVER.serverContext(),
                ServedCircuitTest::access,
                Optional.of(token),
                circuit,
                new ViewAnswers(circuit, readLimits()),
                new TableIntake(circuit, waiting),
                limits());
        server.start();
        client = client("default");
    }

    @AfterEach
    void end() {
        client.shutdownNow();
        server.close();
        circuit.close();
    }

    URI uri(String path) {
        return URI.create("https://localhost:" + server.port() + path);
    }

    HttpResponse<String> get(String path, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri(path));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    HttpResponse<String> post(String path, String body, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri(path)).POST(BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    static void assertRefused(HttpResponse<String> response, int status, String... words) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        assertThat(response.body())
                .contains("\"error\"", "\"message\"", "\"remedy\"")
                .contains(words);
    }
}
