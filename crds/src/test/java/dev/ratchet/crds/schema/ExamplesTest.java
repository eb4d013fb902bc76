/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.ratchet.crds.Names;
import io.fabric8.kubernetes.client.CustomResource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The resources in the examples say nothing that the definitions do not know, and all that they require. */
class ExamplesTest {
    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
    private static final Path EXAMPLES =
            Path.of("").toAbsolutePath().getParent().resolve("examples");

    @Test
    void everyResourceOfOursIsWhatItsDefinitionTakes() throws IOException {
        List<String> problems = new ArrayList<>();
        int resources = 0;
        for (Path file : manifests()) {
            try (var documents = YAML.readerFor(JsonNode.class).<JsonNode>readValues(file.toFile())) {
                while (documents.hasNext()) {
                    JsonNode document = documents.next();
                    if (document.path("apiVersion").asText().startsWith(Names.GROUP + "/")) {
                        resources++;
                        check(schema(document), document, file.getFileName() + ":", problems);
                    }
                }
            }
        }
        assertThat(problems).isEmpty();
        assertThat(resources).isPositive();
    }

    private static List<Path> manifests() throws IOException {
        try (Stream<Path> files = Files.walk(EXAMPLES)) {
            return files.filter(file -> file.toString().endsWith(".yaml"))
                    .filter(file -> !EXAMPLES.relativize(file).toString().contains("target/"))
                    .toList();
        }
    }

    private static JsonNode schema(JsonNode document) {
        Class<? extends CustomResource<?, ?>> resource = GeneratedFiles.RESOURCES.stream()
                .filter(known ->
                        known.getSimpleName().equals(document.path("kind").asText()))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no resource is a " + document.path("kind")));
        return DefinitionGenerator.definition(resource).at("/spec/versions/0/schema/openAPIV3Schema");
    }

    private static void check(JsonNode schema, JsonNode value, String path, List<String> problems) {
        schema.path("required").forEach(name -> {
            if (!value.has(name.asText())) {
                problems.add(path + " needs " + name.asText());
            }
        });
        if (schema.has("enum") && !contains(schema.path("enum"), value)) {
            problems.add(path + " is not one of " + schema.path("enum"));
        }
        if (schema.has("pattern")
                && !value.asText().matches(schema.path("pattern").asText())) {
            problems.add(path + " does not match " + schema.path("pattern"));
        }
        value.properties().forEach(member -> {
            JsonNode inner = schema.path("properties").path(member.getKey());
            JsonNode values = inner.isMissingNode() ? schema.path("additionalProperties") : inner;
            boolean open = schema.path("x-kubernetes-preserve-unknown-fields").asBoolean();
            if (!values.isMissingNode()) {
                check(values, member.getValue(), path + "." + member.getKey(), problems);
            } else if (!open && !isOfEveryObject(path, member.getKey())) {
                problems.add(path + " does not know " + member.getKey());
            }
        });
        if (value.isArray()) {
            value.forEach(item -> check(schema.path("items"), item, path + "[]", problems));
        }
    }

    private static boolean isOfEveryObject(String path, String name) {
        return path.endsWith(":") && List.of("apiVersion", "kind", "metadata").contains(name);
    }

    private static boolean contains(JsonNode options, JsonNode value) {
        for (JsonNode option : options) {
            if (option.equals(value)) {
                return true;
            }
        }
        return false;
    }
}
