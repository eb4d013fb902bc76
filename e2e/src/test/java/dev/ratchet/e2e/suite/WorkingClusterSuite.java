/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.client.JobSummary;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.client.TaskFailedException;
import dev.ratchet.e2e.environment.Kubectl;
import dev.ratchet.e2e.environment.TestEnvironment;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.SecurityContext;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

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
        long value = ratchet.submit(Tasks.constant(42L)).get(Cluster.TIMEOUT);
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

    List<Kubectl> kubectls() {
        return environment.kubectls();
    }

    @ParameterizedTest
    @MethodSource("kubectls")
    @Order(1)
    void kubectlOfEachVersionDoesWhatAUserAsksFor(Kubectl kubectl) {
        String table =
                kubectl.run("get", "computeclusters", "-n", cluster.namespace).succeeded();
        assertThat(table).contains("NAME", "DESIRED", "READY", "orders");
        assertThat(kubectl.run("wait", "--for=condition=Ready", "computecluster/orders", "-n", cluster.namespace)
                        .succeeded())
                .contains("condition met");
        assertThat(kubectl.run("explain", "computecluster.spec.workers.replicas")
                        .succeeded())
                .contains("replicas");
        assertThat(kubectl.run("logs", "orders-w-0", "-n", cluster.namespace).succeeded())
                .contains("orders-w-0");
        assertThat(kubectl.run("describe", "computecluster", "orders", "-n", cluster.namespace)
                        .succeeded())
                .contains("Ready");
        kubectl.apply(cluster.manifest(2, "Delete")).succeeded();
        kubectl.run("scale", "computecluster/orders", "-n", cluster.namespace, "--replicas=2")
                .succeeded();
        assertThat(kubectl.apply(cluster.manifest(-1, "Delete")).output()).contains("spec.workers.replicas");
        assertThat(cluster.workerPods()).hasSize(2);
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
        List<Integer> numbers = List.of(1, 2, 3);
        assertThat(ratchet.awaitAll(ratchet.map(SubmitOptions.ofJob("first"), numbers, Tasks.slowSquare(5))))
                .containsExactly(1L, 4L, 9L);
        JobSummary summary = ratchet.summary("first");
        assertThat(summary.realizedBySeat().keySet()).isSubsetOf("orders-w-0", "orders-w-1");
        assertThat(summary.total()).isEqualTo(3);
        SubmitOptions once = SubmitOptions.ofJob("failing").withMaxRetries(0);
        assertThatThrownBy(() -> ratchet.awaitAll(ratchet.map(once, numbers, Tasks.failFor(2))))
                .isInstanceOf(TaskFailedException.class)
                .hasMessageContaining("no luck with 2");
    }

    @Test
    @Order(3)
    void editingReplicasScalesOutAndInDuringAJob() throws InterruptedException {
        scaleDuringAJob("edit", cluster::patchReplicas);
    }

    @Test
    @Order(4)
    void kubectlScaleScalesOutAndInDuringAJob() throws InterruptedException {
        scaleDuringAJob("scale", replicas -> environment
                .kubectl()
                .run("scale", "computecluster/orders", "-n", cluster.namespace, "--replicas=" + replicas)
                .succeeded());
    }

    @Test
    @Order(5)
    void anAutoscalerScalesOutAndInDuringAJob() throws Exception {
        try (Autoscaler autoscaler = Autoscaler.attach(environment, cluster)) {
            scaleDuringAJob("autoscaler", autoscaler::want);
        }
    }

    private void scaleDuringAJob(String name, IntConsumer scale) throws InterruptedException {
        Job job = startJob(name);
        scale.accept(3);
        cluster.awaitReady(3);
        cluster.awaitThat("the third worker to take part", () -> job.realizedBy(thirdWorker()) > 0);
        scale.accept(2);
        cluster.awaitReady(2);
        JobSummary summary = job.finish();
        assertThat(summary.retried()).as("draining burns no attempt").isZero();
        assertTheTwoWorkersAreThere();
    }

    /** A seat that is still being drained is not taken again, so its number may be any. */
    private String thirdWorker() {
        return cluster.workerPods().getLast().getMetadata().getName();
    }

    private long incarnation(Pod worker) {
        return cluster.resources("ComputeWorker").stream()
                .filter(resource -> resource.getMetadata()
                        .getName()
                        .equals(worker.getMetadata().getName()))
                .map(resource -> resource.get("status", "incarnation"))
                .mapToLong(value -> value instanceof Number number ? number.longValue() : 0)
                .sum();
    }

    /** A job that runs on both workers. */
    private Job startJob(String name) {
        Job job = Job.start(ratchet, name);
        cluster.awaitThat("the job to run", () -> job.realizedBy("orders-w-0") > 0 && job.realizedBy("orders-w-1") > 0);
        return job;
    }

    private void assertTheTwoWorkersAreThere() {
        assertThat(cluster.workerPods())
                .extracting(pod -> pod.getMetadata().getName())
                .containsExactly("orders-w-0", "orders-w-1");
    }

    @Test
    @Order(6)
    void aKilledPodComesBackUnderItsNameAndTheJobLosesNothing() throws InterruptedException {
        Job job = startJob("pod-kill");
        Pod victim = cluster.workerPods().get(1);
        long killed = incarnation(victim);
        environment.kill(victim);
        cluster.awaitThat("the killed worker to come back", () -> incarnation(victim) > killed);
        cluster.awaitReady(2);
        job.finish();
        assertTheTwoWorkersAreThere();
    }

    @Test
    @Order(7)
    void aDeletedPodComesBackUnderItsNameAndBurnsNoAttempt() throws InterruptedException {
        Job job = startJob("pod-delete");
        Pod victim = cluster.workerPods().get(1);
        environment
                .kubectl()
                .run("delete", "pod", victim.getMetadata().getName(), "-n", cluster.namespace)
                .succeeded();
        cluster.awaitThat("the pod to be replaced", () -> cluster.workerPods().stream()
                .noneMatch(pod ->
                        pod.getMetadata().getUid().equals(victim.getMetadata().getUid())));
        cluster.awaitReady(2);
        assertThat(job.finish().retried()).isZero();
        assertTheTwoWorkersAreThere();
    }

    @Test
    @Order(8)
    void theOperatorDiesInTheMiddleOfAScaleAndTheScaleEndsAllTheSame() throws InterruptedException {
        Job job = startJob("operator-kill");
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
