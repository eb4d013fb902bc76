/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.chart;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ratchet.e2e.chart.Chart.Rendered;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Service;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Monitors, alerts and dashboards. That their queries answer is tested where figures are: by the end-to-end suite. */
class ChartMonitoringTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    static List<Path> dashboards() throws IOException {
        try (Stream<Path> files = Files.list(Chart.FOLDER.resolve("files/dashboards"))) {
            return files.sorted().toList();
        }
    }

    @Test
    void nothingOfItIsMadeUnlessAskedFor() {
        Rendered rendered = Chart.render("1.30.0", "{}");
        assertThat(rendered.all(GenericKubernetesResource.class)).isEmpty();
        assertThat(rendered.all(ConfigMap.class)).isEmpty();
    }

    @Test
    void aServiceMonitorSelectsTheServiceOfTheOperator() {
        Rendered rendered = Chart.render("1.30.0", "{serviceMonitor: {enabled: true, labels: {release: prometheus}}}");
        GenericKubernetesResource monitor = only(rendered, "ServiceMonitor");
        assertThat(monitor.getMetadata().getLabels()).containsEntry("release", "prometheus");
        Service service = rendered.only(Service.class);
        JsonNode spec = spec(monitor);
        spec.at("/selector/matchLabels").properties().forEach(label -> assertThat(
                        service.getMetadata().getLabels())
                .containsEntry(label.getKey(), label.getValue().asText()));
        assertThat(service.getSpec().getPorts()).anyMatch(port -> port.getName()
                .equals(spec.at("/endpoints/0/port").asText()));
        assertThat(spec.at("/endpoints/0/path").asText()).isEqualTo("/metrics");
    }

    @Test
    void podMonitorsSelectTheOperatorAndItsPods() {
        JsonNode operators = spec(only(Chart.render("1.30.0", "{podMonitor: {enabled: true}}"), "PodMonitor"));
        assertThat(operators.at("/selector/matchLabels").toString()).contains("\"operator\"");
        assertThat(operators.at("/podMetricsEndpoints/0/port").asText()).isEqualTo("http");

        JsonNode workers = spec(only(
                Chart.render("1.30.0", "{watch: {namespaces: [a, b]}, workers: {podMonitor: {enabled: true}}}"),
                "PodMonitor"));
        assertThat(workers.at("/namespaceSelector/matchNames")).hasToString("[\"a\",\"b\"]");
        assertThat(workers.at("/selector/matchLabels")).hasToString("{\"app.kubernetes.io/name\":\"ratchet\"}");
        assertThat(workers.at("/podMetricsEndpoints/0/port").asText()).isEqualTo("health");

        JsonNode all = spec(only(
                Chart.render("1.30.0", "{watch: {allNamespaces: true}, workers: {podMonitor: {enabled: true}}}"),
                "PodMonitor"));
        assertThat(all.at("/namespaceSelector/any").asBoolean()).isTrue();
    }

    @Test
    void everyAlertSaysWhatIsWrongAndHowBadItIs() {
        JsonNode groups = spec(only(Chart.render("1.30.0", "{prometheusRule: {enabled: true}}"), "PrometheusRule"))
                .path("groups");
        Set<String> names = new HashSet<>();
        assertThat(groups.at("/0/rules")).isNotEmpty().allSatisfy(rule -> {
            assertThat(names.add(rule.path("alert").asText())).isTrue();
            assertThat(rule.path("expr").asText()).isNotEmpty();
            assertThat(rule.at("/labels/severity").asText()).isIn("critical", "warning", "info");
            assertThat(rule.at("/annotations/summary").asText()).endsWith(".");
            assertThat(rule.at("/annotations/description").asText()).endsWith(".");
        });
    }

    @ParameterizedTest
    @MethodSource("dashboards")
    void aDashboardHasWhatGrafanaNeeds(Path file) throws IOException {
        JsonNode dashboard = JSON.readTree(Files.readString(file));
        assertThat(file.getFileName()).hasToString(dashboard.path("uid").asText() + ".json");
        assertThat(dashboard.path("title").asText()).startsWith("Ratchet");
        assertThat(dashboard.path("schemaVersion").asInt()).isGreaterThanOrEqualTo(36);
        assertThat(dashboard.at("/time/from").asText()).isEqualTo("now-1h");
        Set<Integer> ids = new HashSet<>();
        Set<String> places = new HashSet<>();
        assertThat(dashboard.path("panels")).isNotEmpty().allSatisfy(panel -> {
            assertThat(ids.add(panel.path("id").asInt())).isTrue();
            assertThat(places.add(panel.path("gridPos").toString())).isTrue();
            assertThat(panel.path("type").asText()).isEqualTo("timeseries");
            assertThat(panel.path("title").asText()).isNotEmpty();
            assertThat(panel.at("/datasource/uid").asText()).isEqualTo("${datasource}");
            assertThat(panel.at("/fieldConfig/defaults/unit").asText()).isNotEmpty();
            assertThat(panel.path("targets")).isNotEmpty().allSatisfy(target -> {
                assertThat(target.path("refId").asText()).hasSize(1);
                assertThat(target.path("expr").asText()).contains("$namespace");
            });
        });
        assertThat(dashboard.at("/templating/list"))
                .extracting(variable -> variable.path("name").asText())
                .contains("datasource", "namespace");
    }

    @Test
    void theSidecarOfGrafanaFindsEveryDashboard() throws IOException {
        ConfigMap map = Chart.render("1.30.0", "{dashboards: {enabled: true}}").only(ConfigMap.class);
        assertThat(map.getMetadata().getLabels()).containsEntry("grafana_dashboard", "1");
        for (Path file : dashboards()) {
            assertThat(JSON.readTree(map.getData().get(file.getFileName().toString())))
                    .isEqualTo(JSON.readTree(Files.readString(file)));
        }
        assertThat(map.getData()).hasSameSizeAs(dashboards());
    }

    private static GenericKubernetesResource only(Rendered rendered, String kind) {
        List<GenericKubernetesResource> all = rendered.all(GenericKubernetesResource.class);
        assertThat(all).extracting(HasMetadata::getKind).containsExactly(kind);
        return all.getFirst();
    }

    private static JsonNode spec(GenericKubernetesResource resource) {
        return JSON.valueToTree(resource.getAdditionalProperties()).path("spec");
    }
}
