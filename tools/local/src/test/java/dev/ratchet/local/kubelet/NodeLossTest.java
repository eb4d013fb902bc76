/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.kubelet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ratchet.local.apiserver.ApiServer;
import dev.ratchet.local.apiserver.ApiServerOptions;
import dev.ratchet.local.kubelet.ImageFolders.Image;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.PodResource;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three nodes of real processes, of which people cordon, take away and delete some. */
class NodeLossTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration TOLERATED = Duration.ofSeconds(2);
    private static final String LOST = "local.ratchet.dev/lost";
    private static final String RUN = "trap 'exit 0' TERM; while :; do sleep 0.05; done";

    @TempDir
    private Path directory;

    private ApiServer server;
    private KubernetesClient client;
    private Kubelet kubelet;
    private List<String> nodes;

    @BeforeEach
    void threeNodes() throws IOException {
        server = ApiServer.start(ApiServerOptions.at(directory.resolve("kubeconfig")));
        client = new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(server.kubeconfig().toFile()))
                .build();
        ImageFolders images =
                new ImageFolders(List.of(new Image(Pattern.compile("test"), "/opt/ratchet", directory, List.of())));
        KubeletOptions options = KubeletOptions.of(
                        directory.resolve("nodes"), images, Map.of("PATH", String.valueOf(System.getenv("PATH"))))
                .withNodes(3)
                .withLossTolerated(TOLERATED);
        nodes = options.nodes();
        kubelet = Kubelet.start(client, options);
    }

    @AfterEach
    void stop() throws IOException {
        kubelet.close();
        client.close();
        server.close();
    }

    @Test
    void podsAreSpreadAndNoneIsPlacedOnACordonedNode() {
        assertThat(Stream.of("a", "b", "c").map(this::started).map(NodeLossTest::node))
                .containsExactlyInAnyOrderElementsOf(nodes);
        cordon(nodes.get(0), true);
        cordon(nodes.get(1), true);
        assertThat(node(started("d"))).isEqualTo(nodes.get(2));
        cordon(nodes.get(2), true);
        PodResource waiting = create("e");
        await("told why it waits")
                .atMost(LIMIT)
                .until(
                        () -> message(waiting.get()),
                        message -> message.equals("0/3 nodes are available: 3 node(s) were unschedulable."));
        cordon(nodes.get(1), false);
        waiting.waitUntilReady(LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertThat(node(waiting.get())).isEqualTo(nodes.get(1));
    }

    @Test
    void processesOfALostNodeAreKilledAndItsPodsAreToldToEndButStayUntilItIsBack() {
        Pod pod = started("a");
        String node = node(pod);
        ProcessHandle process = process(pod);
        annotate(node, "true");
        await("the process is killed").atMost(LIMIT).until(() -> !process.isAlive());
        await("nobody knows of the node").atMost(LIMIT).until(() -> ready(node).equals("Unknown"));
        await("the pod is told to end")
                .atMost(LIMIT)
                .until(() -> get("a").getMetadata().getDeletionTimestamp() != null);
        assertThat(get("a").getStatus().getConditions())
                .anyMatch(condition -> condition.getType().equals("Ready")
                        && condition.getStatus().equals("False"));
        assertThat(node(started("b"))).isNotEqualTo(node);
        annotate(node, null);
        await("the node confirms the end").atMost(LIMIT).until(() -> get("a") == null);
        await("the node is ready").atMost(LIMIT).until(() -> ready(node).equals("True"));
    }

    @Test
    void podsThatTolerateTheLossRunAgainWithTheirVolumesWhenTheNodeIsBack() {
        client.configMaps()
                .inNamespace("default")
                .resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName("settings")
                        .endMetadata()
                        .addToData("a", "1")
                        .build())
                .create();
        PodResource pod = create(new PodBuilder(pod("a"))
                .editSpec()
                .addNewToleration("NoExecute", "node.kubernetes.io/unreachable", "Exists", null, null)
                .addNewVolume()
                .withName("settings")
                .withNewConfigMap()
                .withName("settings")
                .endConfigMap()
                .endVolume()
                .editFirstContainer()
                .addNewVolumeMount()
                .withName("settings")
                .withMountPath("/settings")
                .endVolumeMount()
                .endContainer()
                .endSpec()
                .build());
        pod.waitUntilReady(LIMIT.toSeconds(), TimeUnit.SECONDS);
        String node = node(pod.get());
        ProcessHandle before = process(pod.get());
        annotate(node, "true");
        await("the pod is not ready").atMost(LIMIT).until(() -> pod.get().getStatus().getConditions().stream()
                .noneMatch(condition -> condition.getType().equals("Ready")
                        && condition.getStatus().equals("True")));
        annotate(node, null);
        pod.waitUntilReady(LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertThat(process(pod.get())).isNotEqualTo(before);
        assertThat(before.isAlive()).isFalse();
    }

    @Test
    void podsOfADeletedNodeAreGone() {
        Pod pod = started("a");
        ProcessHandle process = process(pod);
        client.nodes().withName(node(pod)).delete();
        await("the pod is gone").atMost(LIMIT).until(() -> get("a") == null);
        await("its process is gone").atMost(LIMIT).until(() -> !process.isAlive());
    }

    private Pod started(String name) {
        return create(name).waitUntilReady(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    private PodResource create(String name) {
        return create(pod(name));
    }

    private PodResource create(Pod pod) {
        client.pods().inNamespace("default").resource(pod).create();
        return client.pods().inNamespace("default").withName(pod.getMetadata().getName());
    }

    private static Pod pod(String name) {
        return new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("main")
                .withImage("test")
                .withCommand("sh", "-c", RUN)
                .endContainer()
                .endSpec()
                .build();
    }

    private Pod get(String name) {
        return client.pods().inNamespace("default").withName(name).get();
    }

    private static String node(Pod pod) {
        return pod.getSpec().getNodeName();
    }

    private static String message(Pod pod) {
        return pod.getStatus() == null
                ? ""
                : pod.getStatus().getConditions().stream()
                        .filter(condition -> condition.getType().equals("PodScheduled"))
                        .map(condition -> String.valueOf(condition.getMessage()))
                        .findFirst()
                        .orElse("");
    }

    /** The process of a pod, which is recorded soon after the pod is ready. */
    private ProcessHandle process(Pod pod) {
        ProcessRecord record = new ProcessRecord(
                directory.resolve("nodes/pods/" + pod.getMetadata().getUid() + "/containers/main.pid"));
        return await("the process is recorded")
                .atMost(LIMIT)
                .until(record::process, Optional::isPresent)
                .orElseThrow();
    }

    private String ready(String node) {
        return client.nodes().withName(node).get().getStatus().getConditions().stream()
                .filter(condition -> condition.getType().equals("Ready"))
                .map(condition -> condition.getStatus())
                .findFirst()
                .orElse("");
    }

    private void cordon(String node, boolean unschedulable) {
        client.nodes().withName(node).edit(found -> found.edit()
                .editSpec()
                .withUnschedulable(unschedulable)
                .endSpec()
                .build());
    }

    private void annotate(String node, String value) {
        client.nodes().withName(node).edit(found -> {
            var metadata = found.edit().editMetadata();
            return (value == null ? metadata.removeFromAnnotations(LOST) : metadata.addToAnnotations(LOST, value))
                    .endMetadata()
                    .build();
        });
    }
}
