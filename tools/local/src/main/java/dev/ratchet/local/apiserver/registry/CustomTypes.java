/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.local.apiserver.json.Json;
import dev.ratchet.local.apiserver.model.PrinterColumn;
import dev.ratchet.local.apiserver.model.ResourceType;
import dev.ratchet.local.apiserver.model.ScalePaths;
import dev.ratchet.local.apiserver.schema.ModelSchemas;
import dev.ratchet.local.apiserver.schema.Schema;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Turns a CustomResourceDefinition into the kinds that it defines, one for each served version. */
final class CustomTypes {

    private CustomTypes() {}

    static List<ResourceType> of(ObjectNode definition, ModelSchemas schemas) {
        List<ResourceType> types = new ArrayList<>();
        for (JsonNode version : definition.path("spec").path("versions")) {
            if (version.path("served").asBoolean(false)) {
                types.add(type(definition.path("spec"), version, schemas));
            }
        }
        return types;
    }

    private static ResourceType type(JsonNode spec, JsonNode version, ModelSchemas schemas) {
        JsonNode names = spec.path("names");
        String kind = names.path("kind").asText();
        String group = spec.path("group").asText();
        String plural = names.path("plural").asText();
        JsonNode subresources = version.path("subresources");
        Set<String> served = new LinkedHashSet<>();
        subresources.fieldNames().forEachRemaining(served::add);
        return new ResourceType(
                group,
                version.path("name").asText(),
                kind,
                plural,
                names.path("singular").asText(kind.toLowerCase(Locale.ROOT)),
                BuiltinTypes.strings(names.path("shortNames")),
                BuiltinTypes.strings(names.path("categories")),
                spec.path("scope").asText().equals("Namespaced"),
                BuiltinTypes.ALL_VERBS,
                served,
                scale(subresources.get("scale")),
                columns(version.path("additionalPrinterColumns")),
                schema(version, schemas),
                true,
                group + "/" + plural,
                Map.of());
    }

    private static @Nullable ScalePaths scale(@Nullable JsonNode scale) {
        return scale == null
                ? null
                : ScalePaths.of(
                        scale.path("specReplicasPath").asText(),
                        scale.path("statusReplicasPath").asText(),
                        scale.path("labelSelectorPath").asText());
    }

    /** The schema of the definition, with the fields that every object has. */
    private static Schema schema(JsonNode version, ModelSchemas schemas) {
        JsonNode declared = Json.at(version, "schema", "openAPIV3Schema");
        ObjectNode root = declared instanceof ObjectNode object
                ? object.deepCopy()
                : Json.object().put("type", "object").put("x-kubernetes-preserve-unknown-fields", true);
        ObjectNode properties = Json.ensure(root, "properties");
        properties
                .putObject("apiVersion")
                .put("type", "string")
                .put("description", "Group and version of the schema that this object is written in.");
        properties.putObject("kind").put("type", "string").put("description", "The kind of this object.");
        schemas.of(ObjectMeta.class);
        properties.putObject("metadata").put("$ref", "#/definitions/" + ModelSchemas.nameOf(ObjectMeta.class));
        return Schema.of(root, schemas.definitions());
    }

    private static List<PrinterColumn> columns(JsonNode rows) {
        List<PrinterColumn> columns = new ArrayList<>();
        columns.add(new PrinterColumn("Name", "string", "name", "Name of the object", 0, ".metadata.name"));
        for (JsonNode row : rows) {
            columns.add(new PrinterColumn(
                    row.path("name").asText(),
                    row.path("type").asText(),
                    row.path("format").asText(""),
                    row.path("description").asText(""),
                    row.path("priority").asInt(0),
                    row.path("jsonPath").asText()));
        }
        if (rows.isEmpty()) {
            columns.add(new PrinterColumn(
                    "Age", "date", "", "Time since it was created", 0, ".metadata.creationTimestamp"));
        }
        return columns;
    }
}
