/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.FutureState;
import dev.ratchet.client.JobSummary;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.e2e.environment.TestEnvironment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Workers that start and yet do not work are taken back while the old ones go on, and the work with them. */
@Order(7)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RollbackSuite {

    private static final int WORKERS = 2;
    private static final int WAVE = 100;
    private static final long TASK_MILLIS = 20;
    private static final String VARIABLE = "RATE_TABLE";

    private final TestEnvironment environment = TestEnvironment.current();
    private Cluster cluster;
    private Ratchet ratchet;
    private List<String> before = List.of();

    @BeforeAll
    void twoWorkers() {
        cluster = Cluster.in(environment, "rollbacks", "steady").apply(WORKERS, """
              upgrade:
                gates: {stableMillis: 30000, timeoutMillis: 120000}
            """);
        ratchet = cluster.connect();
        cluster.awaitReady(WORKERS);
        before = cluster.workerUids();
    }

    @AfterAll
    void disconnect() {
        if (ratchet != null) {
            ratchet.close();
        }
        cluster.close();
    }

    @AfterEach
    void theEditIsTakenBackByThePersonToo() {
        cluster.patch("{\"spec\":{\"workers\":{\"podTemplate\":null}}}");
        cluster.awaitThat("nothing to be left of it", () -> cluster.conditionField("UpgradeBlocked", "reason")
                .equals("NoUpgrade"));
        assertThat(cluster.workerUids()).isEqualTo(before);
    }

    @Test
    void aProcessThatExitsIsTakenBackAndNoFutureNoticesIt() throws InterruptedException {
        Job job = Job.start(ratchet, "exits");
        cluster.awaitThat("the job to run", () -> job.realizedBy("steady-w-0") > 0);
        set("JAVA_TOOL_OPTIONS", "-XX:NoSuchOption");
        awaitRolledBack();
        assertThat(job.finish().retried()).as("attempts that were lost").isZero();
        assertThat(cluster.conditionField("UpgradeBlocked", "message")).contains("restart");
    }

    @Test
    void aWorkerThatPassesItsCanaryAndFailsItsTasksIsTakenBack() throws InterruptedException {
        set(VARIABLE, "missing");
        List<DurableFuture<Long>> futures = new ArrayList<>();
        cluster.awaitThat("the workers of before to be alone again", () -> {
            if (cluster.conditionField("UpgradeBlocked", "reason").equals("RolledBack")) {
                return cluster.workerPods().size() == WORKERS;
            }
            List<DurableFuture<Long>> wave = ratchet.map(
                    SubmitOptions.ofJob("fails"),
                    IntStream.range(0, WAVE).boxed().toList(),
                    Tasks.slowSquareWithout(VARIABLE, TASK_MILLIS));
            ratchet.await(wave, WAVE, Duration.ofMinutes(1));
            futures.addAll(wave);
            return false;
        });
        JobSummary summary = ratchet.summary("fails");
        // An attempt that fails is tried again, mostly on another worker.
        assertThat(summary.retried() + summary.count(FutureState.FAILED))
                .as("attempts that the new worker failed")
                .isPositive();
        assertThat(summary.count(FutureState.FAILED)).as("futures that failed").isLessThan(futures.size() / 2L);
        assertThat(cluster.conditionField("UpgradeBlocked", "message"))
                .contains("attempts that ended on the new workers");
        List<Long> values = ratchet.awaitAll(
                ratchet.map(List.of(3, 4), Tasks.slowSquareWithout(VARIABLE, TASK_MILLIS)), Duration.ofMinutes(1));
        assertThat(values).containsExactly(9L, 16L);
    }

    private void set(String variable, String value) {
        cluster.patch("{\"spec\":{\"workers\":{\"podTemplate\":{\"spec\":{\"containers\":[{\"name\":\"worker\",\"env\":"
                + "[{\"name\":\"" + variable + "\",\"value\":\"" + value + "\"}]}]}}}}}");
    }

    private void awaitRolledBack() {
        cluster.awaitThat("the edit to be taken back", () -> cluster.conditionField("UpgradeBlocked", "reason")
                .equals("RolledBack"));
        cluster.awaitThat("the new pod to be gone", () -> cluster.workerPods().size() == WORKERS);
    }
}
