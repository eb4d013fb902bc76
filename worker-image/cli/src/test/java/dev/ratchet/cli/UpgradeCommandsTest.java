/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The plugin's own process, with a kubectl that answers from files and keeps what it was asked. */
class UpgradeCommandsTest {

    @TempDir
    Path directory;

    private record Run(int code, String out, String errors) {}

    @BeforeEach
    void aClusterInTheMiddleOfAnUpgrade() throws IOException {
        Path kubectl = Files.writeString(directory.resolve("kubectl"), """
                #!/bin/sh
                echo "$*" >> '%1$s/calls'
                case "$1 $2" in
                  patch*) cat '%1$s/computecluster.ratchet.dev' ;;
                  *) cat "%1$s/$2" ;;
                esac
                """.formatted(directory));
        assertThat(kubectl.toFile().setExecutable(true)).isTrue();
        cluster("orders-aaa", false, "SurgeThenRemove");
        write("computeworkers.ratchet.dev", """
                {"items": [
                  {"metadata": {"name": "orders-w-1"}, "status": {"version": "0.2.0",
                    "pod": {"revision": "orders-bbb"}, "holds": {"futures": 3, "objects": 5}}},
                  {"metadata": {"name": "orders-w-0"}, "status": {"version": "0.1.0",
                    "pod": {"revision": "orders-aaa"}, "holds": {"futures": 1, "objects": 7, "actors": 2}}}]}""");
        write("computelayouts.ratchet.dev", """
                {"items": [
                  {"spec": {"clusterName": "orders", "epoch": 3, "upgrade":
                    {"step": 9, "steps": 9, "direction": "Forward", "attempt": 1}},
                   "status": {"abort": {"reason": "x"}}},
                  {"spec": {"clusterName": "orders", "epoch": 2, "upgrade":
                    {"step": 3, "steps": 6, "direction": "Forward", "attempt": 1}}}]}""");
        write("controllerrevisions.apps", """
                {"items": [
                  {"metadata": {"name": "orders-000"}, "revision": 1, "data": {"fields": {"spec.version": "0.0.9"}}},
                  {"metadata": {"name": "orders-aaa"}, "revision": 2, "data": {"fields": {"spec.version": "0.1.0",
                    "spec.workers.threads": 4}}},
                  {"metadata": {"name": "orders-bbb"}, "revision": 3, "data": {"fields": {"spec.version": "0.2.0",
                    "spec.image": "acme/worker:2"}}}]}""");
    }

    @Test
    void statusSaysHowFarItIsAndWhatItWaitsFor() throws Exception {
        Run run = run("status");
        assertThat(run.out())
                .contains(
                        "cluster orders: updated 1/2, SurgeThenRemove, format level 1, step 3 of 6 forward, attempt 1")
                .contains("UpgradeSuspended: set it to false")
                .containsPattern("orders-w-0 +false +0\\.1\\.0 +orders-aaa");
        JsonNode json = new ObjectMapper().readTree(run("status", "-o", "json").out());
        assertThat(json.path("updatedReplicas").asInt()).isEqualTo(1);
        assertThat(json.path("blocked").asText()).isEqualTo("UpgradeSuspended");
        assertThat(json.path("seats").path(1).path("updated").asBoolean()).isTrue();
    }

    @Test
    void planSaysWhichFieldsChangedAndWhatIsStillToBeReplaced() throws Exception {
        assertThat(run("plan").out())
                .contains("1 of 2 workers are to be replaced")
                .containsPattern("spec\\.version +0\\.1\\.0 +0\\.2\\.0")
                .containsPattern("spec\\.image +- +acme/worker:2")
                .containsPattern("spec\\.workers\\.threads +4 +-")
                .containsPattern("orders-w-0 +false +0\\.1\\.0 +orders-aaa +7 +2 +-")
                .doesNotContain("orders-w-1");
    }

    @Test
    void pauseWritesTheSpecOnceAndResumeOnlyWhereItIsSuspended() throws Exception {
        assertThat(run("pause").out()).contains("orders: the upgrade stops between steps");
        assertThat(calls())
                .contains("--type=merge --patch={\"spec\":{\"upgrade\":{\"suspended\":true}}}")
                .contains("patch computecluster.ratchet.dev orders");
        assertThat(run("resume").out()).contains("was not suspended already");
        cluster("orders-aaa", true, "InPlace");
        assertThat(run("resume").out()).contains("the upgrade goes on");
        assertThat(calls()).contains("\"suspended\":false");
    }

