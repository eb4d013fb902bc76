/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.local.apiserver.http.HttpHandler;
import dev.ratchet.local.apiserver.http.HttpReply;
import dev.ratchet.local.apiserver.http.HttpRequest;
import dev.ratchet.local.apiserver.json.Json;
import dev.ratchet.local.apiserver.logs.PodLogs;
import dev.ratchet.local.apiserver.model.ApiException;
import dev.ratchet.local.apiserver.objects.Objects;
import dev.ratchet.local.apiserver.openapi.OpenApi;
import dev.ratchet.local.apiserver.registry.ResourceRegistry;
import dev.ratchet.local.apiserver.store.ApiObjects;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The whole API: who may come in, which document or resource a path names, and every failure as a Status. */
public final class ApiHandler implements HttpHandler {

    private static final Logger LOG = LoggerFactory.getLogger(ApiHandler.class);
    private static final Set<String> OPEN = Set.of("/livez", "/readyz", "/healthz");

    private final ResourceRegistry registry;
    private final Discovery discovery;
    private final OpenApi openApi;
    private final ResourceHandler resources;
    private final byte[] authorization;

    public ApiHandler(
            ResourceRegistry registry,
            ApiObjects store,
            Objects objects,
            Supplier<@Nullable PodLogs> logs,
            String address,
            String token) {
        this.registry = registry;
        this.discovery = new Discovery(registry, address);
        this.openApi = new OpenApi(registry);
        this.authorization = ("Bearer " + token).getBytes(StandardCharsets.UTF_8);
        Presenter presenter = new Presenter();
        this.resources = new ResourceHandler(
                objects,
                new ListHandler(store, presenter),
                new WatchHandler(store, presenter),
                new ScaleHandler(objects),
                new PodSubresources(store, objects, logs),
                presenter);
    }

    @Override
    public boolean admits(String path, Map<String, String> headers) {
        byte[] sent = headers.getOrDefault("authorization", "").getBytes(StandardCharsets.UTF_8);
        return OPEN.contains(path) || MessageDigest.isEqual(sent, authorization);
    }

    @Override
    public void handle(HttpRequest request, HttpReply reply) throws IOException {
        try {
            route(request, reply);
        } catch (ApiException e) {
            fail(reply, e);
        } catch (RuntimeException e) {
            LOG.error("A request failed for a reason that is not its own: {} {}", request.method(), request.path(), e);
            fail(reply, ApiException.internal("the API server stand-in failed: " + e));
        }
    }

    private static void fail(HttpReply reply, ApiException exception) throws IOException {
        if (reply.isStarted()) {
            throw new IOException("a reply failed in the middle", exception);
        }
        reply.send(exception.code(), "application/json", Json.bytes(exception.status()));
    }

    private void route(HttpRequest request, HttpReply reply) throws IOException {
        String path = request.path();
        if (OPEN.contains(path)) {
            reply.send(200, "text/plain; charset=utf-8", "ok".getBytes(StandardCharsets.US_ASCII));
            return;
        }
        if (!admits(path, request.headers())) {
            throw ApiException.unauthorized();
        }
        List<String> parts = Arrays.stream(path.split("/", -1))
                .filter(part -> !part.isEmpty())
                .toList();
        if (parts.isEmpty()) {
            throw ApiException.noSuchPath();
        }
        switch (parts.get(0)) {
            case "version" -> sendJson(reply, version());
            case "openapi" -> openApi.handle(parts.subList(1, parts.size()), request, reply);
            case "api" -> core(parts, request, reply);
            case "apis" -> groups(parts, request, reply);
            default -> throw ApiException.noSuchPath();
        }
    }

    private void core(List<String> parts, HttpRequest request, HttpReply reply) throws IOException {
        if (parts.size() == 1) {
            sendJson(reply, discovery.coreVersions());
        } else if (parts.size() == 2) {
            sendJson(reply, discovery.resources("", parts.get(1)));
        } else {
            ResourcePath path = ResourcePath.of(registry, "", parts.get(1), parts.subList(2, parts.size()));
            resources.handle(path, request, reply);
        }
    }

    private void groups(List<String> parts, HttpRequest request, HttpReply reply) throws IOException {
        switch (parts.size()) {
            case 1 -> sendJson(reply, discovery.groups());
            case 2 -> sendJson(reply, discovery.group(parts.get(1)));
            case 3 -> sendJson(reply, discovery.resources(parts.get(1), parts.get(2)));
            default -> {
                ResourcePath path =
                        ResourcePath.of(registry, parts.get(1), parts.get(2), parts.subList(3, parts.size()));
                resources.handle(path, request, reply);
            }
        }
    }

    private static void sendJson(HttpReply reply, ObjectNode document) throws IOException {
        reply.send(200, "application/json", Json.bytes(document));
    }

    private static ObjectNode version() {
        return Json.object()
                .put("major", "1")
                .put("minor", "36")
                .put("gitVersion", "v1.36.0+ratchet-local")
                .put("gitCommit", "")
                .put("gitTreeState", "clean")
                .put("buildDate", "1970-01-01T00:00:00Z")
                .put("goVersion", "none")
                .put("compiler", "java")
                .put(
                        "platform",
                        System.getProperty("os.name").toLowerCase(java.util.Locale.ROOT) + "/"
                                + System.getProperty("os.arch"));
    }
}
