/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PodTemplateSchemaTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final JsonNode TEMPLATE = PodTemplateSchema.schema();

    @Test
    void everyMemberIsOneThatKubernetesKnows() {
        assertThat(known(PodTemplateSpec.class)).containsAll(members("/properties"));
        assertThat(known(PodSpec.class)).containsAll(members("/properties/spec/properties"));
        for (String containers : List.of("containers", "initContainers")) {
            assertThat(known(Container.class))
                    .containsAll(members("/properties/spec/properties/" + containers + "/items/properties"));
        }
    }

    @Test
    void whatPeopleOverrideMostIsThere() {
        assertThat(members("/properties/spec/properties"))
                .contains("affinity", "tolerations", "volumes", "topologySpreadConstraints", "securityContext");
        assertThat(members("/properties/spec/properties/containers/items/properties"))
                .contains("env", "resources", "volumeMounts", "securityContext");
    }

    @Test
    void twoTemplatesFitIntoTheDefinition() {
        assertThat(TEMPLATE.toString()).hasSizeLessThan(16_384);
    }

    private static List<String> members(String pointer) {
        List<String> names = new ArrayList<>();
        TEMPLATE.at(pointer).fieldNames().forEachRemaining(names::add);
        return names;
    }

    private static List<String> known(Class<?> type) {
        return JSON.getSerializationConfig().introspect(JSON.constructType(type)).findProperties().stream()
                .map(property -> property.getName())
                .toList();
    }
}
