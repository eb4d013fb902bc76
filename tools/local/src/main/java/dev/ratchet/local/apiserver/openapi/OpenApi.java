/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.openapi;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.local.apiserver.http.HttpReply;
import dev.ratchet.local.apiserver.http.HttpRequest;
import dev.ratchet.local.apiserver.json.Json;
import dev.ratchet.local.apiserver.model.ApiException;
import dev.ratchet.local.apiserver.model.ResourceType;
import dev.ratchet.local.apiserver.registry.ResourceRegistry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Serves {@code /openapi/v2} and {@code /openapi/v3}. Documents are made when they are asked for and kept until the
 * kinds change.
 */
public final class OpenApi {

    private static final String PROTOBUF = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
    private static final List<String> QUERY_OF_WRITES = List.of("dryRun", "fieldManager", "fieldValidation");

    /** A document of the kinds as they were at one generation of the registry. */
    private record Key(long generation, String name) {}

    private final ResourceRegistry registry;
    private final SchemaDefinitions definitions;
    private final Map<Key, byte[]> documents = new ConcurrentHashMap<>();

    public OpenApi(ResourceRegistry registry) {
        this.registry = registry;
        this.definitions = new SchemaDefinitions(registry);
    }

    /** Answers a request for the path {@code /openapi/<rest>}. */
    public void handle(List<String> rest, HttpRequest request, HttpReply reply) throws IOException {
        long current = registry.generation();
        documents.keySet().removeIf(key -> key.generation() != current);
        if (rest.equals(List.of("v2"))) {
            if (request.header("accept").contains("protobuf")) {
                reply.send(
                        200,
                        PROTOBUF,
                        documents.computeIfAbsent(
                                new Key(current, "v2+protobuf"), key -> GnosticEncoder.document(version2())));
            } else {
                reply.send(
                        200,
                        "application/json",
                        documents.computeIfAbsent(new Key(current, "v2"), key -> Json.bytes(version2())));
            }
        } else if (rest.equals(List.of("v3"))) {
            reply.send(200, "application/json", Json.bytes(index()));
        } else if (rest.size() > 1 && rest.get(0).equals("v3")) {
            String name = String.join("/", rest.subList(1, rest.size()));
            List<ResourceType> types = byGroupVersion().get(name);
            if (types == null) {
                throw ApiException.noSuchPath();
            }
            reply.send(
                    200,
                    "application/json",
                    documents.computeIfAbsent(new Key(current, name), key -> Json.bytes(version3(types))));
        } else {
            throw ApiException.noSuchPath();
        }
    }

    private ObjectNode index() {
        ObjectNode index = Json.object();
        ObjectNode paths = index.putObject("paths");
        for (String name : byGroupVersion().keySet()) {
            paths.putObject(name).put("serverRelativeURL", "/openapi/v3/" + name + "?hash=" + registry.generation());
        }
        return index;
    }

    private Map<String, List<ResourceType>> byGroupVersion() {
        Map<String, List<ResourceType>> groups = new TreeMap<>();
        for (ResourceType type : registry.all()) {
            groups.computeIfAbsent(prefix(type).substring(1), key -> new ArrayList<>())
                    .add(type);
        }
        return groups;
    }

    private static String prefix(ResourceType type) {
        return (type.group().isEmpty() ? "/api/" : "/apis/") + type.apiVersion();
    }

    private ObjectNode version2() {
        ObjectNode document = Json.object();
        document.put("swagger", "2.0");
        document.putObject("info").put("title", "Ratchet local API server").put("version", "v1.36.0");
        ObjectNode paths = document.putObject("paths");
        registry.all().forEach(type -> addPaths(type, paths, false));
        ObjectNode schemas = document.putObject("definitions");
        definitions.of(registry.all()).forEach((name, schema) -> {
            SchemaDefinitions.toVersion2(schema);
            schemas.set(name, schema);
        });
        return document;
    }

    private ObjectNode version3(List<ResourceType> types) {
        ObjectNode document = Json.object();
        document.put("openapi", "3.0.0");
        document.putObject("info").put("title", "Ratchet local API server").put("version", "v1.36.0");
        ObjectNode paths = document.putObject("paths");
        types.forEach(type -> addPaths(type, paths, true));
        ObjectNode schemas = document.putObject("components").putObject("schemas");
        definitions.of(types).forEach((name, schema) -> {
            SchemaDefinitions.toVersion3(schema);
            schemas.set(name, schema);
        });
        return document;
    }

    private static void addPaths(ResourceType type, ObjectNode paths, boolean isVersion3) {
        String collection = prefix(type) + (type.namespaced() ? "/namespaces/{namespace}/" : "/") + type.plural();
        ObjectNode all = paths.putObject(collection);
        operation(all, "post", type, isVersion3);
        if (!type.verbs().contains("get")) {
            return;
        }
        operation(all, "get", type, isVersion3);
        ObjectNode one = paths.putObject(collection + "/{name}");
        for (String method : List.of("get", "put", "patch", "delete")) {
            operation(one, method, type, isVersion3);
        }
    }

    private static void operation(ObjectNode path, String method, ResourceType type, boolean isVersion3) {
        ObjectNode operation = path.putObject(method);
        operation.put(
                "operationId",
                method
                        + type.kind()
                        + path.size()
                        + type.apiVersion().replace('/', '_').replace('.', '_'));
        if (!method.equals("get")) {
            ArrayNode parameters = operation.putArray("parameters");
            for (String name : QUERY_OF_WRITES) {
                ObjectNode parameter = parameters.addObject().put("name", name).put("in", "query");
                if (isVersion3) {
                    parameter.putObject("schema").put("type", "string");
                } else {
                    parameter.put("type", "string");
                }
            }
        }
        operation.putObject("responses").putObject("200").put("description", "OK");
        operation.set("x-kubernetes-group-version-kind", SchemaDefinitions.groupVersionKind(type));
    }
}