    @Test
    void rollbackWritesWhatTheRevisionOfBeforeWasMadeFromAndOnlyThat() throws Exception {
        assertThat(run("rollback").out()).contains("the spec asks for the earlier revision again");
        assertThat(calls())
                .contains("--type=json")
                .contains("{\"op\":\"test\",\"path\":\"/metadata/generation\",\"value\":4}")
                .contains("{\"op\":\"remove\",\"path\":\"/spec/image\"}")
                .contains("{\"op\":\"add\",\"path\":\"/spec/version\",\"value\":\"0.1.0\"}")
                .contains("{\"op\":\"add\",\"path\":\"/spec/workers/threads\",\"value\":4}");
    }

    @Test
    void afterAnUpgradeRollbackGoesToTheRevisionBeforeAndToOneThatIsNamed() throws Exception {
        cluster("orders-bbb", false, "SurgeThenRemove");
        assertThat(run("rollback").code()).isZero();
        assertThat(calls()).contains("\"/spec/version\",\"value\":\"0.1.0\"");
        assertThat(run("rollback", "--to-revision", "orders-000").code()).isZero();
        assertThat(calls()).contains("\"/spec/version\",\"value\":\"0.0.9\"");
        Run refused = run("rollback", "--to-revision", "orders-zzz");
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.errors()).contains("no revision orders-zzz").contains("orders-000, orders-aaa, orders-bbb");
        assertThat(run("rollback", "--to-revision", "orders-bbb").errors()).contains("already");
    }

    @Test
    void finalizeConsentsToTheLevelThatAllWorkersReadAndRefusesWhereThereIsNoHigherOne() throws Exception {
        assertThat(run("status").out()).contains("format level 1");
        assertThat(run("finalize").out()).contains("orders: formats are raised to level 2");
        assertThat(calls())
                .contains("--type=merge"
                        + " --patch={\"metadata\":{\"annotations\":{\"ratchet.dev/finalize-upgrade\":\"2\"}}}");
        write("computeclusters.ratchet.dev", """
                {"items": [{"metadata": {"name": "orders", "namespace": "team-a"},
                            "status": {"store": {"formatLevel": 2, "formatCommon": 2}}}]}""");
        Run refused = run("finalize");
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.errors()).contains("nothing to finalize", "format level 2");
    }

    private void cluster(String current, boolean suspended, String strategy) throws IOException {
        String cluster = """
                {"metadata": {"name": "orders", "namespace": "team-a", "resourceVersion": "17", "generation": 4},
                 "spec": {"version": "0.2.0", "image": "acme/worker:2", "workers": {"replicas": 2},
                          "upgrade": {"strategy": "%s", "suspended": %s}},
                 "status": {"currentRevision": "%s", "updateRevision": "orders-bbb",
                   "updatedReplicas": 1, "replicas": 2, "store": {"formatLevel": 1, "formatCommon": 2},
                   "conditions": [{"type": "UpgradeBlocked", "status": "True", "reason": "UpgradeSuspended",
                                   "message": "set it to false"}]}}""".formatted(strategy, suspended, current);
        write("computecluster.ratchet.dev", cluster);
        write("computeclusters.ratchet.dev", "{\"items\": [" + cluster + "]}");
    }

    private void write(String name, String content) throws IOException {
        Files.writeString(directory.resolve(name), content);
    }

    private String calls() throws IOException {
        return Files.readString(directory.resolve("calls"));
    }

    private Run run(String... words) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-cp",
                System.getProperty("java.class.path"),
                KubectlPlugin.class.getName(),
                "upgrade"));
        line.addAll(List.of(words));
        Path errors = directory.resolve("errors");
        ProcessBuilder builder = new ProcessBuilder(line).redirectError(errors.toFile());
        builder.environment().put("PATH", directory + ":/usr/bin:/bin");
        Process process = builder.start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).as("the command ends").isTrue();
        return new Run(process.exitValue(), out, Files.readString(errors));
    }
}
