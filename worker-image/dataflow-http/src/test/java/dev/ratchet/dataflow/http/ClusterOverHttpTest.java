/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ratchet.dataflow.DataflowCluster;
import dev.ratchet.dataflow.DataflowState;
import dev.ratchet.dataflow.query.DataflowCircuit;
import dev.ratchet.dataflow.query.ServedCircuit;
import dev.ratchet.dataflow.query.TableIntake;
import dev.ratchet.dataflow.query.ViewAnswers;
import dev.ratchet.dataflow.query.WaitingBytes;
import dev.ratchet.dataflow.share.DataflowShares;
import dev.ratchet.dataflow.share.SharesService;
import dev.ratchet.dataflow.share.ViewReader;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.security.Identity.Kind;
import dev.ratchet.protocol.security.MutualTls;
import dev.ratchet.protocol.security.TestAuthority;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Rows that are sent to one worker change views that another one serves. */
@Timeout(60)
class ClusterOverHttpTest {

    private static final String PROGRAM =
            "CREATE TABLE t (k INT NOT NULL, v INT NOT NULL); CREATE TABLE u (k INT NOT NULL);"
                    + " CREATE VIEW s AS SELECT k, SUM(v) AS total FROM t GROUP BY k;";
    private static final TestAuthority AUTHORITY = new TestAuthority("cluster");
    private static final int WORKERS = 2;
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    Path directory;

    private final SystemEnvironment environment = new SystemEnvironment();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final List<CircuitHttpServer> servers = new ArrayList<>();
    private DataflowCluster cluster;
    private HttpClient client;

    private static MutualTls security(Kind kind, String name) {
        TestAuthority.Issued issued = AUTHORITY.issue(new Identity("ns", "c", kind, name));
        return MutualTls.fromPem(issued.certificate(), issued.key(), issued.authorities());
    }

    @BeforeEach
    void serve() throws IOException {
        cluster = new DataflowCluster(directory, WORKERS);
        cluster.configure(DataflowCluster.settings(PROGRAM));
        cluster.awaitState(0, DataflowState.RUNNING);
        Map<String, ManagedChannel> channels = new HashMap<>();
        for (int number = 0; number < WORKERS; number++) {
            String name = InProcessServerBuilder.generateName();
            int worker = number;
            Server shares = InProcessServerBuilder.forName(name)
                    .addService(new SharesService(
                            (view, life, after, listener) ->
                                    cluster.worker(worker).shares().follow(view, life, after, listener),
                            environment.executor(),
                            () -> 1))
                    .build()
                    .start();
            ManagedChannel channel = InProcessChannelBuilder.forName(name)
                    .executor(Executors.newVirtualThreadPerTaskExecutor())
                    .build();
            channels.put("w-" + number, channel);
            opened.add(channel::shutdownNow);
            opened.add(shares::shutdownNow);
        }
        for (int number = 0; number < WORKERS; number++) {
            DataflowShares shares =
                    new DataflowShares(cluster.worker(number), participant -> channels.get(participant.seat()));
            ServedCircuit circuit = new DataflowCircuit(
                    cluster.worker(number), new ViewReader(shares, environment, ViewReader.Limits.DEFAULT));
            CircuitHttpServer server = new CircuitHttpServer(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                    security(Kind.WORKER, "w-0").serverContext(),
                    (caller, writes) -> Optional.empty(),
                    Optional.empty(),
                    circuit,
                    new ViewAnswers(circuit, ViewAnswers.Limits.DEFAULT),
                    new TableIntake(circuit, new WaitingBytes(WaitingBytes.DEFAULT_MAX)),
                    HttpLimits.DEFAULT);
            server.start();
            servers.add(server);
        }
        client = HttpClient.newBuilder()
                .sslContext(security(Kind.CLIENT, "default").clientContext(Identity.authority("w-0", "ns")))
                .build();
    }

    @AfterEach
    void end() throws Exception {
        client.shutdownNow();
        servers.forEach(CircuitHttpServer::close);
        for (AutoCloseable one : opened) {
            one.close();
        }
        cluster.close();
        environment.close();
    }

