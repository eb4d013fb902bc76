/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.local.apiserver.json.Json;
import dev.ratchet.local.apiserver.model.ApiException;
import dev.ratchet.local.apiserver.model.Metadata;
import dev.ratchet.local.apiserver.model.ScalePaths;
import dev.ratchet.local.apiserver.objects.Objects;
import dev.ratchet.local.apiserver.objects.WriteOptions;
import java.util.List;
import java.util.function.UnaryOperator;

/** The scale subresource: an autoscaling/v1 Scale as a view of three fields of the object. */
final class ScaleHandler {

    private final Objects objects;

    ScaleHandler(Objects objects) {
        this.objects = objects;
    }

    ObjectNode get(ResourcePath path) {
        return view(path, objects.get(path.type(), path.namespace(), path.name()));
    }

    /** Changes the scale by a function of the view of it. */
    ObjectNode modify(ResourcePath path, UnaryOperator<ObjectNode> change, WriteOptions options) {
        ObjectNode written = objects.modify(
                path.type(), path.namespace(), path.name(), "", current -> scaled(path, current, change), options);
        return view(path, written);
    }

    private static ObjectNode scaled(ResourcePath path, ObjectNode current, UnaryOperator<ObjectNode> change) {
        ObjectNode sent = change.apply(view(path, current));
        JsonNode replicas = sent.path("spec").path("replicas");
        if (!replicas.isMissingNode() && !replicas.isIntegralNumber()) {
            throw ApiException.badRequest(
                    "Scale in version \"v1\" cannot be handled as a Scale: spec.replicas must be a whole number");
        }
        long wanted = replicas.asLong(0);
        String version = Metadata.resourceVersion(sent);
        ObjectNode next = current.deepCopy();
        ScalePaths paths = paths(path);
        List<String> parent =
                paths.specReplicas().subList(0, paths.specReplicas().size() - 1);
        Json.ensure(next, parent.toArray(new String[0]))
                .put(paths.specReplicas().get(paths.specReplicas().size() - 1), wanted);
        if (version.isEmpty()) {
            Metadata.of(next).remove("resourceVersion");
        } else {
            Metadata.of(next).put("resourceVersion", version);
        }
        return next;
    }

    private static ObjectNode view(ResourcePath path, ObjectNode object) {
        ScalePaths paths = paths(path);
        ObjectNode scale = Json.object();
        scale.put("kind", "Scale").put("apiVersion", "autoscaling/v1");
        ObjectNode metadata = scale.putObject("metadata");
        for (String field : List.of("name", "namespace", "uid", "resourceVersion", "creationTimestamp")) {
            JsonNode value = object.path("metadata").get(field);
            if (value != null) {
                metadata.set(field, value);
            }
        }
        JsonNode wanted = Json.at(object, paths.specReplicas());
        scale.putObject("spec").put("replicas", wanted == null ? 0 : wanted.asLong());
        JsonNode actual = Json.at(object, paths.statusReplicas());
        ObjectNode status = scale.putObject("status").put("replicas", actual == null ? 0 : actual.asLong());
        JsonNode selector = paths.selector().isEmpty() ? null : Json.at(object, paths.selector());
        if (selector != null) {
            status.put("selector", selector.asText());
        }
        return scale;
    }

    private static ScalePaths paths(ResourcePath path) {
        ScalePaths paths = path.type().scale();
        if (paths == null) {
            throw ApiException.noSuchPath();
        }
        return paths;
    }
}
