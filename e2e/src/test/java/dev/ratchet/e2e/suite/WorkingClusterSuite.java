/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.client.JobSummary;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.client.TaskFailedException;
import dev.ratchet.e2e.environment.TestEnvironment;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.SecurityContext;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** One cluster from apply to delete: it computes, scales each of the three ways during a job, and survives kills. */
@Order(1)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WorkingClusterSuite {

    private final TestEnvironment environment = TestEnvironment.current();
    private Cluster cluster;
    private Ratchet ratchet;

    @BeforeAll
    void applyAClusterAndAwaitItsFirstResult() throws InterruptedException {
        long began = System.nanoTime();
        cluster = Cluster.in(environment, "working", "orders").apply(2);
        ratchet = cluster.connect();
        long value = ratchet.submit(Tasks.constant(42L)).get(Duration.ofSeconds(150));
        assertThat(value).isEqualTo(42);
        System.out.printf(
                "figure: kubectl apply to first result %d ms (%s)%n",
                (System.nanoTime() - began) / 1_000_000, environment.name());
        cluster.awaitReady(2);
    }

    @AfterAll
    void disconnect() {
        if (ratchet != null) {
            ratchet.close();
        }
        cluster.close();
    }

    /** What one test leaves behind must not fail the next. */
    @BeforeEach
    void startFromTwoWorkers() {
        cluster.patchReplicas(2);
        cluster.awaitReady(2);
    }

    @Test
    @Order(1)
    void kubectlShowsWhatAUserLooksFor() {
        String table = environment
                .kubectl()
                .run("get", "computeclusters", "-n", cluster.namespace)
                .succeeded();
        assertThat(table).contains("NAME", "DESIRED", "READY", "orders");
        assertThat(environment
                        .kubectl()
                        .run("wait", "--for=condition=Ready", "computecluster/orders", "-n", cluster.namespace)
                        .succeeded())
                .contains("condition met");
        assertThat(environment
                        .kubectl()
                        .run("explain", "computecluster.spec.workers.replicas")
                        .succeeded())
                .contains("replicas");
        assertThat(environment
                        .kubectl()
                        .run("logs", "orders-w-0", "-n", cluster.namespace)
                        .succeeded())
                .contains("orders-w-0");
    }

    /** Servers before 1.25 enforce no pod security, so the manifests themselves are looked at. */
    @Test
    @Order(1)
    void thePodsKeepToTheRestrictedProfile() {
        List<Pod> pods = cluster.pods(Map.of("ratchet.dev/cluster", "orders"));
        assertThat(pods).hasSize(3);
        for (Pod pod : pods) {
            assertThat(pod.getSpec().getAutomountServiceAccountToken()).isFalse();
            assertThat(pod.getSpec().getSecurityContext().getRunAsNonRoot()).isTrue();
            assertThat(pod.getSpec().getSecurityContext().getSeccompProfile().getType())
                    .isEqualTo("RuntimeDefault");
            for (Container container : pod.getSpec().getContainers()) {
                SecurityContext security = container.getSecurityContext();
                assertThat(security.getAllowPrivilegeEscalation()).isFalse();
                assertThat(security.getReadOnlyRootFilesystem()).isTrue();
                assertThat(security.getCapabilities().getDrop()).containsExactly("ALL");
            }
        }
    }

    @Test
    @Order(2)
    void theWorkersComputeAndAFailureKeepsItsCause() throws InterruptedException {
        JobSummary summary = Job.start(ratchet, "first", 200, 5).finish();
        assertThat(summary.realizedBySeat().keySet()).isSubsetOf("orders-w-0", "orders-w-1");
        assertThat(summary.total()).isEqualTo(200);
        List<Integer> numbers = List.of(1, 2, 3);
        SubmitOptions once = SubmitOptions.ofJob("failing").withMaxRetries(0);
        assertThatThrownBy(() -> ratchet.awaitAll(ratchet.map(once, numbers, Tasks.failFor(2))))
                .isInstanceOf(TaskFailedException.class)
                .hasMessageContaining("no luck with 2");
    }

    @Test
    @Order(3)
    void editingReplicasScalesOutAndInDuringAJob() throws InterruptedException {
        scaleDuringAJob("edit", 2_000, cluster::patchReplicas);
    }

    @Test
    @Order(4)
    void kubectlScaleScalesOutAndInDuringAJob() throws InterruptedException {
        scaleDuringAJob("scale", 2_000, replicas -> environment
                .kubectl()
                .run("scale", "computecluster/orders", "-n", cluster.namespace, "--replicas=" + replicas)
                .succeeded());
    }

    @Test
    @Order(5)
    void anAutoscalerScalesOutAndInDuringAJob() throws Exception {
        try (Autoscaler autoscaler = Autoscaler.attach(environment, cluster)) {
            // Its controller looks at the metrics every few seconds only.
            scaleDuringAJob("autoscaler", 12_000, autoscaler::want);
        }
    }

    private void scaleDuringAJob(String name, int tasks, IntConsumer scale) throws InterruptedException {
        Job job = Job.start(ratchet, name, tasks, 20);
        cluster.awaitThat("the job to run", job::isHalfway);
        scale.accept(3);
        cluster.awaitReady(3);
        assertThat(job.isDone())
                .as("the job still runs when the third worker is there")
                .isFalse();
        scale.accept(2);
        cluster.awaitReady(2);
        JobSummary summary = job.finish();
        assertThat(summary.retried()).as("draining burns no attempt").isZero();
        assertTheTwoWorkersAreThere();
    }

    private void assertTheTwoWorkersAreThere() {
        assertThat(cluster.workerPods())
                .extracting(pod -> pod.getMetadata().getName())
                .containsExactly("orders-w-0", "orders-w-1");
    }

    @Test
    @Order(6)
    void aKilledPodComesBackUnderItsNameAndTheJobLosesNothing() throws InterruptedException {
        Job job = Job.start(ratchet, "pod-kill", 600, 20);
        cluster.awaitThat("the job to run", job::isHalfway);
        Pod victim = cluster.workerPods().get(1);
        environment.kill(victim);
        job.finish();
        cluster.awaitReady(2);
        assertTheTwoWorkersAreThere();
    }

    @Test
    @Order(7)
    void aDeletedPodComesBackUnderItsNameAndBurnsNoAttempt() throws InterruptedException {
        Job job = Job.start(ratchet, "pod-delete", 600, 20);
        cluster.awaitThat("the job to run", job::isHalfway);
        Pod victim = cluster.workerPods().get(1);
        environment
                .kubectl()
                .run("delete", "pod", victim.getMetadata().getName(), "-n", cluster.namespace)
                .succeeded();
        assertThat(job.finish().retried()).isZero();
        cluster.awaitReady(2);
        assertThat(cluster.workerPods())
                .extracting(pod -> pod.getMetadata().getUid())
                .doesNotContain(victim.getMetadata().getUid());
    }

    @Test
    @Order(8)
    void theOperatorDiesInTheMiddleOfAScaleAndTheScaleEndsAllTheSame() throws InterruptedException {
        Job job = Job.start(ratchet, "operator-kill", 800, 20);
        cluster.patchReplicas(4);
        cluster.awaitThat("a new pod", () -> cluster.workerPods().size() > 2);
        environment.killOperator();
        cluster.awaitReady(4);
        cluster.patchReplicas(2);
        cluster.awaitThat("a leaving worker", () -> cluster.resources("ComputeWorker").stream()
                .anyMatch(worker -> Boolean.TRUE.equals(worker.get("spec", "retire"))));
        environment.killOperator();
        cluster.awaitReady(2);
        assertThat(job.finish().retried()).isZero();
    }

    @Test
    @Order(9)
    void aPausedClusterIsLeftAlone() {
        environment
                .kubectl()
                .run(
                        "patch",
                        "computecluster",
                        "orders",
                        "-n",
                        cluster.namespace,
                        "--type=merge",
                        "-p",
                        "{\"spec\":{\"paused\":true,\"workers\":{\"replicas\":3}}}")
                .succeeded();
        cluster.awaitThat(
                "the pause to be seen",
                () -> cluster.number("status", "observedGeneration")
                        == Objects.requireNonNull(cluster.resource())
                                .getMetadata()
                                .getGeneration());
        assertThat(cluster.workerPods()).hasSize(2);
        environment
                .kubectl()
                .run(
                        "patch",
                        "computecluster",
                        "orders",
                        "-n",
                        cluster.namespace,
                        "--type=merge",
                        "-p",
                        "{\"spec\":{\"paused\":false,\"workers\":{\"replicas\":2}}}")
                .succeeded();
        cluster.awaitReady(2);
    }
}
