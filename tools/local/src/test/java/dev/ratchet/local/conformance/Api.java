/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.conformance;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Sends plain requests to the server of a kubeconfig. Bodies are YAML, in which JSON is allowed; they are sent as JSON.
 */
public final class Api implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.USE_LONG_FOR_INTS);
    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
    private static final long LIMIT_SECONDS = 60;

    private final KubernetesClient client;
    private final int minor;
    private final boolean core;
    private final List<Exchange> exchanges = Collections.synchronizedList(new ArrayList<>());

    private Api(KubernetesClient client) {
        this.client = client;
        String digits = get("/version").at("/minor").asText().replaceAll("[^0-9]", "");
        this.minor = Integer.parseInt(digits);
        this.core = get("/api/v1").code() == 200;
    }

    public static Api of(Path kubeconfig) {
        try {
            Config config = Config.fromKubeconfig(Files.readString(kubeconfig));
            Config patient =
                    new ConfigBuilder(config).withRequestRetryBackoffLimit(0).build();
            return new Api(new KubernetesClientBuilder().withConfig(patient).build());
        } catch (IOException e) {
            throw new UncheckedIOException("the kubeconfig " + kubeconfig + " can not be read", e);
        }
    }

    /** The server is Kubernetes 1.{@code wanted} or newer. */
    public boolean isAtLeast(int wanted) {
        return minor >= wanted;
    }

    /** The server has namespaces, pods and the like; one of custom resources alone has not. */
    public boolean servesCoreKinds() {
        return core;
    }

    /** What was asked and answered since the last call, in order. */
    public List<Exchange> takeExchanges() {
        List<Exchange> taken = List.copyOf(exchanges);
        exchanges.clear();
        return taken;
    }

    public KubernetesClient client() {
        return client;
    }

    public Reply get(String path) {
        return send("GET", path, "application/json", "", "application/json");
    }

    public Reply get(String path, String accept) {
        return send("GET", path, "application/json", "", accept);
    }

    public Reply post(String path, String yaml) {
        return send("POST", path, "application/json", json(yaml), "application/json");
    }

    public Reply put(String path, String yaml) {
        return send("PUT", path, "application/json", json(yaml), "application/json");
    }

    public Reply put(String path, JsonNode object) {
        return send("PUT", path, "application/json", object.toString(), "application/json");
    }

    public Reply delete(String path) {
        return send("DELETE", path, "application/json", "", "application/json");
    }

    public Reply delete(String path, String yaml) {
        return send("DELETE", path, "application/json", json(yaml), "application/json");
    }

    /** {@code type} is {@code merge}, {@code json}, {@code strategic} or {@code apply}. */
    public Reply patch(String type, String path, String yaml) {
        String contentType =
                switch (type) {
                    case "json" -> "application/json-patch+json";
                    case "merge" -> "application/merge-patch+json";
                    case "strategic" -> "application/strategic-merge-patch+json";
                    default -> "application/apply-patch+yaml";
                };
        return send("PATCH", path, contentType, json(yaml), "application/json");
    }

    /** All events of a watch that the server ends after a second. */
    public List<JsonNode> watch(String path) {
        String separator = path.contains("?") ? "&" : "?";
        String text = sendForText(
                        "GET",
                        path + separator + "watch=true&timeoutSeconds=1",
                        "application/json",
                        "",
                        "application/json")
                .bodyString;
        List<JsonNode> events = new ArrayList<>();
        for (String line : text.split("\n", -1)) {
            if (!line.isBlank()) {
                events.add(parse(line));
            }
        }
        return events;
    }

    private record TextReply(int code, String bodyString, String warning) {}

    public Reply send(String method, String path, String contentType, String body, String accept) {
        TextReply reply = sendForText(method, path, contentType, body, accept);
        String text = reply.bodyString().strip();
        boolean isJson = text.startsWith("{") || text.startsWith("[");
        Reply parsed = new Reply(
                reply.code(), isJson ? parse(text) : JSON.getNodeFactory().textNode(text), reply.warning());
        exchanges.add(Exchange.of(method, path, parsed));
        return parsed;
    }

    private TextReply sendForText(String method, String path, String contentType, String body, String accept) {
        HttpRequest.Builder builder = client.getHttpClient()
                .newHttpRequestBuilder()
                .uri(client.getMasterUrl().toString().replaceAll("/$", "") + path)
                .header("Accept", accept);
        builder.method(method, contentType, body.isEmpty() && !method.equals("POST") ? null : body);
        try {
            HttpResponse<String> response = client.getHttpClient()
                    .sendAsync(builder.build(), String.class)
                    .get(LIMIT_SECONDS, TimeUnit.SECONDS);
            String text = response.body() == null ? "" : response.body();
            return new TextReply(response.code(), text, String.join(", ", response.headers("Warning")));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException(method.toUpperCase(Locale.ROOT) + " " + path + " has no answer", e);
        }
    }

    private static JsonNode parse(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException("an answer is no JSON: " + text, e);
        }
    }

    /** YAML as JSON. */
    public static String json(String yaml) {
        try {
            return YAML.readTree(yaml).toString();
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException("a test's YAML is none: " + yaml, e);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
