/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.suite;

import dev.ratchet.e2e.environment.TestEnvironment;
import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.security.MutualTls;
import io.fabric8.kubernetes.api.model.Secret;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Objects;

/**
 * A producer and a reader of one circuit, over its Service. A request that fails is sent again with its sequence until
 * it is answered, as producers do.
 */
final class CircuitFeed implements AutoCloseable {

    private static final Duration ANSWER = Duration.ofSeconds(20);
    private static final long PAUSE_MILLIS = 100;

    private final HttpClient client;
    private final String address;
    private int repeated;

    /** By the Service of the cluster's circuit, at its address: there may be no DNS here. */
    static CircuitFeed of(TestEnvironment environment, Cluster cluster) {
        return new CircuitFeed(
                cluster,
                Objects.requireNonNull(environment
                                .client()
                                .services()
                                .inNamespace(cluster.namespace)
                                .withName(cluster.name + "-circuit")
                                .get())
                        .getSpec()
                        .getClusterIP());
    }

    private CircuitFeed(Cluster cluster, String clusterIp) {
        Secret secret = Objects.requireNonNull(cluster.secret(cluster.name + "-client"));
        MutualTls own = MutualTls.fromPem(text(secret, "tls.crt"), text(secret, "tls.key"), text(secret, "ca.crt"));
        this.client = HttpClient.newBuilder()
                .sslContext(own.clientContext(Identity.authority(cluster.name + "-client", cluster.namespace)))
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(ANSWER)
                .build();
        this.address = "https://" + clusterIp + ":7404";
    }

    /** Adds lines of several tables in one step. */
    void push(String producer, long sequence, String lines) throws InterruptedException {
        answer(HttpRequest.newBuilder(URI.create(address + "/v1/tables?producer=" + producer + "&sequence=" + sequence))
                .header("Content-Type", "application/x-ndjson")
                .timeout(ANSWER)
                .POST(BodyPublishers.ofString(lines))
                .build());
    }

    /** What is served at {@code path}: by another worker, or later, where one has none or is on its way out. */
    String get(String path) throws InterruptedException {
        return answer(HttpRequest.newBuilder(URI.create(address + path))
                .timeout(ANSWER)
                .build());
    }

    private String answer(HttpRequest request) throws InterruptedException {
        Instant end = Instant.now().plus(Cluster.TIMEOUT);
        String last = "";
        while (Instant.now().isBefore(end)) {
            try {
                HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
                if (answer.statusCode() == 200) {
                    return answer.body();
                }
                last = answer.statusCode() + " " + answer.body();
                if (answer.statusCode() != 429 && answer.statusCode() != 503) {
                    throw new AssertionError(request.uri() + " was refused: " + last);
                }
            } catch (IOException e) {
                last = e.toString();
            }
            repeated++;
            Thread.sleep(PAUSE_MILLIS);
        }
        throw new AssertionError(request.uri() + " was not answered within " + Cluster.TIMEOUT + ": " + last);
    }

    /** How often a request was sent again. */
    int repeated() {
        return repeated;
    }

    private static String text(Secret secret, String key) {
        return new String(Base64.getDecoder().decode(secret.getData().get(key)), StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        client.close();
    }
}
