/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ratchet.client.Ratchet;
import dev.ratchet.e2e.environment.Prometheus;
import dev.ratchet.e2e.environment.TestEnvironment;
import io.fabric8.kubernetes.api.model.Pod;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Isolated;

/** The chart's dashboards and alerts ask for what operator, workers and stores really serve, and are answered. */
@Order(5)
@Isolated
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MonitoringSuite {
    private static final int HEALTH_PORT = 7402;

    /** There only after something failed, which this suite does not bring about. */
    private static final Set<String> OF_TROUBLE =
            Set.of("ratchet_store_errors_total", "reconciliations_failure_total", "reconciliations_retries_total");

    private static final String PROGRAM = """
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: seen-program, namespace: monitoring}
            data: {program.sql: "CREATE TABLE t (k INT NOT NULL); CREATE VIEW s AS SELECT k FROM t;"}
            """;
    private static final String CIRCUIT = """
          circuit:
            name: seen
            type: SQL
            sql: {configMapKeyRef: {name: seen-program, key: program.sql}}
        """;

    private final TestEnvironment environment = TestEnvironment.current();
    private Cluster cluster;

    @BeforeAll
    void runACluster() throws InterruptedException {
        cluster = Cluster.in(environment, "monitoring", "seen");
        environment.kubectl().apply(PROGRAM).succeeded();
        cluster.apply(2, CIRCUIT).awaitReady(2);
        try (Ratchet ratchet = cluster.connect()) {
            assertThat(ratchet.submit(Tasks.constant(7)).get()).isEqualTo(7);
        }
    }

    @AfterAll
    void deleteIt() {
        cluster.close();
    }

    @Test
    void everyFigureAndLabelOfAQueryIsServed() {
        // Some are there only once what they count has happened for the first time.
        await("every figure of a query to be served")
                .atMost(Cluster.TIMEOUT)
                .pollInterval(Duration.ofSeconds(1))
                .untilAsserted(this::assertThatEveryFigureIsServed);
    }

    private void assertThatEveryFigureIsServed() {
        Map<String, Set<String>> served = Queries.served(
                targets().keySet().stream().map(TestEnvironment::metrics).collect(Collectors.joining("\n")));
        assertThat(served).hasSizeGreaterThan(80);
        List<String> wrong = new ArrayList<>();
        for (String query : queries()) {
            Set<String> missing = Queries.missing(query, served);
            missing.removeAll(OF_TROUBLE);
            if (!missing.isEmpty()) {
                wrong.add(query + " asks for " + missing);
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void aFigureThatNobodyServesIsFound() {
        Map<String, Set<String>> served = Queries.served("ratchet_a{b=\"c\"} 1\n");
        assertThat(Queries.missing("sum by (b) (rate(ratchet_a{b=~\".*\"}[1m]))", served))
                .isEmpty();
        assertThat(Queries.missing("ratchet_b", served)).containsExactly("ratchet_b");
        assertThat(Queries.missing("sum by (d) (ratchet_a{e=\"f\"})", served))
                .containsExactly("ratchet_a{d}", "ratchet_a{e}");
    }

    @Test
    void prometheusAnswersEveryQueryAndNoAlertIsRaised() {
        Optional<Path> program = Prometheus.program();
        assumeTrue(program.isPresent(), "prometheus is not installed (Debian: apt-get install prometheus)");
        try (Prometheus prometheus = Prometheus.start(program.get(), targets(), Queries.ALERTS)) {
            await("prometheus to answer").atMost(Cluster.TIMEOUT).until(prometheus::isReady);
            for (String query : Queries.ofDashboards()) {
                if (OF_TROUBLE.stream().noneMatch(query::contains)) {
                    await("an answer to " + query)
                            .atMost(Cluster.TIMEOUT)
                            .until(() -> !prometheus.query(query).isEmpty());
                } else {
                    assertThat(prometheus.query(query)).as(query).isNotNull();
                }
            }
            await("every alert to be evaluated").atMost(Cluster.TIMEOUT).until(() -> Stream.of(prometheus.rules())
                    .allMatch(rules -> !rules.isEmpty()
                            && !rules.findValuesAsText("health").contains("unknown")));
            for (JsonNode rule : prometheus.rules()) {
                assertThat(rule.path("health").asText()).as(rule.toString()).isEqualTo("ok");
                assertThat(rule.path("state").asText()).as(rule.toString()).isNotEqualTo("firing");
            }
            assertThat(prometheus.rules()).hasSameSizeAs(Queries.ofAlerts());
        }
    }

    private static List<String> queries() {
        return Stream.concat(Queries.ofDashboards().stream(), Queries.ofAlerts().stream())
                .toList();
    }

    /** All that can be scraped, with the labels that the chart's monitors give. */
    private Map<String, Map<String, String>> targets() {
        Map<String, Map<String, String>> targets = new LinkedHashMap<>();
        for (Pod pod : cluster.pods(Map.of("app.kubernetes.io/name", "ratchet"))) {
            targets.put(
                    pod.getStatus().getPodIP() + ":" + HEALTH_PORT,
                    Map.of("namespace", cluster.namespace, "ratchet_dev_cluster", cluster.name));
        }
        environment.operatorAddresses().forEach(address -> targets.put(address, Map.of("namespace", "operators")));
        return targets;
    }
}
