/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.suite;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.ratchet.e2e.environment.Command;
import dev.ratchet.e2e.environment.TestEnvironment;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * A HorizontalPodAutoscaler of the real controller, which reads the load of the pods from a metrics API that this class
 * serves: every pod uses the same share of what the wanted number of pods would use at their target.
 */
final class MetricsAutoscaler implements Autoscaler {

    private static final int REQUEST_MILLIS = 50;
    private static final int TARGET_PERCENT = 50;
    private static final String GROUP = "/apis/metrics.k8s.io/v1beta1";

    private final TestEnvironment environment;
    private final Cluster cluster;
    private final HttpsServer server;
    private volatile int wanted = 2;

    private MetricsAutoscaler(TestEnvironment environment, Cluster cluster, HttpsServer server) {
        this.environment = environment;
        this.cluster = cluster;
        this.server = server;
    }

    static MetricsAutoscaler start(TestEnvironment environment, Cluster cluster) {
        try {
            InetAddress address =
                    InetAddress.getByName(environment.client().getMasterUrl().getHost());
            HttpsServer server = HttpsServer.create(new InetSocketAddress(address, 0), 16);
            server.setHttpsConfigurator(new HttpsConfigurator(selfSigned()));
            MetricsAutoscaler autoscaler = new MetricsAutoscaler(environment, cluster, server);
            // A connection that sends nothing must not keep the others waiting.
            server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
            server.createContext("/", autoscaler::answer);
            server.start();
            autoscaler.register(address.getHostAddress(), server.getAddress().getPort());
            return autoscaler;
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException("can not serve the metrics API", e);
        }
    }

    /** The API server is told not to verify this certificate; keytool makes one without any library. */
    private static SSLContext selfSigned() throws IOException, GeneralSecurityException {
        java.nio.file.Path store =
                java.nio.file.Files.createTempDirectory("metrics").resolve("keys.p12");
        Command.run(
                        Map.of(),
                        "",
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "keytool")
                                        .toString(),
                                "-genkeypair",
                                "-alias",
                                "metrics",
                                "-keyalg",
                                "RSA",
                                "-dname",
                                "CN=metrics",
                                "-storetype",
                                "PKCS12",
                                "-keystore",
                                store.toString(),
                                "-storepass",
                                "metrics"))
                .succeeded();
        KeyStore keys = KeyStore.getInstance(store.toFile(), "metrics".toCharArray());
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(keys, "metrics".toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(factory.getKeyManagers(), null, null);
        return context;
    }

    private void register(String address, int port) {
        String autoscaling = environment.client().supports("autoscaling/v2", "HorizontalPodAutoscaler")
                ? "autoscaling/v2"
                : "autoscaling/v2beta2";
        environment
                .kubectl()
                .apply("""
                        apiVersion: v1
                        kind: Service
                        metadata: {name: metrics-stub, namespace: %1$s}
                        spec: {ports: [{port: 443, targetPort: %3$d}]}
                        ---
                        apiVersion: v1
                        kind: Endpoints
                        metadata: {name: metrics-stub, namespace: %1$s}
                        subsets: [{addresses: [{ip: %2$s}], ports: [{port: %3$d}]}]
                        ---
                        apiVersion: apiregistration.k8s.io/v1
                        kind: APIService
                        metadata: {name: v1beta1.metrics.k8s.io}
                        spec:
                          group: metrics.k8s.io
                          version: v1beta1
                          groupPriorityMinimum: 100
                          versionPriority: 100
                          insecureSkipTLSVerify: true
                          service: {name: metrics-stub, namespace: %1$s}
                        ---
                        apiVersion: %4$s
                        kind: HorizontalPodAutoscaler
                        metadata: {name: orders, namespace: %1$s}
                        spec:
                          minReplicas: 2
                          maxReplicas: 3
                          scaleTargetRef: {apiVersion: ratchet.dev/v1alpha1, kind: ComputeCluster, name: %5$s}
                          metrics:
                          - type: Resource
                            resource: {name: cpu, target: {type: Utilization, averageUtilization: %6$d}}
                        """.formatted(cluster.namespace, address, port, autoscaling, cluster.name, TARGET_PERCENT))
                .succeeded();
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String body = path.endsWith("/pods") ? podMetrics() : resourceList();
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private static String resourceList() {
        return "{\"kind\":\"APIResourceList\",\"apiVersion\":\"v1\",\"groupVersion\":\"" + GROUP.substring(6)
                + "\",\"resources\":[{\"name\":\"pods\",\"namespaced\":true,\"kind\":\"PodMetrics\","
                + "\"verbs\":[\"get\",\"list\"]}]}";
    }

    private String podMetrics() {
        int pods = Math.max(1, cluster.workerPods().size());
        int perPod = wanted * REQUEST_MILLIS * TARGET_PERCENT / 100 / pods;
        return cluster.workerPods().stream()
                .map(pod -> metrics(pod, perPod))
                .collect(Collectors.joining(
                        ",",
                        "{\"kind\":\"PodMetricsList\",\"apiVersion\":\"metrics.k8s.io/v1beta1\",\"items\":[",
                        "]}"));
    }

    private String metrics(Pod pod, int millis) {
        return "{\"metadata\":{\"name\":\"" + pod.getMetadata().getName() + "\",\"namespace\":\"" + cluster.namespace
                + "\"},\"timestamp\":\"" + Instant.now() + "\",\"window\":\"10s\",\"containers\":[{\"name\":\"worker\","
                + "\"usage\":{\"cpu\":\"" + millis + "m\",\"memory\":\"100Mi\"}}]}";
    }

    @Override
    public void want(int replicas) {
        wanted = replicas;
    }

    @Override
    public void close() {
        environment
                .kubectl()
                .run("delete", "hpa", "orders", "-n", cluster.namespace)
                .succeeded();
        environment
                .kubectl()
                .run("delete", "apiservice", "v1beta1.metrics.k8s.io")
                .succeeded();
        environment
                .kubectl()
                .run("delete", "service,endpoints", "metrics-stub", "-n", cluster.namespace, "--ignore-not-found")
                .succeeded();
        server.stop(0);
    }
}
