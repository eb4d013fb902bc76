/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.local.apiserver.http.HttpReply;
import dev.ratchet.local.apiserver.http.HttpRequest;
import dev.ratchet.local.apiserver.json.FieldError;
import dev.ratchet.local.apiserver.json.Json;
import dev.ratchet.local.apiserver.model.ApiException;
import dev.ratchet.local.apiserver.model.RequestBody;
import dev.ratchet.local.apiserver.model.ResourceType;
import dev.ratchet.local.apiserver.objects.DeleteOptions;
import dev.ratchet.local.apiserver.objects.Objects;
import dev.ratchet.local.apiserver.objects.WriteOptions;
import dev.ratchet.local.apiserver.patch.JsonPatch;
import dev.ratchet.local.apiserver.patch.MergePatch;
import dev.ratchet.local.apiserver.patch.StrategicMergePatch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** Does what a request on a resource says: the verb from method and path, the options from the query. */
final class ResourceHandler {

    private static final Set<String> STATUS_LIKE = Set.of("status", "finalize");

    private final Objects objects;
    private final ListHandler lists;
    private final WatchHandler watches;
    private final ScaleHandler scales;
    private final PodSubresources pods;
    private final Presenter presenter;

    ResourceHandler(
            Objects objects,
            ListHandler lists,
            WatchHandler watches,
            ScaleHandler scales,
            PodSubresources pods,
            Presenter presenter) {
        this.objects = objects;
        this.lists = lists;
        this.watches = watches;
        this.scales = scales;
        this.pods = pods;
        this.presenter = presenter;
    }

    void handle(ResourcePath path, HttpRequest request, HttpReply reply) throws IOException {
        checkSubresource(path);
        switch (request.method()) {
            case "GET" -> get(path, request, reply);
            case "POST" -> post(path, request, reply);
            case "PUT" -> put(path, request, reply);
            case "PATCH" -> patch(path, request, reply);
            case "DELETE" -> delete(path, request, reply);
            default -> throw notAllowed(request);
        }
    }

    private void checkSubresource(ResourcePath path) {
        if (path.type().is("", "pods") && PodSubresources.STREAMS.contains(path.subresource())) {
            throw PodSubresources.noStream(objects.get(path.type(), path.namespace(), path.name()), path.subresource());
        }
        if (!path.subresource().isEmpty() && !path.type().has(path.subresource())) {
            throw ApiException.noSuchPath();
        }
    }

    private void get(ResourcePath path, HttpRequest request, HttpReply reply) throws IOException {
        ResourceType type = path.type();
        if (!type.verbs().contains("get")) {
            throw notAllowed(request);
        }
        if (path.subresource().equals("log")) {
            pods.log(path, request, reply);
            return;
        }
        Form form = Form.of(request.header("accept"));
        if (request.flag("watch")) {
            watches.watch(path, request, reply, form);
        } else if (path.name().isEmpty()) {
            reply.send(200, "application/json", Json.bytes(lists.list(path, request, form)));
        } else if (path.subresource().equals("scale")) {
            reply.send(200, "application/json", Json.bytes(scales.get(path)));
        } else {
            send(path, request, reply, 200, objects.get(type, path.namespace(), path.name()), List.of());
        }
    }

    private void post(ResourcePath path, HttpRequest request, HttpReply reply) throws IOException {
        WriteOptions options = options(request, "Update");
        ObjectNode body = body(request);
        switch (path.subresource()) {
            case "eviction" -> reply.send(201, "application/json", Json.bytes(pods.evict(path, body)));
            case "binding" -> reply.send(201, "application/json", Json.bytes(pods.bind(path, body, options)));
            case "" -> {
                if (!path.name().isEmpty()
                        || (path.type().namespaced() && path.namespace().isEmpty())) {
                    throw notAllowed(request);
                }
                ObjectNode created = objects.create(path.type(), path.namespace(), body, options);
                send(path, request, reply, 201, created, options.warnings());
            }
            default -> throw notAllowed(request);
        }
    }

    private void put(ResourcePath path, HttpRequest request, HttpReply reply) throws IOException {
        requireName(path, request);
        WriteOptions options = options(request, "Update");
        ObjectNode body = body(request);
        if (path.subresource().equals("scale")) {
            ObjectNode scale = scales.modify(path, view -> body, options);
            reply.send(200, "application/json", Json.bytes(scale));
            return;
        }
        ObjectNode updated =
                objects.update(path.type(), path.namespace(), path.name(), path.subresource(), body, options);
        send(path, request, reply, 200, updated, options.warnings());
    }

    private void patch(ResourcePath path, HttpRequest request, HttpReply reply) throws IOException {
        requireName(path, request);
        String contentType = request.header("content-type").split(";", 2)[0].strip();
        if (contentType.equals("application/apply-patch+yaml")) {
            apply(path, request, reply);
            return;
        }
        WriteOptions options = options(request, "Update");
        UnaryOperator<ObjectNode> change = change(path, contentType, RequestBody.parse(request.body()));
        if (path.subresource().equals("scale")) {
            reply.send(200, "application/json", Json.bytes(scales.modify(path, change, options)));
            return;
        }
        ObjectNode patched =
                objects.modify(path.type(), path.namespace(), path.name(), path.subresource(), change, options);
        send(path, request, reply, 200, patched, options.warnings());
    }

