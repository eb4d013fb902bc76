/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.Ratchet;
import dev.ratchet.e2e.environment.TestEnvironment;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/** An edit that needs other pods rolls through a cluster that works; one that can not work is taken back. */
@Order(2)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UpgradeSuite {

    private static final int WORKERS = 2;

    private final TestEnvironment environment = TestEnvironment.current();
    private Cluster cluster;
    private Ratchet ratchet;

    @BeforeAll
    void twoWorkers() {
        cluster = Cluster.in(environment, "upgrades", "rolling").apply(WORKERS, """
              upgrade:
                gates: {stableMillis: 1000, timeoutMillis: 120000}
            """);
        ratchet = cluster.connect();
        cluster.awaitReady(WORKERS);
    }

    @AfterAll
    void disconnect() {
        if (ratchet != null) {
            ratchet.close();
        }
        cluster.close();
    }

    @Test
    @Order(1)
    void anEditRollsThroughDuringAJobThoughTheOperatorDiesAndNothingIsLostOrRunAgain() throws InterruptedException {
        List<String> before = uids();
        String revision = currentRevision();
        Job job = Job.start(ratchet, "rolling");
        cluster.awaitThat("the job to run", () -> job.realizedBy("rolling-w-0") > 0);
        patch("{\"spec\":{\"workers\":{\"threads\":3}}}");
        cluster.awaitThat("a new worker", () -> cluster.workerPods().size() > WORKERS);
        environment.killOperator();
        awaitUpdated(revision);
        assertThat(job.finish().retried()).as("draining burns no attempt").isZero();
        assertThat(uids()).hasSize(WORKERS).doesNotContainAnyElementsOf(before);
        assertThat(cluster.workerPods()).allSatisfy(pod -> assertThat(
                        pod.getSpec().getContainers().get(0).getEnv())
                .anySatisfy(variable -> {
                    assertThat(variable.getName()).isEqualTo("RATCHET_THREADS");
                    assertThat(variable.getValue()).isEqualTo("3");
                }));
        assertThat(environment
                        .kubectl()
                        .run("get", "computeclusters", "-n", cluster.namespace)
                        .succeeded())
                .contains("UPDATED");
    }

    @Test
    @Order(2)
    void anImageThatNobodyHasIsTakenBackAndTheWorkersStay() {
        List<String> before = uids();
        patch("{\"spec\":{\"image\":\"nowhere.invalid/none:1\",\"upgrade\":{\"gates\":{\"timeoutMillis\":5000}}}}");
        cluster.awaitThat("the edit to be taken back", () -> cluster.conditionField("UpgradeBlocked", "reason")
                .equals("RolledBack"));
        cluster.awaitThat("the new pod to be gone", () -> cluster.workerPods().size() == WORKERS);
        assertThat(uids()).isEqualTo(before);
        patch("{\"spec\":{\"image\":\"\"}}");
        cluster.awaitThat("nothing to be left of it", () -> cluster.conditionField("UpgradeBlocked", "reason")
                .equals("NoUpgrade"));
        assertThat(uids()).isEqualTo(before);
    }

    @Test
    @Order(3)
    void inPlaceThePodsStayAndAnImageThatNobodyHasIsPatchedBack() throws InterruptedException {
        List<String> before = uids();
        String revision = currentRevision();
        Job job = Job.start(ratchet, "in-place");
        patch("{\"spec\":{\"image\":\"ratchet/worker:other\",\"upgrade\":{\"strategy\":\"InPlace\","
                + "\"gates\":{\"timeoutMillis\":120000}}}}");
        awaitUpdated(revision);
        assertThat(job.finish().retried()).as("draining burns no attempt").isZero();
        assertThat(uids()).isEqualTo(before);
        assertThat(cluster.workerPods()).allSatisfy(pod -> assertThat(
                        pod.getStatus().getContainerStatuses())
                .allSatisfy(status -> assertThat(status.getRestartCount()).isEqualTo(1)));
        patch("{\"spec\":{\"image\":\"nowhere.invalid/none:2\",\"upgrade\":{\"gates\":{\"timeoutMillis\":5000}}}}");
        cluster.awaitThat("the edit to be taken back", () -> cluster.conditionField("UpgradeBlocked", "reason")
                .equals("RolledBack"));
        cluster.awaitReady(WORKERS);
        assertThat(uids()).isEqualTo(before);
    }

    private void awaitUpdated(String before) {
        cluster.awaitThat(
                "all workers of the new revision",
                () -> !currentRevision().equals(before)
                        && cluster.number("status", "updatedReplicas") == WORKERS
                        && cluster.conditionField("UpgradeBlocked", "reason").equals("NoUpgrade")
                        && cluster.condition("LayoutStable").equals("True"));
        cluster.awaitReady(WORKERS);
    }

    private String currentRevision() {
        return String.valueOf(Objects.requireNonNull(cluster.resource()).<Object>get("status", "currentRevision"));
    }

    private List<String> uids() {
        return cluster.workerPods().stream()
                .map(pod -> pod.getMetadata().getUid())
                .toList();
    }

    private void patch(String patch) {
        environment
                .kubectl()
                .run("patch", "computecluster", cluster.name, "-n", cluster.namespace, "--type=merge", "-p", patch)
                .succeeded();
    }
}
