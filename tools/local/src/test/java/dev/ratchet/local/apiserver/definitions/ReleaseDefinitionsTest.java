/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.definitions;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.ratchet.crds.Definitions;
import dev.ratchet.local.apiserver.json.FieldError;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The definitions of this release are ones that a server of Kubernetes takes. */
class ReleaseDefinitionsTest {
    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

    static final List<String> NAMES = Definitions.NAMES;

    @ParameterizedTest
    @FieldSource("NAMES")
    void aServerTakesThem(String name) throws IOException {
        assertThat(problems(schema(name))).isEmpty();
    }

    @Test
    void whatServersHaveRefusedIsRefusedHere() throws IOException {
        ObjectNode workers = schema("computeworkers.ratchet.dev");
        rule(workers, "self.metadata.name == self.spec.pool + '-' + string(self.spec.ordinal)");
        assertThat(problems(workers)).anyMatch(text -> text.contains("exceeds budget by factor of more than 100x"));

        ObjectNode layouts = schema("computelayouts.ratchet.dev");
        rule(layouts, "self.spec.epohc > 0");
        assertThat(problems(layouts)).anyMatch(text -> text.contains("undefined field 'epohc'"));

        ObjectNode clusters = schema("computeclusters.ratchet.dev");
        String sharding = "/properties/spec/properties/layout/properties/sharding";
        ((ObjectNode) clusters.at(sharding)).putObject("default");
        assertThat(problems(clusters))
                .anyMatch(text -> text.contains("properties[sharding].default") && text.contains("no such key: type"));
    }

    private static void rule(ObjectNode schema, String rule) {
        ((ObjectNode) schema.at("/x-kubernetes-validations/0")).put("rule", rule);
    }

    private static ObjectNode schema(String name) throws IOException {
        JsonNode definition = YAML.readTree(Definitions.yaml(name));
        return (ObjectNode) definition.at("/spec/versions/0/schema/openAPIV3Schema");
    }

    private static List<String> problems(ObjectNode schema) {
        List<FieldError> errors = new ArrayList<>();
        DefinitionSchema.check(schema, "schema", errors);
        return errors.stream().map(FieldError::message).toList();
    }
}
