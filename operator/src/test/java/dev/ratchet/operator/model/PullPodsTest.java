/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.crds.ComputeCluster;
import dev.ratchet.crds.cluster.ComputeClusterSpec;
import dev.ratchet.crds.cluster.EmbeddedStoreSpec;
import dev.ratchet.crds.cluster.StoreType;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PullPodsTest {
    private final EmbeddedStoreSpec store = new EmbeddedStoreSpec();

    @Test
    void whatTheStoreNamesOfCpuAndMemoryIsNamedAndNoMoreThanAVersionTakes() {
        store.resources.requests.put("cpu", new Quantity("50m"));
        store.resources.requests.put("memory", new Quantity("1Gi"));
        store.resources.limits.put("cpu", new Quantity("2"));
        store.resources.limits.put("memory", new Quantity("4Gi"));
        assertThat(resources().getRequests())
                .isEqualTo(Map.of("cpu", new Quantity("50m"), "memory", new Quantity("256Mi")));
        assertThat(resources().getLimits())
                .isEqualTo(Map.of("cpu", new Quantity("100m"), "memory", new Quantity("256Mi")));
    }

    @Test
    void noDeviceOfTheNodeIsTakenFromTheStore() {
        store.resources.limits.put("example.com/device", new Quantity("1"));
        assertThat(resources().getLimits()).isEmpty();
    }

    @Test
    void whereTheStoreNamesNothingNothingIsNamed() {
        assertThat(resources().getRequests()).isEmpty();
        assertThat(resources().getLimits()).isEmpty();
    }

    /** What the pod beside the store has. */
    private ResourceRequirements resources() {
        ComputeClusterSpec spec = new ComputeClusterSpec();
        spec.version = "0.1.0";
        spec.store.type = StoreType.EMBEDDED;
        spec.store.embedded = store;
        ComputeCluster cluster = new ComputeCluster();
        cluster.setMetadata(new ObjectMetaBuilder()
                .withName("orders")
                .withNamespace("team-a")
                .withUid("u")
                .build());
        Settings settings = new Settings("0.1.0", "ratchet/worker:0.1.0", true, "policy/v1", PodSettings.DEFAULT);
        Target target = Target.of(cluster, spec, settings);
        return PullPods.pod(target, StorePods.pod(target))
                .getSpec()
                .getContainers()
                .getFirst()
                .getResources();
    }
}
