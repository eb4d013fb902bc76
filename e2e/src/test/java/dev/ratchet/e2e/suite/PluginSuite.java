/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.e2e.environment.Command;
import dev.ratchet.e2e.environment.TestEnvironment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A stock kubectl runs the plugin of the build: what it says of a cluster is what the cluster is. */
@Order(7)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PluginSuite {

    private final TestEnvironment environment = TestEnvironment.current();
    private Cluster cluster;

    @TempDir
    static Path home;

    @BeforeAll
    void runACluster() {
        cluster = Cluster.in(environment, "plugin", "plugged").apply(2).awaitReady(2);
    }

    @AfterAll
    void deleteIt() {
        if (cluster != null) {
            cluster.close();
        }
    }

    @Test
    void statusTellsConditionsSeatsWorkersAndJobs() throws Exception {
        try (Ratchet ratchet = cluster.connect()) {
            assertThat(ratchet.submit(SubmitOptions.ofJob("plugin"), Tasks.constant(7))
                            .get(Cluster.TIMEOUT))
                    .isEqualTo(7);
        }
        JsonNode status = json("status");
        assertThat(find(status.path("conditions"), "type", "Ready")
                        .path("status")
                        .asText())
                .isEqualTo("True");
        assertThat(status.path("seats").findValuesAsText("ready")).containsExactly("True", "True");
        assertThat(status.path("workers").findValuesAsText("seat")).containsExactly("plugged-w-0", "plugged-w-1");
        assertThat(find(status.path("jobs"), "job", "plugin").path("realized").asInt())
                .isEqualTo(1);
        assertThat(kubectl("ratchet", "status", "-n", "plugin").succeeded())
                .contains("cluster plugin/plugged", "AllWorkersReady", "REALIZED");
    }

    @Test
    void layoutsCheckAndLogsAnswer() throws Exception {
        JsonNode layout = json("layouts").path("layouts").path(0);
        assertThat(layout.path("reason").asText()).isEqualTo("Initial");
        assertThat(layout.path("step").asText()).isEqualTo("Stable");
        assertThat(kubectl("ratchet", "check", "-n", "plugin").succeeded()).contains("all agree");
        assertThat(kubectl("ratchet", "logs", "-n", "plugin", "--grep", "HEALTHY", "--tail", "2")
                        .succeeded()
                        .lines())
                .hasSize(2)
                .allMatch(line -> line.startsWith("plugged-w-") && line.contains("HEALTHY"));
    }

    @Test
    void aContextReachesTheClusterWithoutKubectl() throws Exception {
        assertThat(kubectl("ratchet", "context", "-n", "plugin", "--as", "here").succeeded())
                .isEqualTo("context here added: cluster plugin/plugged, the current one\n");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(home.resolve("ratchet/config"))))
                .isEqualTo("rw-------");
        assertThat(plugin().ratchet("workers").succeeded()).contains("plugged-w-0", "plugged-w-1");
    }

    @Test
    void whatIsNotThereIsSaid() {
        Command unknown = kubectl("ratchet", "status", "-n", "plugin", "--compute-cluster", "unplugged");
        assertThat(unknown.exitCode()).isEqualTo(2);
        assertThat(unknown.output()).contains("computeclusters.ratchet.dev \"unplugged\" not found");
        Command none = kubectl("ratchet", "status", "-n", "default");
        assertThat(none.exitCode()).isEqualTo(2);
        assertThat(none.output()).contains("There is no ComputeCluster in this namespace");
    }

    @Test
    void aForwardedPortCarriesWhatTheWorkersSay() {
        assumeTrue(!environment.name().equals("local"), "the local environment forwards no ports");
        assertThat(kubectl("ratchet", "workers", "-n", "plugin", "--forward").succeeded())
                .contains("plugged-w-0", "plugged-w-1");
        assertThat(kubectl("ratchet", "status", "-n", "plugin", "--forward").succeeded())
                .contains("cluster plugin/plugged", "HEALTHY");
    }

    @Test
    void execAndPortForwardSayWhatToUseInstead() {
        assumeTrue(environment.name().equals("local"), "Kubernetes has both");
        assertThat(kubectl("exec", "-n", "plugin", "plugged-w-0", "--", "date").output())
                .contains("the local environment has no exec", "docs/local.md");
        assertThat(kubectl("port-forward", "-n", "plugin", "pod/plugged-w-0", ":7400")
                        .output())
                .contains("forwards no ports", "connect to 127.");
    }

    private JsonNode json(String command) throws Exception {
        return new ObjectMapper()
                .readTree(kubectl("ratchet", command, "-n", "plugin", "-o", "json")
                        .succeeded());
    }

    private static JsonNode find(JsonNode list, String field, String value) {
        for (JsonNode item : list) {
            if (item.path(field).asText().equals(value)) {
                return item;
            }
        }
        throw new AssertionError("no item has " + field + " " + value + " in " + list);
    }

    private Command kubectl(String... words) {
        return plugin().kubectl(words);
    }

    private Plugin plugin() {
        return new Plugin(environment, home);
    }
}
