/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.conformance;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A definition and what a server says of it.
 *
 * @param schema of {@code spec}
 * @param says pieces of the message that refuses it; none where it is taken
 */
record DefinitionCase(String name, JsonNode schema, List<String> says) {
    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

    static List<DefinitionCase> all() {
        try {
            JsonNode cases = YAML.readTree(DefinitionCase.class.getResourceAsStream("definitions.yaml"));
            return YAML.convertValue(cases, new TypeReference<List<Written>>() {}).stream()
                    .map(Written::complete)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private record Written(
            String name, JsonNode schema, @Nullable List<String> says) {
        DefinitionCase complete() {
            return new DefinitionCase(name, schema, says == null ? List.of() : says);
        }
    }

    /** The whole definition. */
    String definition() {
        return """
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: tries.conformance.ratchet.dev}
                spec:
                  group: conformance.ratchet.dev
                  scope: Namespaced
                  names: {kind: Try, plural: tries, singular: try}
                  versions:
                    - name: v1
                      served: true
                      storage: true
                      schema: {openAPIV3Schema: {type: object, properties: {spec: %s}}}
                """.formatted(schema);
    }
}
