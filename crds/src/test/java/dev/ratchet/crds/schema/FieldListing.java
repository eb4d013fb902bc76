/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.schema;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ratchet.crds.Names;
import io.fabric8.kubernetes.client.CustomResource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;

/**
 * Every field of the definitions with its type, as a listing that is kept with the number of the schema: a field that
 * goes or changes its type under the same number would meet an operator that takes the definition for its own.
 *
 * @param schema the number that the fields were recorded with
 * @param fields lines of path and type, sorted
 */
record FieldListing(int schema, List<String> fields) {

    static final Path FILE = Path.of("src/test/resources/fields-of-schema.txt");

    private static final String TITLE = "schema ";

    FieldListing {
        fields = List.copyOf(fields);
    }

    static FieldListing ofModel() {
        TreeSet<String> fields = new TreeSet<>();
        for (Class<? extends CustomResource<?, ?>> resource : GeneratedFiles.RESOURCES) {
            JsonNode root = DefinitionGenerator.definition(resource).at("/spec/versions/0/schema/openAPIV3Schema");
            add(resource.getSimpleName(), root, fields);
        }
        return new FieldListing(Names.SCHEMA, List.copyOf(fields));
    }

    static FieldListing recorded() throws IOException {
        List<String> lines = Files.readAllLines(FILE);
        return new FieldListing(
                Integer.parseInt(lines.get(0).substring(TITLE.length())), lines.subList(1, lines.size()));
    }

    void write() throws IOException {
        Files.writeString(FILE, TITLE + schema + "\n" + String.join("\n", fields) + "\n");
    }

    /** Fields of this listing that another one lacks, or has with another type. */
    List<String> without(FieldListing other) {
        return fields.stream().filter(field -> !other.fields.contains(field)).toList();
    }

    private static void add(String path, JsonNode schema, TreeSet<String> fields) {
        fields.add(path + " " + schema.path("type").asText("any"));
        schema.path("properties")
                .properties()
                .forEach(field -> add(path + "." + field.getKey(), field.getValue(), fields));
        if (schema.path("items").isObject()) {
            add(path + "[]", schema.path("items"), fields);
        }
        if (schema.path("additionalProperties").isObject()) {
            add(path + "{}", schema.path("additionalProperties"), fields);
        }
    }
}
