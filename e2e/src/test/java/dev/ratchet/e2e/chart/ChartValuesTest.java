/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What may be set, what is refused, and that the README says all of it. */
class ChartValuesTest {
    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
    private static final String BEGIN = "<!-- values: generated from values.schema.json and values.yaml -->\n";
    private static final String END = "<!-- end of values -->\n";

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
                    {replicas: -1}                        | '/replicas': minimum: got -1, want 0
                    {replicas: two}                       | '/replicas': got string, want integer
                    {replica: 3}                          | additional properties 'replica' not allowed
                    {image: ratchet/operator}             | '/image': got string, want object
                    {image: {repository: ''}}             | '/image/repository'
                    {image: {pullPolicy: Sometimes}}      | '/image/pullPolicy': value must be one of
                    {image: {digest: 'sha256:12'}}        | '/image/digest'
                    {watch: {namespaces: team-a}}         | '/watch/namespaces': got string, want array
                    {watch: {namespaces: [Team_A]}}       | '/watch/namespaces/0'
                    {watch: {allNamespaces: true, namespaces: [a]}} | set one of them
                    {certificates: {days: 0}}             | '/certificates/days': minimum: got 0, want 1
                    {service: {port: 70000}}              | '/service/port': maximum
                    {podMonitor: {interval: often}}       | '/podMonitor/interval'
                    {resources: {limits: {memory: much}}} | '/resources/limits/memory'
                    {env: [{name: RATCHET_HTTP_PORT}]}    | '/env/0/name'
                    {podTemplates: {allow: [hostPath]}}   | '/podTemplates/allow/0': value must be one of
                    {log: {format: xml}}                  | '/log/format': value must be one of
                    {extraVolumes: [{name: temp}]}        | '/extraVolumes/0/name'
                    {networkPolicy: {egress: {apiServerPorts: []}}} | '/networkPolicy/egress/apiServerPorts'
                    {podMonitor: {enabled: true}, serviceMonitor: {enabled: true}} | scrape the operator twice
                    {crds: {enabled: 'yes'}}              | '/crds/enabled': got string, want boolean
                    """)
    void aValueThatCanNotWorkIsRefusedByName(String values, String message) {
        assertThatThrownBy(() -> Chart.render("1.30.0", values)).hasMessageContaining(message);
    }

    @Test
    void aKubernetesOlderThanTheChartKnowsIsRefused() {
        assertThatThrownBy(() -> Chart.render("1.19.16", "{}"))
                .hasMessageContaining("requires kubeVersion: >=1.20.0-0");
    }

    @Test
    void everyDefaultIsDescribedByTheSchema() throws IOException {
        JsonNode schema = YAML.readTree(Chart.read("helm/ratchet/values.schema.json"));
        JsonNode values = YAML.readTree(Chart.read("helm/ratchet/values.yaml"));
        StringBuilder missing = new StringBuilder();
        walk(schema, values, "", (path, node, value) -> {
            if (node.isMissingNode() || value.isMissingNode()) {
                missing.append(path).append(' ');
            }
        });
        assertThat(missing)
                .as("in one of values.yaml and values.schema.json only")
                .isEmpty();
    }

    @Test
    void theReadmeListsEveryValue() throws IOException {
        Path readme = Chart.FOLDER.resolve("README.md");
        String text = Files.readString(readme);
        int begin = text.indexOf(BEGIN) + BEGIN.length();
        int end = text.indexOf(END);
        assertThat(end).as("the README has the marks of the table").isGreaterThanOrEqualTo(begin);
        String wanted = text.substring(0, begin) + table() + text.substring(end);
        if (Boolean.getBoolean("ratchet.chart.write")) {
            Files.writeString(readme, wanted);
        }
        assertThat(Files.readString(readme))
                .as("write it by: ./mvnw -pl e2e test -Dtest=ChartValuesTest -Dratchet.chart.write=true")
                .isEqualTo(wanted);
    }

    private static String table() throws IOException {
        StringBuilder table = new StringBuilder("| value | default | meaning |\n|---|---|---|\n");
        JsonNode schema = YAML.readTree(Chart.read("helm/ratchet/values.schema.json"));
        JsonNode values = YAML.readTree(Chart.read("helm/ratchet/values.yaml"));
        walk(schema, values, "", (path, node, value) -> table.append("| `")
                .append(path)
                .append("` | `")
                .append(value)
                .append("` | ")
                .append(node.path("description").asText())
                .append(" |\n"));
        return table.toString();
    }

    private interface Visitor {
        void visit(String path, JsonNode schema, JsonNode value);
    }

    /** Visits what can be set: down to where the schema names no more members. */
    private static void walk(JsonNode schema, JsonNode values, String path, Visitor visitor) {
        schema.path("properties").properties().forEach(property -> {
            String name = property.getKey();
            String inner = path.isEmpty() ? name : path + "." + name;
            JsonNode node = property.getValue();
            if (node.has("properties") && !inner.equals("resources")) {
                walk(node, values.path(name), inner, visitor);
            } else {
                visitor.visit(inner, node, values.path(name));
            }
        });
        values.properties().forEach(value -> {
            if (schema.path("properties").path(value.getKey()).isMissingNode()) {
                visitor.visit(
                        path + "." + value.getKey(), schema.path("properties").path(value.getKey()), value.getValue());
            }
        });
    }
}
