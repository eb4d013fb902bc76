/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.kubelet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ratchet.local.apiserver.ApiServer;
import dev.ratchet.local.apiserver.ApiServerOptions;
import dev.ratchet.local.kubelet.ImageFolders.Image;
import dev.ratchet.local.proxy.ServiceNetwork;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.PodResource;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kubelet and service network on the API server of the local environment, as in {@code ./ratchet up}. */
class KubeletTest {

    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final long LIMIT_SECONDS = 120;

    /** A server of one answer, so that no other program is needed. */
    private static final String ANSWER = "exec " + Path.of(System.getProperty("java.home"), "bin", "java")
            + " -XX:TieredStopAtLevel=1 -Xshare:auto -Xmx32m /tmp/Answer.java $IP";

    private static final String ANSWER_SOURCE = """
            class Answer {
                public static void main(String[] a) throws Exception {
                    try (var server = new java.net.ServerSocket(7400, 9, java.net.InetAddress.getByName(a[0]))) {
                        while (true) {
                            try (var socket = server.accept()) {
                                socket.getOutputStream().write(("from " + a[0]).getBytes());
                            }
                        }
                    }
                }
            }
            """;

    @TempDir
    private Path directory;

    private ApiServer server;
    private KubernetesClient client;
    private Kubelet kubelet;
    private ServiceNetwork network;

