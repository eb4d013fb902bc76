/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.e2e.environment.TestEnvironment;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** Deleting a cluster cleans up everything, keeps what it was told to keep, and never hangs. */
@Order(3)
class DeletionSuite {

    private final TestEnvironment environment = TestEnvironment.current();

    @Test
    void nothingIsLeftOfADeletedCluster() {
        Cluster cluster = Cluster.in(environment, "deletion", "gone").apply(1).awaitReady(1);
        cluster.delete();
        cluster.awaitThat("everything gone", () -> remains(cluster).isEmpty());
    }

    @Test
    void retainedVolumesOutliveTheClusterAndServeTheNextOne() throws InterruptedException {
        Cluster cluster = Cluster.in(environment, "deletion", "kept");
        environment.kubectl().apply(cluster.manifest(1, "Retain")).succeeded();
        cluster.awaitReady(1);
        dev.ratchet.client.FutureId id;
        try (var ratchet = cluster.connect()) {
            var future = ratchet.submit(Tasks.constant("remembered"));
            assertThat(future.get(Cluster.TIMEOUT)).isEqualTo("remembered");
            id = future.id();
        }
        cluster.delete();
        cluster.awaitThat("pods gone", () -> cluster.pods(Map.of("ratchet.dev/cluster", "kept"))
                .isEmpty());
        assertThat(remains(cluster)).anyMatch(name -> name.contains("data-kept-store-0"));

        environment.kubectl().apply(cluster.manifest(1, "Delete")).succeeded();
        cluster.awaitReady(1);
        try (var ratchet = cluster.connect()) {
            assertThat(ratchet.<String>future(id).get(Cluster.TIMEOUT)).isEqualTo("remembered");
        }
        cluster.delete();
        cluster.awaitThat("everything gone", () -> remains(cluster).isEmpty());
    }

    @Test
    void aClusterWhoseImageCanNotBePulledIsDeletedAllTheSame() {
        Cluster cluster = Cluster.in(environment, "deletion", "no-image");
        String manifest = cluster.manifest(1, "Delete")
                .replace(
                        "version: " + Cluster.VERSION,
                        "version: " + Cluster.VERSION + "\n  image: nowhere/worker:none");
        environment.kubectl().apply(manifest).succeeded();
        cluster.awaitThat(
                "a pod without an image", () -> cluster.pods(Map.of("ratchet.dev/cluster", "no-image")).stream()
                        .flatMap(pod -> pod.getStatus().getContainerStatuses().stream())
                        .anyMatch(status -> status.getState().getWaiting() != null
                                && status.getState().getWaiting().getReason().contains("Image")));
        cluster.awaitThat("not ready", () -> "False".equals(cluster.condition("Ready")));
        cluster.delete();
        cluster.awaitThat("everything gone", () -> remains(cluster).isEmpty());
    }

    @Test
    void aClusterWithoutWorkersIsDeleted() {
        Cluster cluster = Cluster.in(environment, "deletion", "empty").apply(0);
        cluster.awaitThat("the store", () -> cluster.pods(Map.of("ratchet.dev/cluster", "empty")).stream()
                .anyMatch(Cluster::isReady));
        cluster.delete();
        cluster.awaitThat("everything gone", () -> remains(cluster).isEmpty());
    }

    private List<String> remains(Cluster cluster) {
        Map<String, String> labels = Map.of("ratchet.dev/cluster", cluster.name);
        List<HasMetadata> found = new ArrayList<>();
        var client = environment.client();
        String namespace = cluster.namespace;
        found.addAll(
                client.pods().inNamespace(namespace).withLabels(labels).list().getItems());
        found.addAll(client.services()
                .inNamespace(namespace)
                .withLabels(labels)
                .list()
                .getItems());
        found.addAll(client.secrets()
                .inNamespace(namespace)
                .withLabels(labels)
                .list()
                .getItems());
        found.addAll(client.configMaps()
                .inNamespace(namespace)
                .withLabels(labels)
                .list()
                .getItems());
        found.addAll(client.persistentVolumeClaims()
                .inNamespace(namespace)
                .withLabels(labels)
                .list()
                .getItems());
        found.addAll(cluster.resources("ComputeWorker"));
        found.addAll(cluster.resources("ComputeLayout"));
        return found.stream()
                .map(resource ->
                        resource.getKind() + "/" + resource.getMetadata().getName())
                .toList();
    }
}
