/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.ratchet.crds.ComputeCluster;
import dev.ratchet.crds.ComputeLayout;
import dev.ratchet.crds.ComputeWorker;
import dev.ratchet.crds.cluster.ComputeClusterSpec;
import dev.ratchet.crds.worker.ComputeWorkerStatus;
import dev.ratchet.crds.worker.ReportedWorkerState;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** What people write, what the model holds and what the schema says are the same. */
class ModelTest {
    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void aClusterWithEveryMemberSetSurvivesAReadAndAWrite() throws IOException {
        survives("computecluster.yaml", ComputeCluster.class);
    }

    @Test
    void aWorkerWithEveryMemberSetSurvivesAReadAndAWrite() throws IOException {
        survives("computeworker.yaml", ComputeWorker.class);
    }

    @Test
    void aLayoutWithEveryMemberSetSurvivesAReadAndAWrite() throws IOException {
        survives("computelayout.yaml", ComputeLayout.class);
    }

    private static void survives(String file, Class<? extends CustomResource<?, ?>> resource) throws IOException {
        JsonNode written = YAML.readTree(ModelTest.class.getResourceAsStream(file));
        CustomResource<?, ?> read = Serialization.unmarshal(JSON.writeValueAsString(written), resource);
        JsonNode again = JSON.readTree(Serialization.asJson(read));
        assertThat(again.path("spec")).isEqualTo(written.path("spec"));
        assertThat(again.path("status")).isEqualTo(written.path("status"));
        JsonNode schema = DefinitionGenerator.definition(resource).at("/spec/versions/0/schema/openAPIV3Schema");
        assertThat(unset(schema.at("/properties/spec"), written.path("spec"), "spec"))
                .isEmpty();
        assertThat(unset(schema.at("/properties/status"), written.path("status"), "status"))
                .isEmpty();
    }

    /** Members of the schema that the file leaves out; those of which one excludes the other are not counted. */
    private static String unset(JsonNode schema, JsonNode object, String path) {
        StringBuilder missing = new StringBuilder();
        schema.path("properties").properties().forEach(property -> {
            String inner = path + "." + property.getKey();
            JsonNode value = object.path(property.getKey());
            if (value.isMissingNode()) {
                missing.append(inner).append(' ');
            } else if (value.isArray()) {
                missing.append(unset(property.getValue().path("items"), value.path(0), inner + "[]"));
            } else if (!inner.endsWith("podTemplate")) {
                missing.append(unset(property.getValue(), value, inner));
            }
        });
        return missing.toString();
    }

    @Test
    void theDefaultsOfTheSchemaAreTheInitialValuesOfTheModel() {
        JsonNode schema = DefinitionGenerator.definition(ComputeCluster.class)
                .at("/spec/versions/0/schema/openAPIV3Schema/properties/spec");
        ObjectNode defaulted = JSON.createObjectNode();
        applyDefaults(schema, defaulted);
        ObjectNode initial = JSON.valueToTree(new ComputeClusterSpec());
        initial.remove("store");
        JsonNode written = JSON.valueToTree(JSON.convertValue(defaulted, ComputeClusterSpec.class));
        ((ObjectNode) written).remove("store");
        assertThat(written).isEqualTo(initial);
    }

    private static void applyDefaults(JsonNode schema, ObjectNode object) {
        schema.path("properties").properties().forEach(property -> {
            String name = property.getKey();
            if (!object.has(name) && property.getValue().has("default")) {
                object.set(name, property.getValue().path("default").deepCopy());
            }
            if (object.path(name).isObject()) {
                applyDefaults(property.getValue(), (ObjectNode) object.path(name));
            }
        });
    }

    @Test
    void whatANewerReleaseAddsIsSkippedByThisOne() {
        ComputeWorkerStatus status =
                Serialization.unmarshal("{\"state\": \"Levitating\", \"altitude\": 3}", ComputeWorkerStatus.class);
        assertThat(status.state).isEqualTo(ReportedWorkerState.UNKNOWN);
    }

    @Test
    void partsAreEqualWhenTheirContentIs() {
        ComputeClusterSpec one = new ComputeClusterSpec();
        ComputeClusterSpec other = new ComputeClusterSpec();
        assertThat(one).isEqualTo(other).hasSameHashCodeAs(other);
        other.workers.replicas = 7;
        assertThat(one).isNotEqualTo(other);
        assertThat(other).hasToString(other.toString()).asString().contains("\"replicas\":7");
    }
}
