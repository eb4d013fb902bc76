/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.schema;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import dev.ratchet.crds.Names;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.crdv2.generator.CRDGenerator;
import io.fabric8.kubernetes.client.CustomResource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Locale;

/** Makes the CustomResourceDefinition of one resource from its class. The same class gives the same bytes. */
final class DefinitionGenerator {
    static final String HEADER =
            "# Generated from the package dev.ratchet.crds by: ./mvnw -pl crds test -Dratchet.crds.write=true\n";

    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory()
            .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
            .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
            .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
            .disable(YAMLGenerator.Feature.SPLIT_LINES));

    private DefinitionGenerator() {}

    static String fileName(Class<? extends CustomResource<?, ?>> resource) {
        return plural(resource) + "." + Names.GROUP + ".yaml";
    }

    static String yaml(Class<? extends CustomResource<?, ?>> resource) {
        try {
            return HEADER + YAML.writeValueAsString(definition(resource));
        } catch (IOException problem) {
            throw new UncheckedIOException(problem);
        }
    }

    static ObjectNode definition(Class<? extends CustomResource<?, ?>> resource) {
        ObjectNode definition = generated(resource);
        ((ObjectNode) definition.required("metadata"))
                .putObject("annotations")
                .put(Names.SCHEMA_ANNOTATION, Integer.toString(Names.SCHEMA));
        ObjectNode version = (ObjectNode) definition.at("/spec/versions/0");
        version.set("additionalPrinterColumns", columns(resource));
        ObjectNode root = (ObjectNode) version.at("/schema/openAPIV3Schema");
        root.put("description", description(resource));
        root.putArray("required").add("spec");
        Type[] parts = ((ParameterizedType) resource.getGenericSuperclass()).getActualTypeArguments();
        finish(root, "spec", (Class<?>) parts[0]);
        finish(root, "status", (Class<?>) parts[1]);
        return definition;
    }

    private static ObjectNode generated(Class<? extends CustomResource<?, ?>> resource) {
        Memory memory = new Memory();
        new CRDGenerator()
                .customResourceClasses(resource)
                .forCRDVersions("v1")
                .withOutput(memory)
                .generate();
        try {
            return (ObjectNode) YAML.readTree(memory.bytes.toByteArray());
        } catch (IOException problem) {
            throw new UncheckedIOException(problem);
        }
    }

    /** Keeps what the generator writes; one definition only. */
    private static final class Memory implements CRDGenerator.CRDOutput<ByteArrayOutputStream> {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        @Override
        public ByteArrayOutputStream outputFor(String name) {
            return bytes;
        }

        @Override
        public void close() {}
    }

    private static void finish(ObjectNode root, String name, Class<?> part) {
        ObjectNode schema = (ObjectNode) root.required("properties").required(name);
        SchemaFinisher.finish(schema, part, name, null);
        schema.put("description", description(part));
    }

    private static String description(Class<?> type) {
        JsonClassDescription text = type.getAnnotation(JsonClassDescription.class);
        if (text == null) {
            throw new IllegalStateException(type + " has no description: add @JsonClassDescription");
        }
        return text.value();
    }

    /** In the order of their declaration, which is the order of the columns that people see. */
    private static ArrayNode columns(Class<?> resource) {
        ArrayNode columns = YAML.createArrayNode();
        for (AdditionalPrinterColumn column : resource.getAnnotationsByType(AdditionalPrinterColumn.class)) {
            ObjectNode node = columns.addObject()
                    .put("name", column.name())
                    .put("type", column.type().name().toLowerCase(Locale.ROOT))
                    .put("jsonPath", column.jsonPath());
            if (column.priority() > 0) {
                node.put("priority", column.priority());
            }
        }
        return columns;
    }

    private static String plural(Class<?> resource) {
        return resource.getSimpleName().toLowerCase(Locale.ROOT) + "s";
    }
}
