/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.chart;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.ratchet.crds.Definitions;
import dev.ratchet.crds.Names;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The definitions that the chart installs are those of the model, without what an older API server does not know. */
class ChartDefinitionsTest {
    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
    private static final String RULES = "x-kubernetes-validations";

    @Test
    void theyAreThoseOfTheModel() throws IOException {
        Map<String, JsonNode> rendered = definitions("1.25.0", "{}");
        assertThat(rendered).containsOnlyKeys(Definitions.NAMES);
        for (String name : Definitions.NAMES) {
            assertThat(rendered.get(name).path("spec"))
                    .isEqualTo(YAML.readTree(Definitions.yaml(name)).path("spec"));
        }
    }

    @Test
    void theyStayWhenTheReleaseIsUninstalled() throws IOException {
        assertThat(definitions("1.30.0", "{}").values()).allSatisfy(definition -> {
            JsonNode annotations = definition.at("/metadata/annotations");
            assertThat(annotations.path("helm.sh/resource-policy").asText()).isEqualTo("keep");
            assertThat(annotations.path("ratchet.dev/schema").asText()).isEqualTo(Integer.toString(Names.SCHEMA));
        });
    }

    @Test
    void rulesAreLeftOutBeforeKubernetesKnowsThemAndNothingElseIs() throws IOException {
        Map<String, JsonNode> old = definitions("1.24.17", "{}");
        for (String name : Definitions.NAMES) {
            JsonNode wanted = YAML.readTree(Definitions.yaml(name));
            assertThat(wanted.toString()).contains(RULES);
            assertThat(old.get(name).toString()).doesNotContain(RULES);
            assertThat(old.get(name).path("spec"))
                    .isEqualTo(withoutRules(wanted).path("spec"));
        }
    }

    @Test
    void vendorsSuffixesOfAVersionDoNotMatter() throws IOException {
        assertThat(definitions("v1.25.4-gke.100", "{}").toString()).contains(RULES);
        assertThat(definitions("v1.24.4+k3s1", "{}").toString()).doesNotContain(RULES);
    }

    @Test
    void theSwitchLeavesThemOut() throws IOException {
        assertThat(definitions("1.30.0", "{crds: {enabled: false}}")).isEmpty();
    }

    private static JsonNode withoutRules(JsonNode node) {
        if (node instanceof ObjectNode object) {
            object.remove(RULES);
        }
        node.forEach(ChartDefinitionsTest::withoutRules);
        return node;
    }

    private static Map<String, JsonNode> definitions(String kubernetes, String values) throws IOException {
        Map<String, JsonNode> definitions = new TreeMap<>();
        try (var documents =
                YAML.readerFor(JsonNode.class).<JsonNode>readValues(Chart.text(Chart.RELEASE, kubernetes, values))) {
            while (documents.hasNext()) {
                JsonNode document = documents.next();
                if (document.path("kind").asText().equals("CustomResourceDefinition")) {
                    definitions.put(document.at("/metadata/name").asText(), document);
                }
            }
        }
        return definitions;
    }
}