    private static UnaryOperator<ObjectNode> change(ResourcePath path, String contentType, JsonNode patch) {
        return switch (contentType) {
            case "application/json-patch+json" -> current -> object(JsonPatch.apply(current, patch));
            case "application/merge-patch+json" -> current -> object(MergePatch.apply(current, patch));
            case "application/strategic-merge-patch+json" -> {
                if (path.type().custom()) {
                    throw unsupported();
                }
                yield current -> StrategicMergePatch.apply(path.type().schema(), current, object(patch));
            }
            default -> throw unsupported();
        };
    }

    private void apply(ResourcePath path, HttpRequest request, HttpReply reply) throws IOException {
        if (request.parameter("fieldManager").isEmpty()) {
            throw ApiException.unprocessable(
                    "PatchOptions.meta.k8s.io \"\" is invalid: fieldManager: Required value: is required for "
                            + "apply patch",
                    List.of(FieldError.required("fieldManager", "is required for apply patch")));
        }
        WriteOptions options = options(request, "Apply");
        if (path.subresource().equals("scale")) {
            ObjectNode scale = scales.modify(path, view -> object(MergePatch.apply(view, body(request))), options);
            reply.send(200, "application/json", Json.bytes(scale));
            return;
        }
        AtomicInteger code = new AtomicInteger(200);
        ObjectNode applied = objects.apply(
                path.type(),
                path.namespace(),
                path.name(),
                path.subresource(),
                body(request),
                options,
                () -> code.set(201));
        send(path, request, reply, code.get(), applied, options.warnings());
    }

    private void delete(ResourcePath path, HttpRequest request, HttpReply reply) throws IOException {
        if (!path.subresource().isEmpty()) {
            throw notAllowed(request);
        }
        JsonNode body = request.body().length == 0 ? Json.object() : body(request);
        ListHandler.number(request, "gracePeriodSeconds");
        DeleteOptions options = DeleteOptions.of(
                body,
                request.parameter("gracePeriodSeconds"),
                request.parameter("propagationPolicy"),
                request.parameter("dryRun").equals("All"));
        if (!path.name().isEmpty()) {
            JsonNode answer = objects.delete(path.type(), path.namespace(), path.name(), options);
            reply.send(200, "application/json", Json.bytes(answer));
            return;
        }
        List<ObjectNode> answers = new ArrayList<>();
        for (String[] name : lists.names(path, request)) {
            try {
                ObjectNode current = objects.get(path.type(), name[0], name[1]);
                objects.delete(path.type(), name[0], name[1], options);
                answers.add(current);
            } catch (ApiException e) {
                if (e.code() != 404) {
                    throw e;
                }
            }
        }
        reply.send(200, "application/json", Json.bytes(presenter.many(path.type(), answers, request, Form.FULL)));
    }

    private void send(
            ResourcePath path, HttpRequest request, HttpReply reply, int code, ObjectNode object, List<String> warnings)
            throws IOException {
        if (!warnings.isEmpty()) {
            List<String> values = warnings.stream()
                    .distinct()
                    .map(text -> "299 - \"" + text.replace("\"", "\\\"") + "\"")
                    .toList();
            reply.header("Warning", String.join(", ", values));
        }
        Form form = STATUS_LIKE.contains(path.subresource()) ? Form.FULL : Form.of(request.header("accept"));
        reply.send(code, "application/json", Json.bytes(presenter.one(path.type(), object, request, form)));
    }

    private static WriteOptions options(HttpRequest request, String operation) {
        String dryRun = request.parameter("dryRun");
        if (!dryRun.isEmpty() && !dryRun.equals("All")) {
            throw ApiException.unprocessable(
                    "PatchOptions.meta.k8s.io \"\" is invalid: dryRun: Unsupported value: \"" + dryRun
                            + "\": supported values: \"All\"",
                    List.of(FieldError.unsupported("dryRun", "\"" + dryRun + "\"", "\"All\"")));
        }
        String manager = request.parameter("fieldManager");
        if (manager.isEmpty()) {
            String agent = request.header("user-agent").split("/", 2)[0];
            manager = agent.isEmpty() ? "unknown" : agent;
        }
        boolean force = operation.equals("Apply") && request.parameter("force").equals("true");
        String validation = request.parameter("fieldValidation");
        return new WriteOptions(
                !dryRun.isEmpty(), manager, force, validation.isEmpty() ? "Warn" : validation, new ArrayList<>());
    }

    private static ObjectNode body(HttpRequest request) {
        if (request.header("content-type").startsWith(ProtobufBody.CONTENT_TYPE)) {
            return ProtobufBody.read(request.body());
        }
        return RequestBody.parseObject(request.body());
    }

    private static ObjectNode object(JsonNode node) {
        if (node instanceof ObjectNode object) {
            return object;
        }
        throw ApiException.badRequest("the patch does not give an object");
    }

    private static void requireName(ResourcePath path, HttpRequest request) {
        if (path.name().isEmpty()) {
            throw notAllowed(request);
        }
    }

    private static ApiException notAllowed(HttpRequest request) {
        return ApiException.methodNotAllowed(
                "the server does not allow this method on the requested resource: " + request.method());
    }

    private static ApiException unsupported() {
        return ApiException.unsupportedMediaType(
                "the body of the request was in an unknown format - accepted media types include: "
                        + "application/json-patch+json, application/merge-patch+json, "
                        + "application/apply-patch+yaml");
    }
}
