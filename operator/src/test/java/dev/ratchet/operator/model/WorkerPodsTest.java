/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.crds.ComputeCluster;
import dev.ratchet.crds.cluster.ComputeClusterSpec;
import dev.ratchet.crds.cluster.FoundationDbStore;
import dev.ratchet.crds.cluster.StorageSpec;
import dev.ratchet.crds.cluster.StoreType;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSecurityContext;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class WorkerPodsTest {
    private final ComputeClusterSpec spec = new ComputeClusterSpec();

    WorkerPodsTest() {
        spec.version = "0.1.0";
    }

    @Test
    void allPodsHoldToTheRestrictedProfileWithAReadOnlyRoot() {
        foundationDb();
        Target foundation = target();
        Pod worker = pod(foundation, "orders-w-0");
        Pod clear = ClearPods.pod(foundation);
        spec.store.type = StoreType.EMBEDDED;
        spec.store.foundationDB = null;
        Stream.of(worker, clear, StorePods.pod(target())).forEach(WorkerPodsTest::checkRestricted);
    }

    @Test
    void whatTheAdministratorSaysOfPodsReachesEveryPod() {
        foundationDb();
        PodSettings pods = new PodSettings(List.of("registry"), false, "DEBUG", "json", Set.of(), List.of());
        Target foundation = target(new Settings("0.1.0", "ratchet/worker:0.1.0", true, "policy/v1", pods));
        Pod worker = pod(foundation, "orders-w-0");
        Pod clear = ClearPods.pod(foundation);
        spec.store.type = StoreType.EMBEDDED;
        spec.store.foundationDB = null;
        Pod store = StorePods.pod(target(foundation.settings()));
        assertThat(List.of(worker, clear, store)).allSatisfy(pod -> {
            assertThat(pod.getSpec().getImagePullSecrets())
                    .extracting(LocalObjectReference::getName)
                    .containsExactly("registry");
            PodSecurityContext security = pod.getSpec().getSecurityContext();
            assertThat(security.getRunAsNonRoot()).isTrue();
            assertThat(security.getRunAsUser()).isNull();
            assertThat(security.getRunAsGroup()).isNull();
            assertThat(security.getFsGroup()).isNull();
            assertThat(variables(pod))
                    .containsEntry("RATCHET_LOG_LEVEL", "DEBUG")
                    .containsEntry("RATCHET_LOG_FORMAT", "json");
        });
    }

    private static void checkRestricted(Pod pod) {
        assertThat(pod.getSpec().getSecurityContext().getRunAsNonRoot()).isTrue();
        assertThat(pod.getSpec().getSecurityContext().getRunAsUser()).isPositive();
        assertThat(pod.getSpec().getSecurityContext().getSeccompProfile().getType())
                .isEqualTo("RuntimeDefault");
        assertThat(pod.getSpec().getAutomountServiceAccountToken()).isFalse();
        assertThat(pod.getSpec().getEnableServiceLinks()).isFalse();
        assertThat(pod.getSpec().getHostNetwork()).isNull();
        Stream.concat(pod.getSpec().getContainers().stream(), pod.getSpec().getInitContainers().stream())
                .map(Container::getSecurityContext)
                .forEach(security -> {
                    assertThat(security.getAllowPrivilegeEscalation()).isFalse();
                    assertThat(security.getReadOnlyRootFilesystem()).isTrue();
                    assertThat(security.getCapabilities().getDrop()).containsExactly("ALL");
                });
    }

    @Test
    void aWorkerIsGivenWhatTheContractSays() {
        Pod pod = pod(target(), "orders-w-0");
        Container worker = pod.getSpec().getContainers().get(0);
        assertThat(worker.getCommand()).containsExactly("/opt/ratchet/bin/worker");
        assertThat(worker.getEnv())
                .extracting(EnvVar::getName)
                .contains(
                        "RATCHET_SEAT",
                        "RATCHET_NAMESPACE",
                        "RATCHET_POD_UID",
                        "RATCHET_POD_IP",
                        "RATCHET_HOST",
                        "RATCHET_CLUSTER",
                        "RATCHET_CONFIG_DIR",
                        "RATCHET_TLS_DIR",
                        "RATCHET_DATA_DIR",
                        "RATCHET_TEMP_DIR",
                        "RATCHET_TERMINATION_LOG",
                        "RATCHET_THREADS",
                        "RATCHET_OBJECT_STORE_MEMORY_BYTES",
                        "RATCHET_OBJECT_STORE_SPILL_BYTES",
                        "RATCHET_DRAIN_TIMEOUT_MILLIS",
                        "RATCHET_JAVA_OPTIONS")
                .as("the release is read from the image, which may change in the pod's life")
                .doesNotContain("RATCHET_VERSION");
        assertThat(worker.getLivenessProbe().getHttpGet().getPort().getIntVal()).isEqualTo(7402);
        assertThat(pod.getMetadata().getLabels())
                .containsEntry("ratchet.dev/seat", "orders-w-0")
                .containsEntry("ratchet.dev/component", "worker");
    }

    @Test
    void theGracePeriodIsLongerThanTheDrain() {
        spec.workers.drainTimeoutMillis = 90_500;
        assertThat(pod(target(), "orders-w-0").getSpec().getTerminationGracePeriodSeconds())
                .isEqualTo(121);
    }

    @Test
    void theHeapLeavesRoomForTheObjectStoreAndTheMachine() {
        spec.workers.resources.limits.put("memory", new Quantity("1Gi"));
        spec.workers.objectStore.memory = new Quantity("256Mi");
        Map<String, String> variables = variables(pod(target(), "orders-w-0"));
        assertThat(variables).containsEntry("RATCHET_OBJECT_STORE_MEMORY_BYTES", "268435456");
        assertThat(variables.get("RATCHET_JAVA_OPTIONS")).contains("-Xmx608m");
    }

    @Test
    void anObjectStoreOfMoreThanAPodsOwnSharedMemoryHasItsMemoryShared() {
        spec.workers.objectStore.memory = new Quantity("64Mi");
        assertThat(sharedMemory(pod(target(), "orders-w-0"))).isEmpty();

        spec.workers.objectStore.memory = new Quantity("65Mi");
        Pod pod = pod(target(), "orders-w-0");
        assertThat(sharedMemory(pod)).singleElement().satisfies(mount -> assertThat(
                        pod.getSpec().getVolumes())
                .filteredOn(volume -> volume.getName().equals(mount.getName()))
                .singleElement()
                .satisfies(volume -> {
                    assertThat(volume.getEmptyDir().getMedium()).isEqualTo("Memory");
                    assertThat(volume.getEmptyDir().getSizeLimit()).isEqualTo(new Quantity("68157440"));
                }));
    }

    private static List<VolumeMount> sharedMemory(Pod pod) {
        return pod.getSpec().getContainers().get(0).getVolumeMounts().stream()
                .filter(mount -> mount.getMountPath().equals("/dev/shm"))
                .toList();
    }

    @Test
    void theRevisionIsThatOfTheFieldsOfClassUpgrade() {
        String before = revision().update();
        spec.workers.replicas = 9;
        spec.workers.drainTimeoutMillis = 1;
        spec.workers.podTemplate = new PodTemplateSpecBuilder().build();
        assertThat(revision().update()).isEqualTo(before);
        assertThat(pod(target(), "orders-w-3").getMetadata().getAnnotations())
                .containsEntry("ratchet.dev/revision", before);
        spec.workers.threads = 9;
        assertThat(revision().update()).isNotEqualTo(before);
        spec.workers.threads = 1;
        assertThat(revision().update()).isEqualTo(before);
    }

    @Test
    void whatIsASeatsOwnIsPutIntoTheTemplateThatAllShare() {
        spec.workers.storage = new StorageSpec();
        Pod pod = pod(target(), "orders-w-3");
        assertThat(pod.getMetadata().getLabels()).containsEntry("ratchet.dev/seat", "orders-w-3");
        assertThat(pod.getSpec().getVolumes())
                .filteredOn(volume -> volume.getName().equals("tls"))
                .extracting(volume -> volume.getSecret().getSecretName())
                .containsExactly("orders-w-3-tls");
        assertThat(pod.getSpec().getVolumes())
                .filteredOn(volume -> volume.getName().equals("data"))
                .extracting(volume -> volume.getPersistentVolumeClaim().getClaimName())
                .containsExactly("data-orders-w-3");
        assertThat(WorkerPods.template(target()).toString()).doesNotContain("orders-w-3");
    }

    private WorkerRevisions revision() {
        return WorkerRevisions.of(List.of(), target(), 1, "");
    }

    /** The pod as it is made from the revision of its target. */
    private static Pod pod(Target target, String seat) {
        return WorkerPods.pod(
                target,
                seat,
                WorkerRevisions.of(List.of(), target, 1, "").made().orElseThrow());
    }

    @Test
    void aTemplateIsMergedAsAPersonExpects() {
        spec.workers.podTemplate = new PodTemplateSpecBuilder()
                .withNewMetadata()
                .addToLabels("team", "a")
                .endMetadata()
                .withNewSpec()
                .addToNodeSelector("disk", "ssd")
                .addNewToleration()
                .withKey("gpu")
                .endToleration()
                .addNewVolume()
                .withName("cache")
                .endVolume()
                .addNewContainer()
                .withName("worker")
                .addNewEnv()
                .withName("HTTP_PROXY")
                .withValue("http://proxy")
                .endEnv()
                .addNewEnv()
                .withName("RATCHET_JAVA_OPTIONS")
                .withValue("-Xmx1g")
                .endEnv()
                .addNewVolumeMount()
                .withName("cache")
                .withMountPath("/cache")
                .endVolumeMount()
                .endContainer()
                .addNewContainer()
                .withName("sidecar")
                .withImage("sidecar")
                .endContainer()
                .endSpec()
                .build();
        Pod pod = pod(target(), "orders-w-0");
        assertThat(pod.getMetadata().getLabels()).containsEntry("team", "a").containsKey("ratchet.dev/seat");
        assertThat(pod.getSpec().getNodeSelector()).containsEntry("disk", "ssd");
        assertThat(pod.getSpec().getTolerations()).hasSize(1);
        assertThat(pod.getSpec().getVolumes())
                .extracting(volume -> volume.getName())
                .contains("cache", "tls", "data");
        assertThat(pod.getSpec().getContainers()).extracting(Container::getName).containsExactly("worker", "sidecar");
        Container worker = pod.getSpec().getContainers().get(0);
        assertThat(worker.getCommand()).containsExactly("/opt/ratchet/bin/worker");
        assertThat(worker.getVolumeMounts())
                .extracting(mount -> mount.getMountPath())
                .contains("/cache", "/etc/ratchet/tls");
        assertThat(variables(pod))
                .containsEntry("HTTP_PROXY", "http://proxy")
                .containsEntry("RATCHET_JAVA_OPTIONS", "-Xmx1g")
                .containsEntry("RATCHET_CLUSTER", "orders");
    }

    @Test
    void aVolumeIsClaimedOnlyWhereOneIsAskedFor() {
        assertThat(VolumeClaims.worker(target(), "orders-w-0")).isEmpty();
        spec.workers.storage = new StorageSpec();
        assertThat(VolumeClaims.worker(target(), "orders-w-0")
                        .orElseThrow()
                        .getMetadata()
                        .getOwnerReferences())
                .isEmpty();
    }

    @Test
    void aReleaseBecomesATagUnlessAnImageIsNamed() {
        assertThat(Images.of(spec, settings("registry:5000/ratchet/worker:0.1.0")))
                .isEqualTo("registry:5000/ratchet/worker:0.1.0");
        spec.version = "0.0.9";
        assertThat(Images.of(spec, settings("registry:5000/ratchet/worker:0.1.0")))
                .isEqualTo("registry:5000/ratchet/worker:0.0.9");
        assertThat(Images.of(spec, settings("registry:5000/ratchet/worker")))
                .isEqualTo("registry:5000/ratchet/worker:0.0.9");
        spec.image = "mine";
        assertThat(Images.of(spec, settings("ratchet/worker:0.1.0"))).isEqualTo("mine");
        assertThat(Images.isNewer("0.2.0", "0.1.9")).isTrue();
        assertThat(Images.isNewer("0.1.0-rc1", "0.1.0")).isFalse();
    }

    private void foundationDb() {
        spec.store.type = StoreType.FOUNDATION_DB;
        spec.store.foundationDB = new FoundationDbStore();
        spec.store.foundationDB.clusterFile.secretKeyRef.name = "fdb";
        spec.store.foundationDB.clusterFile.secretKeyRef.key = "fdb.cluster";
        spec.store.foundationDB.clientImage = "foundationdb/foundationdb:7.3.69";
    }

    private Target target() {
        return target(settings("ratchet/worker:0.1.0"));
    }

    private Target target(Settings settings) {
        ComputeCluster cluster = new ComputeCluster();
        cluster.setMetadata(new ObjectMetaBuilder()
                .withName("orders")
                .withNamespace("team-a")
                .withUid("u")
                .build());
        return Target.of(cluster, spec, settings);
    }

    private static Settings settings(String image) {
        return new Settings("0.1.0", image, true, "policy/v1", PodSettings.DEFAULT);
    }

    private static Map<String, String> variables(Pod pod) {
        List<EnvVar> variables = pod.getSpec().getContainers().get(0).getEnv();
        return variables.stream()
                .filter(variable -> variable.getValue() != null)
                .collect(Collectors.toMap(EnvVar::getName, EnvVar::getValue));
    }
}