    @BeforeEach
    void start() throws IOException {
        server = ApiServer.start(ApiServerOptions.at(directory.resolve("kubeconfig")));
        client = new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(server.kubeconfig().toFile()))
                .build();
        ImageFolders images =
                new ImageFolders(List.of(new Image(Pattern.compile("test"), "/opt/ratchet", directory, List.of())));
        KubeletOptions options = KubeletOptions.of(
                directory.resolve("node"), images, Map.of("PATH", String.valueOf(System.getenv("PATH"))));
        kubelet = Kubelet.start(client, options);
        server.register(kubelet.logs());
        network = ServiceNetwork.start(client);
    }

    @AfterEach
    void stop() throws IOException {
        network.close();
        kubelet.close();
        client.close();
        server.close();
    }

    @Test
    void aPodIsBoundRunsAndIsDeletedWhenItHasEnded() throws IOException {
        PodResource pod = create(pod("runs", "trap 'exit 0' TERM; echo hello; while :; do sleep 0.05; done"));
        pod.waitUntilReady(LIMIT_SECONDS, TimeUnit.SECONDS);
        assertThat(pod.get().getSpec().getNodeName())
                .isEqualTo(client.nodes().list().getItems().get(0).getMetadata().getName());
        await().atMost(LIMIT).until(() -> pod.getLog().contains("hello"));
        ProcessHandle process = new ProcessRecord(
                        directory.resolve("node/pods/" + pod.get().getMetadata().getUid() + "/containers/main.pid"))
                .process()
                .orElseThrow();
        pod.delete();
        pod.waitUntilCondition(present -> present == null, LIMIT_SECONDS, TimeUnit.SECONDS);
        assertThat(process.isAlive()).isFalse();
        await("what is told behind each act").atMost(LIMIT).untilAsserted(() -> assertThat(
                        client.v1().events().inNamespace("default").list().getItems())
                .extracting(Event::getReason)
                .contains("Scheduled", "Started", "Killing"));
    }

    @Test
    void aPodThatAsksForTooMuchWaitsAndSaysWhy() {
        Pod large = new PodBuilder(pod("large", "exec sleep 100"))
                .editSpec()
                .editFirstContainer()
                .withNewResources()
                .addToRequests("cpu", new Quantity("10000"))
                .endResources()
                .endContainer()
                .endSpec()
                .build();
        PodResource pod = create(large);
        pod.waitUntilCondition(
                present -> present.getStatus().getConditions().stream()
                        .anyMatch(condition -> "Unschedulable".equals(condition.getReason())
                                && condition.getMessage().contains("Insufficient cpu")),
                LIMIT_SECONDS,
                TimeUnit.SECONDS);
        pod.delete();
        pod.waitUntilCondition(present -> present == null, LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    @Test
    void aServiceForwardsToItsReadyPods() {
        Service service = client.services()
                .resource(new ServiceBuilder()
                        .withNewMetadata()
                        .withName("answers")
                        .withNamespace("default")
                        .endMetadata()
                        .withNewSpec()
                        .addToSelector("app", "answer")
                        .addNewPort()
                        .withName("main")
                        .withPort(7400)
                        .endPort()
                        .endSpec()
                        .build())
                .create();
        PodResource pod = create(answering());
        pod.waitUntilReady(LIMIT_SECONDS, TimeUnit.SECONDS);
        String expected = "from " + pod.get().getStatus().getPodIP();
        await().atMost(LIMIT)
                .ignoreExceptions()
                .until(() -> expected.equals(ask(service.getSpec().getClusterIP())));
        await().atMost(LIMIT).until(() -> client.endpoints().inNamespace("default").list().getItems().stream()
                .filter(endpoints -> endpoints.getMetadata().getName().equals("answers"))
                .flatMap(endpoints -> endpoints.getSubsets().stream())
                .flatMap(subset -> subset.getAddresses().stream())
                .anyMatch(address -> address.getTargetRef().getName().equals("answer")));
        client.services().resource(service).delete();
        await().atMost(LIMIT).until(() -> isRefused(service.getSpec().getClusterIP()));
    }

    @Test
    void aClaimIsAFolderThatOutlivesItsPodsButNotItself() {
        PersistentVolumeClaim claim = client.persistentVolumeClaims()
                .resource(new PersistentVolumeClaimBuilder()
                        .withNewMetadata()
                        .withName("data")
                        .withNamespace("default")
                        .endMetadata()
                        .withNewSpec()
                        .withAccessModes("ReadWriteOnce")
                        .withNewResources()
                        .addToRequests("storage", new Quantity("1Mi"))
                        .endResources()
                        .endSpec()
                        .build())
                .create();
        Path file = directory
                .resolve("node/claims")
                .resolve(claim.getMetadata().getUid())
                .resolve("file");
        PodResource first = create(mounting("first", "echo 1 > /data/file; exec sleep 100"));
        await().atMost(LIMIT).until(() -> Files.exists(file));
        first.withGracePeriod(0).delete();
        PodResource second = create(mounting("second", "cat /data/file; exec sleep 100"));
        second.waitUntilReady(LIMIT_SECONDS, TimeUnit.SECONDS);
        await().atMost(LIMIT).until(() -> second.getLog().contains("1"));
        client.persistentVolumeClaims().resource(claim).delete();
        assertThat(file).exists();
        second.withGracePeriod(0).delete();
        await().atMost(LIMIT).until(() -> !Files.exists(file));
        await().atMost(LIMIT)
                .until(() -> client.persistentVolumes().list().getItems().isEmpty());
    }

    private PodResource create(Pod pod) {
        client.pods().resource(pod).create();
        return client.pods().inNamespace("default").withName(pod.getMetadata().getName());
    }

    private static Pod pod(String name, String script) {
        return new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace("default")
                .addToLabels("app", name)
                .endMetadata()
                .withNewSpec()
                .withTerminationGracePeriodSeconds(10L)
                .addNewContainer()
                .withName("main")
                .withImage("test")
                .withCommand("sh", "-c", script)
                .endContainer()
                .endSpec()
                .build();
    }

    private static Pod mounting(String name, String script) {
        return new PodBuilder(pod(name, script))
                .editSpec()
                .addNewVolume()
                .withName("data")
                .withNewPersistentVolumeClaim("data", false)
                .endVolume()
                .editFirstContainer()
                .addNewVolumeMount()
                .withName("data")
                .withMountPath("/data")
                .endVolumeMount()
                .endContainer()
                .endSpec()
                .build();
    }

    private static Pod answering() {
        return new PodBuilder(pod("answer", "printf '%s' \"$SOURCE\" > /tmp/Answer.java; " + ANSWER))
                .editSpec()
                .addNewVolume()
                .withName("temp")
                .withNewEmptyDir()
                .endEmptyDir()
                .endVolume()
                .editFirstContainer()
                .addNewEnv()
                .withName("SOURCE")
                .withValue(ANSWER_SOURCE)
                .endEnv()
                .addNewEnv()
                .withName("IP")
                .withNewValueFrom()
                .withNewFieldRef("v1", "status.podIP")
                .endValueFrom()
                .endEnv()
                .addNewVolumeMount()
                .withName("temp")
                .withMountPath("/tmp")
                .endVolumeMount()
                .withNewReadinessProbe()
                .withNewTcpSocket()
                .withNewPort(7400)
                .endTcpSocket()
                .withPeriodSeconds(1)
                .endReadinessProbe()
                .endContainer()
                .endSpec()
                .build();
    }

    private static String ask(String address) throws IOException {
        try (Socket socket = new Socket(address, 7400)) {
            return new String(socket.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        }
    }

    private static boolean isRefused(String address) {
        try (Socket socket = new Socket(address, 7400)) {
            return !socket.isConnected();
        } catch (IOException e) {
            return true;
        }
    }
}
