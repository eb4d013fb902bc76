/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.local.apiserver.json.Json;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads and writes {@code metadata} of an object; holds nothing itself. */
public final class Metadata {

    private Metadata() {}

    public static ObjectNode of(ObjectNode object) {
        return Json.ensure(object, "metadata");
    }

    public static String name(JsonNode object) {
        return Json.textAt(object, "metadata", "name");
    }

    public static String namespace(JsonNode object) {
        return Json.textAt(object, "metadata", "namespace");
    }

    public static String uid(JsonNode object) {
        return Json.textAt(object, "metadata", "uid");
    }

    public static String resourceVersion(JsonNode object) {
        return Json.textAt(object, "metadata", "resourceVersion");
    }

    public static boolean isDeleting(JsonNode object) {
        return Json.at(object, "metadata", "deletionTimestamp") != null;
    }

    public static List<String> finalizers(JsonNode object) {
        List<String> names = new ArrayList<>();
        if (Json.at(object, "metadata", "finalizers") instanceof ArrayNode array) {
            array.forEach(name -> names.add(name.asText()));
        }
        return names;
    }

    public static void setFinalizers(ObjectNode object, List<String> names) {
        ObjectNode metadata = of(object);
        if (names.isEmpty()) {
            metadata.remove("finalizers");
        } else {
            ArrayNode array = metadata.putArray("finalizers");
            names.forEach(array::add);
        }
    }

    public static Map<String, String> labels(JsonNode object) {
        return strings(Json.at(object, "metadata", "labels"));
    }

    public static List<ObjectNode> ownerReferences(JsonNode object) {
        List<ObjectNode> owners = new ArrayList<>();
        if (Json.at(object, "metadata", "ownerReferences") instanceof ArrayNode array) {
            for (JsonNode owner : array) {
                if (owner instanceof ObjectNode reference) {
                    owners.add(reference);
                }
            }
        }
        return owners;
    }

    /** A map of strings, sorted; empty for null. */
    public static Map<String, String> strings(@Nullable JsonNode node) {
        Map<String, String> map = new TreeMap<>();
        if (node != null) {
            node.properties()
                    .forEach(entry -> map.put(entry.getKey(), entry.getValue().asText()));
        }
        return map;
    }

    /** Now in the form of Kubernetes: RFC 3339 in whole seconds. */
    public static String now() {
        return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    }

    public static @Nullable Instant instant(String text) {
        try {
            return text.isEmpty() ? null : Instant.parse(text);
        } catch (DateTimeParseException e) {
            return null;
        }
    }
}
