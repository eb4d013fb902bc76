/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.reconcile;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.ratchet.crds.Names;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Answers requests by their path as an API server would, 404 to all others, and a client of it. */
final class ApiStub implements AutoCloseable {
    static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/";

    private record Answer(int status, String body) {}

    final List<String> requests = new CopyOnWriteArrayList<>();
    final KubernetesClient client;
    private final Map<String, Answer> answers = new ConcurrentHashMap<>();
    private final HttpServer server;

    ApiStub() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new IllegalStateException("no free port on loopback", e);
        }
        server.createContext("/", this::answer);
        server.start();
        Config config = new ConfigBuilder(Config.empty())
                .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                .withRequestRetryBackoffLimit(0)
                .build();
        client = new KubernetesClientBuilder().withConfig(config).build();
    }

    /** What is answered to requests of {@code path} from now on. */
    void answer(String path, int status, String body) {
        answers.put(path, new Answer(status, body));
    }

    /** Serves the definitions of this release. */
    void installDefinitions() {
        for (String name :
                List.of("computeclusters.ratchet.dev", "computelayouts.ratchet.dev", "computeworkers.ratchet.dev")) {
            install(name, "\"ratchet.dev/schema\":\"" + Names.SCHEMA + "\"", Names.VERSION);
        }
    }

    /** Serves one definition. */
    void install(String name, String annotation, String version) {
        answer(DEFINITIONS + name, 200, """
                {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
                 "metadata":{"name":"%s","annotations":{%s}},
                 "spec":{"group":"ratchet.dev","versions":[
                  {"name":"%s","served":true,"storage":true}]}}""".formatted(name, annotation, version));
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
        Answer found = answers.getOrDefault(path, new Answer(404, status(404, "NotFound", "")));
        byte[] text = found.body().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(found.status(), text.length);
        exchange.getResponseBody().write(text);
        exchange.close();
    }

    /** A Status; {@code cause} may be empty. */
    static String status(int code, String reason, String cause) {
        String details = cause.isEmpty() ? "" : ",\"details\":{\"causes\":[{\"reason\":\"" + cause + "\"}]}";
        return "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"reason\":\"" + reason
                + "\",\"code\":" + code + details + "}";
    }

    @Override
    public void close() {
        client.close();
        server.stop(0);
    }
}
