/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.e2e.environment.TestEnvironment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * An edit that needs other pods rolls through a cluster that works, stops, goes on and goes back where people say so;
 * one that can not work is taken back.
 */
@Order(2)
@Isolated
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UpgradeSuite {

    private static final int WORKERS = 2;
    private static final int VALUES = 20;
    private static final int VALUE_BYTES = 500_000;
    private static final int REST_SECONDS = 3;
    private static final int REST_SECONDS_MAX = 60;

    private static final Duration SUSPENDED = Duration.ofSeconds(5);

    @TempDir
    static Path home;

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
        List<String> before = cluster.workerUids();
        String revision = cluster.currentRevision();
        Job job = Job.start(ratchet, "rolling");
        cluster.awaitThat("the job to run", () -> job.realizedBy("rolling-w-0") > 0);
        cluster.patch("{\"spec\":{\"workers\":{\"threads\":3}}}");
        cluster.awaitThat("a new worker", () -> cluster.workerPods().size() > WORKERS);
        environment.killOperator();
        cluster.awaitUpdated(revision, WORKERS);
        assertThat(job.finish().retried()).as("draining burns no attempt").isZero();
        assertThat(cluster.workerUids()).hasSize(WORKERS).doesNotContainAnyElementsOf(before);
        assertAllHaveThreads("3");
        assertThat(environment
                        .kubectl()
                        .run("get", "computeclusters", "-n", cluster.namespace)
                        .succeeded())
                .contains("UPDATED");
    }

    @Test
    @Order(2)
    void thePluginStopsAnUpgradeBetweenItsStepsLetsItGoOnAndTakesItBack() {
        String revision = cluster.currentRevision();
        int threads = cluster.number("spec", "workers", "threads");
        cluster.patch("{\"spec\":{\"workers\":{\"threads\":4}}}");
        cluster.awaitThat("a new worker", () -> cluster.workerPods().size() > WORKERS);

        assertThat(plugin("pause")).contains("the upgrade stops between steps");
        cluster.awaitThat("the walk to stop", () -> plugin("status").contains("UpgradeSuspended: "));
        long stopped = newestEpoch();
        Awaitility.await("no further layout for several times as long as a new worker must work")
                .during(SUSPENDED)
                .atMost(Cluster.TIMEOUT)
                .until(() -> newestEpoch() == stopped);
        assertThat(plugin("status")).contains("UpgradeSuspended: ");

        assertThat(plugin("resume")).contains("the upgrade goes on");
        cluster.awaitThat("the next layout", () -> newestEpoch() > stopped);

        assertThat(plugin("rollback")).contains("the spec asks for the earlier revision again");
        cluster.awaitThat(
                "all workers of the former revision",
                () -> cluster.currentRevision().equals(revision)
                        && cluster.conditionField("UpgradeBlocked", "reason").equals("NoUpgrade")
                        && cluster.number("status", "updatedReplicas") == WORKERS);
        cluster.awaitReady(WORKERS);
        assertAllHaveThreads(String.valueOf(threads));
    }

    @Test
    @Order(3)
    void anImageThatNobodyHasIsTakenBackAndTheWorkersStay() {
        List<String> before = cluster.workerUids();
        cluster.patch(
                "{\"spec\":{\"image\":\"nowhere.invalid/none:1\",\"upgrade\":{\"gates\":{\"timeoutMillis\":5000}}}}");
        cluster.awaitThat("the edit to be taken back", () -> cluster.conditionField("UpgradeBlocked", "reason")
                .equals("RolledBack"));
        cluster.awaitThat("the new pod to be gone", () -> cluster.workerPods().size() == WORKERS);
        assertThat(cluster.workerUids()).isEqualTo(before);
        cluster.patch("{\"spec\":{\"image\":\"\"}}");
        cluster.awaitThat("nothing to be left of it", () -> cluster.conditionField("UpgradeBlocked", "reason")
                .equals("NoUpgrade"));
        assertThat(cluster.workerUids()).isEqualTo(before);
    }

    @Test
    @Order(4)
    void inPlaceThePodsStayAndNothingMovesAndAnImageThatNobodyHasIsPatchedBack() throws Exception {
        // A process may have ended before, where nobody had a processor for it; of what, is worth a line.
        System.out.println("restarts before: " + cluster.endedProcesses());
        Map<String, Integer> before = cluster.restarts();
        String revision = cluster.currentRevision();
        List<DurableFuture<byte[]>> values = values();
        Job job = Job.start(ratchet, "in-place");
        try (WorkerProcesses processes = new WorkerProcesses(cluster)) {
            long copied = atRest(processes);
            cluster.patch("{\"spec\":{\"image\":\"ratchet/worker:other\",\"upgrade\":{\"strategy\":\"InPlace\","
                    + "\"gates\":{\"timeoutMillis\":120000}}}}");
            cluster.awaitUpdated(revision, WORKERS);
            assertThat(processes.fetchedBytes() - copied)
                    .as("bytes that workers have got from each other: not one value")
                    .isLessThan(VALUE_BYTES);
        }
        assertThat(job.finish().retried()).as("draining burns no attempt").isZero();
        assertStillThere(values);
        Map<String, Integer> oneMoreEach = new HashMap<>(before);
        oneMoreEach.replaceAll((pod, restarts) -> restarts + 1);
        assertThat(cluster.restarts()).as("starts after the first").isEqualTo(oneMoreEach);
        cluster.patch(
                "{\"spec\":{\"image\":\"nowhere.invalid/none:2\",\"upgrade\":{\"gates\":{\"timeoutMillis\":5000}}}}");
        cluster.awaitThat("the edit to be taken back", () -> cluster.conditionField("UpgradeBlocked", "reason")
                .equals("RolledBack"));
        cluster.awaitReady(WORKERS);
        assertThat(cluster.workerUids()).containsExactlyInAnyOrderElementsOf(before.keySet());
        assertStillThere(values);
    }

    /** What {@code kubectl ratchet upgrade} says. */
    private String plugin(String command) {
        return new Plugin(environment, home)
                .kubectl("ratchet", "upgrade", command, "-n", cluster.namespace)
                .succeeded();
    }

    private long newestEpoch() {
        return cluster.resources("ComputeLayout").stream()
                .mapToLong(layout -> layout.<Number>get("spec", "epoch").longValue())
                .max()
                .orElseThrow();
    }

    private void assertAllHaveThreads(String threads) {
        assertThat(cluster.workerPods()).allSatisfy(pod -> assertThat(
                        pod.getSpec().getContainers().get(0).getEnv())
                .anySatisfy(variable -> {
                    assertThat(variable.getName()).isEqualTo("RATCHET_THREADS");
                    assertThat(variable.getValue()).isEqualTo(threads);
                }));
    }

    /** Values that nobody computes again, most of them with one copy, in memory. */
    private List<DurableFuture<byte[]>> values() throws InterruptedException {
        List<Integer> numbers = IntStream.range(0, VALUES).boxed().toList();
        List<DurableFuture<byte[]>> values =
                ratchet.map(SubmitOptions.ofJob("values").withoutReconstruction(), numbers, Tasks.bytes(VALUE_BYTES));
        ratchet.await(values, VALUES, Cluster.TIMEOUT);
        return values;
    }

    /** The bytes once no second copy has been made for a while. */
    private static long atRest(WorkerProcesses processes) throws InterruptedException {
        long before = -1;
        for (int second = 0; second < REST_SECONDS_MAX && before != processes.fetchedBytes(); second += REST_SECONDS) {
            before = processes.fetchedBytes();
            TimeUnit.SECONDS.sleep(REST_SECONDS);
        }
        return before;
    }

    private static void assertStillThere(List<DurableFuture<byte[]>> values) throws Exception {
        for (int i = 0; i < VALUES; i++) {
            assertThat(values.get(i).get(Cluster.TIMEOUT))
                    .isEqualTo(Tasks.bytes(VALUE_BYTES).apply(i));
        }
    }
}