    private HttpRequest.Builder at(int worker, String path) {
        return HttpRequest.newBuilder(
                URI.create("https://127.0.0.1:" + servers.get(worker).port() + path));
    }

    private String push(int worker, long sequence, String rows) throws IOException, InterruptedException {
        return push(at(worker, "/v1/tables/t?producer=p&sequence=" + sequence)
                .header("Content-Type", "text/csv")
                .POST(BodyPublishers.ofString("k,v\n" + rows)));
    }

    /** Sends rows and gives their position. */
    private String push(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> response = client.send(request.build(), BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return JSON.readTree(response.body()).path("position").asText();
    }

    private static String readUntil(BufferedReader lines, String wanted) throws IOException {
        String line = lines.readLine();
        while (line != null && !line.contains(wanted)) {
            line = lines.readLine();
        }
        assertThat(line).as("the stream goes on up to " + wanted).isNotNull();
        return line;
    }

    @Test
    void whatIsSentToOneWorkerIsReadFromAnother() throws IOException, InterruptedException {
        HttpResponse<InputStream> stream =
                client.send(at(1, "/v1/views/s?follow=true").build(), BodyHandlers.ofInputStream());
        assertThat(stream.statusCode()).isEqualTo(200);
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
            push(0, 0, "1,2\n2,3\n3,4\n");
            push(1, 0, "1,2\n2,3\n3,4\n");
            String position = push(1, 1, "1,5\n");
            readUntil(lines, "{\"k\":1,\"total\":7}");
            assertThat(JSON.readTree(readUntil(lines, "\"complete\":true"))
                            .path("position")
                            .asText())
                    .isEqualTo(position);
        }
        HttpResponse<String> snapshot = client.send(at(0, "/v1/views/s").build(), BodyHandlers.ofString());
        assertThat(snapshot.body()).isEqualTo("{\"k\":1,\"total\":7}\n{\"k\":2,\"total\":3}\n{\"k\":3,\"total\":4}\n");
        assertThat(snapshot.headers().firstValue("Ratchet-Position"))
                .get()
                .asString()
                .isNotEmpty();
        push(0, 2, "no number,1\n");
        HttpResponse<InputStream> errors =
                client.send(at(1, "/v1/views/errors?follow=true").build(), BodyHandlers.ofInputStream());
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(errors.body(), StandardCharsets.UTF_8))) {
            readUntil(lines, "producer p, sequence 2");
        }
        HttpResponse<String> answer = client.send(
                at(1, "/v1/query")
                        .POST(BodyPublishers.ofString("SELECT MAX(total) AS most FROM s WHERE k > 1"))
                        .build(),
                BodyHandlers.ofString());
        assertThat(answer.body()).isEqualTo("{\"most\":4}\n");
    }

    @Test
    void aLineOfARequestForSeveralTablesHasItsErrorWithItsNumber() throws IOException, InterruptedException {
        push(at(0, "/v1/tables?producer=p&sequence=0")
                .header("Content-Type", "application/x-ndjson")
                .POST(BodyPublishers.ofString("""
                        {"table":"t","insert":{"k":1,"v":2}}
                        {"table":"u","insert":{"k":1}}

                        {"table":"t","row":{"k":7,"v":1}}
                        {"table":"u","insert":{"k":"x"}}
                        {"table":"t","insert":{"k":8,"v":
                        {"table":"t","insert":{"k":9,"v":1}}
                        """)));
        HttpResponse<InputStream> errors =
                client.send(at(1, "/v1/views/errors?follow=true").build(), BodyHandlers.ofInputStream());
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(errors.body(), StandardCharsets.UTF_8))) {
            assertThat(readUntil(lines, "table t, producer p, sequence 0, line 4"))
                    .contains("has a field 'row' that does not belong there");
            assertThat(readUntil(lines, "table t, producer p, sequence 0, line 6"))
                    .contains("is no JSON");
            readUntil(lines, "table u, producer p, sequence 0, line 5");
        }
        assertThat(client.send(at(0, "/v1/views/s").build(), BodyHandlers.ofString())
                        .body())
                .isEqualTo("{\"k\":1,\"total\":2}\n{\"k\":9,\"total\":1}\n");
    }
}
