/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.schema;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.client.CustomResource;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.ParameterizedType;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** The page docs/custom-resources.md: an introduction, then a table of the fields of each resource. */
final class Reference {
    private Reference() {}

    static String markdown() {
        StringBuilder page = new StringBuilder(introduction());
        for (Class<? extends CustomResource<?, ?>> resource : GeneratedFiles.RESOURCES) {
            page.append("\n## ").append(resource.getSimpleName()).append('\n');
            var parts = ((ParameterizedType) resource.getGenericSuperclass()).getActualTypeArguments();
            JsonNode schema =
                    DefinitionGenerator.definition(resource).at("/spec/versions/0/schema/openAPIV3Schema/properties");
            page.append("\n### Spec\n\n| field | values | default | a change | meaning |\n|---|---|---|---|---|\n");
            rows(page, (Class<?>) parts[0], schema.path("spec"), "", null, true);
            page.append("\n### Status\n\n| field | values | meaning |\n|---|---|---|\n");
            rows(page, (Class<?>) parts[1], schema.path("status"), "", null, false);
            page.append("\n### Rules\n\n");
            rules(page, DefinitionGenerator.definition(resource).at("/spec/versions/0/schema/openAPIV3Schema"), "");
        }
        return page.toString();
    }

    private static String introduction() {
        try (InputStream text = Reference.class.getResourceAsStream("introduction.md")) {
            return new String(java.util.Objects.requireNonNull(text).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException problem) {
            throw new UncheckedIOException(problem);
        }
    }

    private static void rows(
            StringBuilder page,
            Class<?> part,
            JsonNode schema,
            String prefix,
            @Nullable ChangeImpact around,
            boolean spec) {
        for (ModelField field : ModelField.of(part, around)) {
            JsonNode node = schema.path("properties").path(field.name());
            String path = prefix + field.name() + (field.isList() ? "[]" : "");
            page.append("| `")
                    .append(path)
                    .append("` | ")
                    .append(values(field, node))
                    .append(" | ");
            if (spec) {
                page.append(field.required() ? "required" : initial(node)).append(" | ");
                boolean group = field.isPart() && !field.isList();
                page.append(group || field.change() == null ? "" : title(field.change()))
                        .append(" | ");
            }
            page.append(escape(field.description())).append(" |\n");
            if (field.isPart()) {
                rows(page, field.type(), field.isList() ? node.path("items") : node, path + ".", field.change(), spec);
            }
        }
    }

    private static String initial(JsonNode node) {
        JsonNode value = node.path("default");
        return value.isMissingNode() || value.isObject() ? "" : "`" + value.asText() + "`";
    }

    private static String values(ModelField field, JsonNode node) {
        JsonNode scalar = field.isMap() ? node.path("additionalProperties") : node;
        String count = field.isList()
                ? ", at most " + node.path("maxItems")
                : field.isMap() ? ", at most " + node.path("maxProperties") : "";
        if (field.type() == PodTemplateSpec.class) {
            return "pod template";
        }
        if (field.type() == Condition.class) {
            return "conditions" + count;
        }
        if (field.isPart()) {
            return (field.isList() ? "list" : "object") + count;
        }
        if (scalar.has("enum")) {
            return StreamSupport.stream(scalar.path("enum").spliterator(), false)
                    .map(value -> "`" + value.asText() + "`")
                    .collect(Collectors.joining(", "));
        }
        if (scalar.path("x-kubernetes-int-or-string").asBoolean()) {
            return (field.isMap() ? "map of quantities" : "quantity") + count;
        }
        if (scalar.has("minimum") && scalar.has("maximum")) {
            return scalar.path("minimum").asText() + " to "
                    + scalar.path("maximum").asText();
        }
        if (scalar.has("minimum")) {
            return "at least " + scalar.path("minimum").asText();
        }
        return scalar.path("type").asText() + (scalar.has("maxLength") ? ", at most " + scalar.path("maxLength") : "");
    }

    private static void rules(StringBuilder page, JsonNode schema, String path) {
        for (JsonNode rule : schema.path("x-kubernetes-validations")) {
            page.append("- ").append(path.isEmpty() ? "" : "`" + path + "`: ");
            page.append(escape(rule.path("message").asText())).append(".\n");
        }
        schema.path("properties")
                .properties()
                .forEach(property -> rules(
                        page,
                        property.getValue(),
                        path.isEmpty() ? property.getKey() : path + "." + property.getKey()));
        if (schema.has("items")) {
            rules(page, schema.path("items"), path + "[]");
        }
    }

    private static String title(ChangeImpact change) {
        return change.name().charAt(0) + change.name().substring(1).toLowerCase(Locale.ROOT);
    }

    private static String escape(String text) {
        return text.replace("|", "\\|").replace("<", "&lt;");
    }
}
