/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.CustomResource;
import java.lang.reflect.ParameterizedType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What holds for every member of every definition. */
class SchemaTest {
    /** What follows the words up to a blank, without a mark at its end. */
    private static final Pattern EXAMPLE = Pattern.compile("such as (\\S+?)[,;:.]?(?=\\s|$)");

    private static final Pattern ALTERNATIVES = Pattern.compile("\\^\\(([A-Za-z|]+)\\)\\$");

    @Test
    void everyFieldOfASpecSaysWhatAChangeCosts() {
        List<String> silent = new ArrayList<>();
        for (Class<? extends CustomResource<?, ?>> resource : GeneratedFiles.RESOURCES) {
            var spec = ((ParameterizedType) resource.getGenericSuperclass()).getActualTypeArguments()[0];
            collectSilent((Class<?>) spec, null, resource.getSimpleName(), silent);
        }
        assertThat(silent)
                .as("add @OnChange to the field or to what is around it")
                .isEmpty();
    }

    private static void collectSilent(Class<?> part, @Nullable ChangeImpact around, String path, List<String> silent) {
        for (ModelField field : ModelField.of(part, around)) {
            if (field.isPart()) {
                collectSilent(field.type(), field.change(), path + "." + field.name(), silent);
            } else if (field.change() == null) {
                silent.add(path + "." + field.name());
            }
        }
    }

    @Test
    void everyTextWithAPatternShowsAnExampleThatFitsIt() {
        List<String> without = new ArrayList<>();
        walkAll((path, schema) -> {
            schema.path("properties").properties().forEach(field -> {
                JsonNode items = field.getValue().path("additionalProperties");
                JsonNode text = items.has("pattern") ? items : field.getValue();
                String description = field.getValue().path("description").asText();
                if (text.has("pattern")
                        && !showsExample(description, text.get("pattern").asText())) {
                    without.add(path + "." + field.getKey() + ": " + description);
                }
            });
        });
        assertThat(without).as("say 'such as VALUE' in the description").isEmpty();
    }

    private static boolean showsExample(String description, String pattern) {
        Matcher alternatives = ALTERNATIVES.matcher(pattern);
        if (alternatives.matches()) {
            return Stream.of(alternatives.group(1).split("\\|")).allMatch(description::contains);
        }
        return EXAMPLE.matcher(description).results().anyMatch(example -> example.group(1)
                .matches(pattern));
    }

    @Test
    void everyListMapAndTextHasALimit() {
        List<String> unlimited = new ArrayList<>();
        walkAll((path, schema) -> {
            String type = schema.path("type").asText();
            boolean limited =
                    switch (type) {
                        case "array" -> schema.has("maxItems") && schema.has("x-kubernetes-list-type");
                        case "string" -> schema.has("maxLength") || schema.has("enum") || schema.has("format");
                        case "object" -> !schema.has("additionalProperties") || schema.has("maxProperties");
                        case "integer" -> schema.has("format");
                        default -> true;
                    };
            if (!limited) {
                unlimited.add(path);
            }
        });
        assertThat(unlimited).isEmpty();
    }

    @Test
    void everyMemberIsDescribed() {
        List<String> silent = new ArrayList<>();
        walkAll((path, schema) -> {
            if (!path.endsWith("[]") && !path.endsWith("{}") && !schema.has("description")) {
                silent.add(path);
            }
        });
        assertThat(silent).isEmpty();
    }

    @Test
    void theKeyOfAListIsRequiredInItsItems() {
        walkAll((path, schema) -> {
            for (JsonNode key : schema.path("x-kubernetes-list-map-keys")) {
                assertThat(schema.at("/items/required")).as(path).contains(key);
            }
        });
    }

    /** The server refuses a default that is not valid itself. */
    @Test
    void noObjectThatIsMadeByDefaultHasARequiredMember() {
        walkAll((path, schema) -> {
            if (schema.path("default").isObject()) {
                assertThat(schema.has("required")).as(path).isFalse();
            }
        });
    }

    private static void walkAll(BiConsumer<String, JsonNode> visit) {
        for (Class<? extends CustomResource<?, ?>> resource : GeneratedFiles.RESOURCES) {
            JsonNode root = DefinitionGenerator.definition(resource).at("/spec/versions/0/schema/openAPIV3Schema");
            walk(resource.getSimpleName(), root, visit);
        }
    }

    private static void walk(String path, JsonNode schema, BiConsumer<String, JsonNode> visit) {
        visit.accept(path, schema);
        schema.path("properties")
                .properties()
                .forEach(property -> walk(path + "." + property.getKey(), property.getValue(), visit));
        if (schema.has("items")) {
            walk(path + "[]", schema.path("items"), visit);
        }
        if (schema.path("additionalProperties").isObject()) {
            walk(path + "{}", schema.path("additionalProperties"), visit);
        }
    }
}
