/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.kubelet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PodRunnerTest {

    private static final Duration LIMIT = Duration.ofMinutes(1);
    /** So long the command of a probe may take: on a busy machine a second is not enough to start it. */
    private static final int PROBE_SECONDS = 30;

    @TempDir
    private Path directory;

    private final List<Thread> threads = new ArrayList<>();
    private final List<PodRunner> runners = new ArrayList<>();
    private TestHost host = new TestHost(Path.of(""), Path.of(""));

    @BeforeEach
    void makeHost() {
        host = new TestHost(directory.resolve("kubelet"), directory.resolve("distribution"));
    }

    @AfterEach
    void endAll() throws InterruptedException {
        runners.forEach(PodRunner::markGone);
        for (Thread thread : threads) {
            assertThat(thread.join(LIMIT)).as("the pod's thread ends").isTrue();
        }
    }

    @Test
    void aContainerRunsAndItsOutputIsItsLog() throws IOException {
        PodRunner runner = start(pod("echo hello; echo problem >&2; exec sleep 100", spec -> {}));
        awaitPhase("Running");
        await().atMost(LIMIT)
                .until(() -> log(runner, false).contains("hello")
                        && log(runner, false).contains("problem"));
        assertThat(status().getReady()).isTrue();
        assertThat(host.last().getPodIP()).isEqualTo("127.128.0.9");
    }

    @Test
    void aContainerThatEndsIsRestartedWithGrowingWaits() {
        PodRunner runner = start(pod("exit 3", spec -> {}));
        await().atMost(LIMIT).until(() -> status().getRestartCount() >= 3);
        await().atMost(LIMIT).until(() -> host.statuses.stream()
                .map(PodRunnerTest::first)
                .anyMatch(status -> status.getState().getWaiting() != null
                        && "CrashLoopBackOff"
                                .equals(status.getState().getWaiting().getReason())
                        && status.getLastState().getTerminated().getExitCode() == 3));
        assertThat(host.events).anyMatch(event -> event.startsWith("BackOff"));
        assertThat(log(runner, true)).isNotNull();
    }

    @Test
    void theLogOfThePreviousRunIsKept() {
        PodRunner runner = start(pod("echo run; [ -e once ] && exec sleep 100; touch once; exit 1", spec -> {}));
        await().atMost(LIMIT)
                .until(() ->
                        status().getRestartCount() == 1 && status().getState().getRunning() != null);
        await().atMost(LIMIT)
                .until(() ->
                        log(runner, true).contains("run") && log(runner, false).contains("run"));
    }

    @Test
    void aPodThatNeverRestartsSucceedsOrFails() {
        start(pod("exit 0", spec -> spec.withRestartPolicy("Never")));
        awaitPhase("Succeeded");
    }

    @Test
    void theExitCodeOfAKilledProcessTellsTheSignal() {
        PodRunner runner = start(pod("echo here; kill -9 $$$$", spec -> spec.withRestartPolicy("Never")));
        awaitPhase("Failed");
        assertThat(status().getState().getTerminated().getExitCode())
                .as(log(runner, false))
                .isEqualTo(137);
    }

    @Test
    void initContainersRunOneAfterTheOtherBeforeTheRest() {
        start(pod(
                "cat shared && exec sleep 100",
                spec -> spec.addToInitContainers(
                        container("first", "echo 1 >> shared; exit 0"), container("second", "grep -q 1 shared"))));
        awaitPhase("Running");
        assertThat(host.last().getInitContainerStatuses())
                .allMatch(status -> status.getState().getTerminated().getExitCode() == 0);
        assertThat(host.events.indexOf("Started: Started container first"))
                .isLessThan(host.events.indexOf("Started: Started container second"));
    }

    @Test
    void anImageThatNobodyKnowsCanNotBePulled() {
        start(pod(
                "exit 0",
                spec -> spec.editFirstContainer().withImage("registry/else:1").endContainer()));
        await().atMost(LIMIT)
                .until(() -> status().getState().getWaiting() != null
                        && "ImagePullBackOff"
                                .equals(status().getState().getWaiting().getReason()));
        assertThat(host.last().getPhase()).isEqualTo("Pending");
        assertThat(host.events).anyMatch(event -> event.contains("registry/else:1"));
    }

    @Test
    void aContainerWhoseImageChangesIsRestartedAtOnceAndThePodStays() {
        Pod pod = pod("trap 'exit 0' TERM; echo up; while :; do sleep 0.05; done", spec -> {});
        PodRunner runner = start(pod);
        await().atMost(LIMIT).until(() -> log(runner, false).contains("up"));
        runner.update(with(pod, "test/second:2"));
        await().atMost(LIMIT)
                .until(() ->
                        status().getRestartCount() == 1 && status().getState().getRunning() != null);
        assertThat(status().getImage()).isEqualTo("test/second:2");
        assertThat(status().getLastState().getTerminated().getExitCode()).isZero();
        assertThat(host.events).anyMatch(event -> event.contains("definition changed"));
        assertThat(host.events).noneMatch(event -> event.startsWith("BackOff"));
        assertThat(host.removed).isEmpty();
    }

    @Test
    void anImageThatCanNotBePulledCanBeTakenBack() {
        Pod pod = pod("exec sleep 100", spec -> {});
        PodRunner runner = start(pod);
        awaitPhase("Running");
        runner.update(with(pod, "nowhere/none:1"));
        await().atMost(LIMIT)
                .until(() -> status().getState().getWaiting() != null
                        && "ImagePullBackOff"
                                .equals(status().getState().getWaiting().getReason()));
        runner.update(pod);
        await().atMost(LIMIT)
                .until(() ->
                        status().getRestartCount() == 1 && status().getState().getRunning() != null);
    }

    @Test
    void mountPathsInCommandAndVariablesLeadToTheVolumes() throws IOException {
        host.configMaps.put(
                "config", new ConfigMapBuilder().addToData("key", "value").build());
        host.secrets.put(
                "secret", new SecretBuilder().addToData("password", "cGFzcw==").build());
        host.claims.put(
                "claim",
                new PersistentVolumeClaimBuilder()
                        .withNewMetadata()
                        .withUid("claim-uid")
                        .endMetadata()
                        .withNewStatus()
                        .withPhase("Bound")
                        .endStatus()
                        .build());
        start(pod("cat /etc/config/key \"$SECRET/password\" > /data/copy; exec sleep 100", spec -> spec.addNewVolume()
                .withName("config")
                .withNewConfigMap()
                .withName("config")
                .endConfigMap()
                .endVolume()
                .addNewVolume()
                .withName("secret")
                .withNewSecret()
                .withSecretName("secret")
                .endSecret()
                .endVolume()
                .addNewVolume()
                .withName("data")
                .withNewPersistentVolumeClaim("claim", false)
                .endVolume()
                .editFirstContainer()
                .addNewEnv()
                .withName("SECRET")
                .withValue("/etc/secret")
                .endEnv()
                .addNewVolumeMount()
                .withName("config")
                .withMountPath("/etc/config")
                .endVolumeMount()
                .addNewVolumeMount()
                .withName("secret")
                .withMountPath("/etc/secret")
                .endVolumeMount()
                .addNewVolumeMount()
                .withName("data")
                .withMountPath("/data")
                .endVolumeMount()
                .endContainer()));
        Path copy = directory.resolve("kubelet/claims/claim-uid/copy");
        await().atMost(LIMIT)
                .until(() -> Files.exists(copy) && Files.readString(copy).equals("valuepass"));
    }

    @Test
    void aPodWaitsForTheSecretThatItMounts() {
        PodRunner runner = start(pod("exec sleep 100", spec -> spec.addNewVolume()
                .withName("late")
                .withNewSecret()
                .withSecretName("late")
                .endSecret()
                .endVolume()));
        await().atMost(LIMIT).until(() -> !host.statuses.isEmpty());
        assertThat(status().getState().getWaiting().getReason()).isEqualTo("ContainerCreating");
        host.secrets.put("late", new SecretBuilder().addToData("a", "YQ==").build());
        runner.refresh();
        awaitPhase("Running");
    }

    @Test
    void theDownwardApiAndReferencesMakeTheEnvironment() {
        PodRunner runner = start(pod("env; exec sleep 100", spec -> spec.editFirstContainer()
                .addNewEnv()
                .withName("IP")
                .withNewValueFrom()
                .withNewFieldRef("v1", "status.podIP")
                .endValueFrom()
                .endEnv()
                .addNewEnv()
                .withName("LABEL")
                .withNewValueFrom()
                .withNewFieldRef("v1", "metadata.labels['app']")
                .endValueFrom()
                .endEnv()
                .addNewEnv()
                .withName("URL")
                .withValue("http://$(IP):1/$(NONE)$$")
                .endEnv()
                .withNewResources()
                .addToLimits("memory", new Quantity("3Mi"))
                .endResources()
                .addNewEnv()
                .withName("MEMORY")
                .withNewValueFrom()
                .withNewResourceFieldRef()
                .withDivisor(new Quantity("1Mi"))
                .withResource("limits.memory")
                .endResourceFieldRef()
                .endValueFrom()
                .endEnv()
                .endContainer()));
        await().atMost(LIMIT).until(() -> log(runner, false).contains("MEMORY=3"));
        await().atMost(LIMIT).until(() -> log(runner, false).contains("URL=http://127.128.0.9:1/$(NONE)$"));
        assertThat(log(runner, false)).contains("LABEL=test").doesNotContain("JAVA_HOME");
    }

    @Test
    void aPodThatIsDeletedEndsGentlyAndThenLeaves() {
        PodRunner runner =
                start(pod("trap 'echo got it; exit 0' TERM; echo up; while :; do sleep 0.05; done", spec -> {}));
        await().atMost(LIMIT).until(() -> log(runner, false).contains("up"));
        runner.update(deleted(runner.pod(), 30));
        await().atMost(LIMIT).until(() -> !host.removed.isEmpty());
        assertThat(status().getState().getTerminated().getExitCode()).isZero();
    }

    @Test
    void aPodThatDoesNotEndIsKilledAfterItsGracePeriodWithAllItsProcesses() {
        PodRunner runner =
                start(pod("trap '' TERM; sleep 300 & echo child $!; while :; do sleep 0.05; done", spec -> {}));
        await().atMost(LIMIT).until(() -> log(runner, false).contains("child"));
        long child = Long.parseLong(log(runner, false).split("child ", 2)[1].strip());
        runner.update(deleted(runner.pod(), 1));
        await().atMost(LIMIT).until(() -> !host.removed.isEmpty());
        assertThat(status().getState().getTerminated().getExitCode()).isEqualTo(137);
        await().atMost(LIMIT)
                .until(() ->
                        ProcessHandle.of(child).filter(ProcessHandle::isAlive).isEmpty());
    }

    @Test
    void aPodThatIsGoneIsEndedWithoutAWordToTheServer() {
        PodRunner runner = start(pod("exec sleep 100", spec -> {}));
        awaitPhase("Running");
        long pid = pid(runner);
        runner.markGone();
        await().atMost(LIMIT).until(runner::isFinished);
        assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
        assertThat(host.removed).isEmpty();
    }

    @Test
    void aKilledProcessIsRestartedAndRecordedAnew() {
        PodRunner runner = start(pod("exec sleep 100", spec -> {}));
        awaitPhase("Running");
        long before = pid(runner);
        assertThat(ProcessHandle.of(before).orElseThrow().destroyForcibly()).isTrue();
        await().atMost(LIMIT).until(() -> status().getRestartCount() == 1 && status().getReady());
        assertThat(status().getLastState().getTerminated().getExitCode()).isEqualTo(137);
        assertThat(pid(runner)).isNotEqualTo(before);
    }

    @Test
    void readinessFollowsItsProbe() throws IOException {
        Path flag = directory.resolve("flag");
        start(pod("exec sleep 100", spec -> spec.editFirstContainer()
                .withNewReadinessProbe()
                .withNewExec()
                .withCommand("test", "-e", flag.toString())
                .endExec()
                .withPeriodSeconds(1)
                .withTimeoutSeconds(PROBE_SECONDS)
                .withFailureThreshold(1)
                .endReadinessProbe()
                .endContainer()));
        awaitPhase("Running");
        assertThat(status().getReady()).isFalse();
        Files.createFile(flag);
        await().atMost(LIMIT).until(() -> status().getReady());
        Files.delete(flag);
        await().atMost(LIMIT).until(() -> !status().getReady());
        assertThat(status().getRestartCount()).isZero();
    }

    @Test
    void aContainerThatIsNotAliveIsRestarted() {
        start(pod("exec sleep 100", spec -> spec.editFirstContainer()
                .withNewLivenessProbe()
                .withNewTcpSocket()
                .withNewPort(1)
                .endTcpSocket()
                .withPeriodSeconds(1)
                .withFailureThreshold(2)
                .endLivenessProbe()
                .endContainer()));
        await().atMost(LIMIT).until(() -> status().getRestartCount() >= 1);
        assertThat(host.events).anyMatch(event -> event.startsWith("Unhealthy: Liveness probe failed"));
    }

    @Test
    void otherProbesWaitForTheStartupProbe() throws IOException {
        Path flag = directory.resolve("started");
        start(pod("exec sleep 100", spec -> spec.editFirstContainer()
                .withNewStartupProbe()
                .withNewExec()
                .withCommand("test", "-e", flag.toString())
                .endExec()
                .withPeriodSeconds(1)
                .withFailureThreshold(1000)
                .endStartupProbe()
                .withNewLivenessProbe()
                .withNewExec()
                .withCommand("test", "-e", flag.toString())
                .endExec()
                .withPeriodSeconds(1)
                .withTimeoutSeconds(PROBE_SECONDS)
                .withFailureThreshold(1)
                .endLivenessProbe()
                .endContainer()));
        awaitPhase("Running");
        assertThat(status().getStarted()).isFalse();
        assertThat(status().getReady()).isFalse();
        Files.createFile(flag);
        await().atMost(LIMIT).until(() -> status().getReady() && status().getStarted());
        assertThat(status().getRestartCount()).isZero();
    }

    private PodRunner start(Pod pod) {
        PodRunner runner = new PodRunner(pod, host, "127.128.0.9");
        runners.add(runner);
        threads.add(Thread.ofVirtual().start(runner));
        return runner;
    }

    private static Pod with(Pod pod, String image) {
        return new PodBuilder(pod)
                .editSpec()
                .editFirstContainer()
                .withImage(image)
                .endContainer()
                .endSpec()
                .build();
    }

    private static Pod pod(String script, Consumer<PodSpecBuilder> change) {
        PodSpecBuilder spec =
                new PodSpecBuilder().withContainers(container("main", script)).withTerminationGracePeriodSeconds(30L);
        change.accept(spec);
        return new PodBuilder()
                .withNewMetadata()
                .withName("p")
                .withNamespace("n")
                .withUid(UUID.randomUUID().toString())
                .addToLabels(Map.of("app", "test"))
                .endMetadata()
                .withSpec(spec.build())
                .build();
    }

    private static io.fabric8.kubernetes.api.model.Container container(String name, String script) {
        return new ContainerBuilder()
                .withName(name)
                .withImage("test/image:1")
                .withCommand("sh", "-c", script)
                .build();
    }

    private static Pod deleted(Pod pod, long graceSeconds) {
        return new PodBuilder(pod)
                .editMetadata()
                .withDeletionTimestamp(Instant.now().toString())
                .withDeletionGracePeriodSeconds(graceSeconds)
                .endMetadata()
                .build();
    }

    private void awaitPhase(String phase) {
        await().atMost(LIMIT).until(() -> phase.equals(host.last().getPhase()));
    }

    private ContainerStatus status() {
        return first(host.last());
    }

    private static ContainerStatus first(io.fabric8.kubernetes.api.model.PodStatus status) {
        return status.getContainerStatuses().isEmpty()
                ? new ContainerStatusBuilder()
                        .withRestartCount(0)
                        .withReady(false)
                        .withNewState()
                        .endState()
                        .build()
                : status.getContainerStatuses().get(0);
    }

    private static long pid(PodRunner runner) {
        await().atMost(LIMIT).until(() -> runner.record("main").process().isPresent());
        return runner.record("main").process().orElseThrow().pid();
    }

    private static String log(PodRunner runner, boolean previous) {
        StringBuilder text = new StringBuilder();
        for (Path file : Optional.ofNullable(runner.log("main")).orElseThrow().files(previous)) {
            try {
                text.append(Files.readString(file));
            } catch (IOException e) {
                return "";
            }
        }
        return text.toString();
    }
}
