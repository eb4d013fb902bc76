/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.registry;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ratchet.local.apiserver.model.Metadata;
import dev.ratchet.local.apiserver.model.PrinterColumn;
import dev.ratchet.local.apiserver.model.RequestBody;
import dev.ratchet.local.apiserver.model.ResourceType;
import dev.ratchet.local.apiserver.schema.ModelSchemas;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Reads the table of built-in kinds. */
final class BuiltinTypes {

    static final Set<String> ALL_VERBS = new LinkedHashSet<>(
            List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"));

    private BuiltinTypes() {}

    /** All kinds of {@code builtin-resources.yaml}; their schemas are defined in {@code schemas}. */
    static List<ResourceType> load(ModelSchemas schemas) {
        try (InputStream in = BuiltinTypes.class.getResourceAsStream("builtin-resources.yaml")) {
            if (in == null) {
                throw new IllegalStateException("builtin-resources.yaml is missing from the class path");
            }
            List<ResourceType> types = new ArrayList<>();
            for (JsonNode row : RequestBody.parse(in.readAllBytes())) {
                types.add(type(row, schemas));
            }
            return types;
        } catch (IOException e) {
            throw new UncheckedIOException("builtin-resources.yaml can not be read", e);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("builtin-resources.yaml names a model class that does not exist", e);
        }
    }

    private static ResourceType type(JsonNode row, ModelSchemas schemas) throws ClassNotFoundException {
        Class<?> model = Class.forName(
                "io.fabric8.kubernetes.api.model." + row.path("model").asText());
        String group = row.path("group").asText();
        String plural = row.path("plural").asText();
        String kind = row.path("kind").asText();
        Set<String> verbs = new LinkedHashSet<>(strings(row.path("verbs")));
        return new ResourceType(
                group,
                row.path("version").asText(),
                kind,
                plural,
                kind.toLowerCase(Locale.ROOT),
                strings(row.path("short")),
                strings(row.path("categories")),
                !row.path("cluster").asBoolean(false),
                verbs.isEmpty() ? ALL_VERBS : verbs,
                new LinkedHashSet<>(strings(row.path("subresources"))),
                null,
                columns(row.path("columns")),
                schemas.of(model),
                false,
                row.path("storage").asText(group + "/" + plural),
                row.has("renames") ? Metadata.strings(row.get("renames")) : Map.of());
    }

    private static List<PrinterColumn> columns(JsonNode rows) {
        List<PrinterColumn> columns = new ArrayList<>();
        for (JsonNode row : rows) {
            String name = row.path(0).asText();
            columns.add(new PrinterColumn(
                    name,
                    row.path(1).asText(),
                    name.equals("Name") ? "name" : "",
                    name,
                    row.path(3).asInt(0),
                    row.path(2).asText()));
        }
        return columns;
    }

    static List<String> strings(JsonNode array) {
        List<String> found = new ArrayList<>();
        array.forEach(item -> found.add(item.asText()));
        return found;
    }
}
