/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.ratchet.crds.ComputeCluster;
import dev.ratchet.crds.cluster.CertificateSource;
import dev.ratchet.operator.apply.CachingWriter;
import dev.ratchet.operator.model.Certificate;
import dev.ratchet.operator.model.CertificateSpec;
import dev.ratchet.operator.observe.RequestedCertificates;
import dev.ratchet.operator.world.World;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What goes over the wire for Certificates, answered by a server that says what an API server would. */
class CertManagerReaderTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final String PATH = "/apis/cert-manager.io/v1/namespaces/team-a/certificates";
    private static final String ONE = """
            {"apiVersion":"cert-manager.io/v1","kind":"Certificate",
             "metadata":{"name":"orders-w-0-tls","namespace":"team-a","uid":"u1","resourceVersion":"7"},
             "spec":{"secretName":"orders-w-0-tls","revisionHistoryLimit":1,
              "uris":["ratchet://team-a/orders/worker/orders-w-0"]},
             "status":{"conditions":[{"type":"Ready","status":"True"}],"revision":1}}""";

    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final List<String> bodies = new CopyOnWriteArrayList<>();
    private final ComputeCluster cluster = new World().cluster;
    private volatile int status = 200;
    private volatile String answer =
            "{\"apiVersion\":\"cert-manager.io/v1\",\"kind\":\"CertificateList\",\"metadata\":{},\"items\":[" + ONE
                    + "]}";
    private HttpServer server;
    private KubernetesClient client;
    private CertManagerReader reader;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
        Config config = new ConfigBuilder(Config.empty())
                .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                .withRequestRetryBackoffLimit(0)
                .build();
        client = new KubernetesClientBuilder().withConfig(config).build();
        reader = new CertManagerReader(client);
        cluster.getSpec().access.certificates.type = CertificateSource.CERT_MANAGER;
    }

    @AfterEach
    void stop() {
        client.close();
        server.stop(0);
    }

    @Test
    void aListIsReadOnceUntilSomethingIsWritten() {
        RequestedCertificates found = reader.of(cluster, List.of(), NOW);
        assertThat(found.obstacle()).isEmpty();
        assertThat(found.byName().get("orders-w-0-tls").getSpec().uris)
                .containsExactly("ratchet://team-a/orders/worker/orders-w-0");
        assertThat(requests.get(0)).startsWith("GET " + PATH).contains("ratchet.dev%2Fcluster%3Dorders");
        reader.of(cluster, List.of(), NOW.plusSeconds(60));
        assertThat(requests).hasSize(1);
        reader.outdated(dev.ratchet.operator.observe.ClusterKey.of(cluster));
        reader.of(cluster, List.of(), NOW.plusSeconds(61));
        assertThat(requests).hasSize(2);
    }

    @Test
    void aClusterWithoutCertManagerCostsNoRequest() {
        cluster.getSpec().access.certificates.type = CertificateSource.OPERATOR;
        assertThat(reader.of(cluster, List.of(), NOW)).isEqualTo(RequestedCertificates.NONE);
        assertThat(requests).isEmpty();
    }

    @Test
    void whatIsMissingIsNamedWithItsRemedyAndLookedForAgain() {
        fail(404, "NotFound");
        assertThat(reader.of(cluster, List.of(), NOW).obstacle().orElseThrow()).contains("install cert-manager");
        fail(403, "Forbidden");
        assertThat(reader.of(cluster, List.of(), NOW.plusSeconds(30)).obstacle().orElseThrow())
                .contains("certificates.certManager=true");
        assertThat(requests).hasSize(2);
    }

    @Test
    void aCertificateIsAppliedAndDeletedByItsOwnPath() {
        answer = ONE;
        CachingWriter writer = new CachingWriter(context(), () -> requests.add("told"), () -> {});
        Certificate wanted = new Certificate();
        wanted.setMetadata(new ObjectMetaBuilder()
                .withName("orders-w-0-tls")
                .withNamespace("team-a")
                .withUid("u1")
                .build());
        wanted.setSpec(new CertificateSpec());
        wanted.getSpec().secretName = "orders-w-0-tls";
        wanted.getSpec().privateKey = Map.of("size", 256);
        HasMetadata live = writer.apply(wanted);
        assertThat(live.getMetadata().getResourceVersion()).isEqualTo("7");
        assertThat(requests.get(0)).isEqualTo("told");
        assertThat(requests.get(1))
                .startsWith("PATCH " + PATH + "/orders-w-0-tls?")
                .contains("fieldManager=ratchet-operator")
                .contains("force=true")
                .endsWith("application/apply-patch+yaml");
        assertThat(bodies.get(0))
                .contains("\"size\":256")
                .doesNotContain("status")
                .doesNotContain("commonName");
        writer.delete(live, OptionalLong.empty());
        assertThat(requests.get(3)).startsWith("DELETE " + PATH + "/orders-w-0-tls");
        assertThat(bodies.get(1)).contains("\"uid\":\"u1\"");
    }

    private void fail(int code, String reason) {
        status = code;
        answer = "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"reason\":\"" + reason
                + "\",\"code\":" + code + "}";
    }

    private void answer(HttpExchange exchange) throws IOException {
        bodies.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        String type = exchange.getRequestHeaders().getFirst("Content-Type");
        requests.add(exchange.getRequestMethod() + " "
                + exchange.getRequestURI().toASCIIString() + (type == null ? "" : " " + type));
        byte[] text = answer.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, text.length);
        exchange.getResponseBody().write(text);
        exchange.close();
    }

    @SuppressWarnings("unchecked") // A proxy knows no type parameters.
    private Context<ComputeCluster> context() {
        return (Context<ComputeCluster>) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Context.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("getClient")) {
                        return client;
                    }
                    throw new AssertionError("The reader asks its context for nothing but the client, not " + method);
                });
    }
}
