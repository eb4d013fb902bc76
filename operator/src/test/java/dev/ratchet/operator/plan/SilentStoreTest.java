/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.crds.cluster.FoundationDbStore;
import dev.ratchet.crds.cluster.StoreType;
import dev.ratchet.operator.world.World;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the conditions of a cluster say of a FoundationDB that its workers can not use. */
class SilentStoreTest {

    private static final String SEAT = "orders-w-0";

    private final World world = new World();

    @BeforeEach
    void cluster() {
        world.edit(spec -> {
            spec.store.type = StoreType.FOUNDATION_DB;
            spec.store.foundationDB = new FoundationDbStore();
            spec.store.foundationDB.clusterFile.secretKeyRef.name = "fdb";
            spec.store.foundationDB.clusterFile.secretKeyRef.key = "fdb.cluster";
        });
        world.reconcile();
        assertThat(world.pods()).containsOnlyKeys(SEAT);
    }

    private void kubeletSays(PodStatusBuilder status) {
        Pod pod = world.pods().get(SEAT);
        world.api.put(new PodBuilder(pod).withStatus(status.build()).build());
    }

    private static ContainerStatus container(String name, ContainerState state, ContainerState last) {
        return new ContainerStatusBuilder()
                .withName(name)
                .withRestartCount(1)
                .withState(state)
                .withLastState(last)
                .build();
    }

    private static ContainerState ended(int exitCode, String message) {
        return new ContainerStateBuilder()
                .withNewTerminated()
                .withExitCode(exitCode)
                .withMessage(message)
                .endTerminated()
                .build();
    }

    private static ContainerState backingOff() {
        return new ContainerStateBuilder()
                .withNewWaiting()
                .withReason("CrashLoopBackOff")
                .endWaiting()
                .build();
    }

    private String message(String type) {
        return world.writeStatus().conditions.stream()
                .filter(condition -> condition.getType().equals(type))
                .map(condition -> condition.getMessage())
                .findFirst()
                .orElse("");
    }

    @Test
    void aWorkerThatWaitsForItsStoreSaysSoThroughTheLastProcess() {
        ContainerState running = new ContainerStateBuilder()
                .withNewRunning()
                .withStartedAt("2026-01-01T00:00:00Z")
                .endRunning()
                .build();
        kubeletSays(new PodStatusBuilder()
                .withPhase("Running")
                .withContainerStatuses(container("worker", running, ended(6, "no coordinator answers\n"))));
        assertThat(world.condition("Ready")).isEqualTo("False WaitingForStore");
        assertThat(world.condition("Degraded")).isEqualTo("True WaitingForStore");
        assertThat(message("Ready")).isEqualTo("pod orders-w-0 waits for the store: no coordinator answers");

        world.lose(SEAT);
        world.reconcile();
        world.kubelet();
        world.reconcile();
        assertThat(world.condition("Ready")).isEqualTo("True AllWorkersReady");
    }

    @Test
    void aProcessThatEndsAgainAndAgainSaysWhy() {
        kubeletSays(new PodStatusBuilder()
                .withPhase("Running")
                .withContainerStatuses(container("worker", backingOff(), ended(2, "libfdb_c.so can not be loaded"))));
        assertThat(world.condition("Ready")).isEqualTo("False PodsCanNotStart");
        assertThat(message("Degraded"))
                .isEqualTo("the process of pod orders-w-0 ends again and again: libfdb_c.so can not be loaded");
    }

    @Test
    void aContainerThatReachedItsMemoryLimitSaysWhatToRaise() {
        ContainerState killed = new ContainerStateBuilder()
                .withNewTerminated()
                .withExitCode(137)
                .withReason("OOMKilled")
                .endTerminated()
                .build();
        kubeletSays(new PodStatusBuilder()
                .withPhase("Running")
                .withContainerStatuses(container("worker", backingOff(), killed)));
        assertThat(message("Degraded"))
                .isEqualTo("the container of pod orders-w-0 took more memory than its limit and was killed; raise"
                        + " spec.workers.resources.limits.memory");
    }

    @Test
    void anInitContainerThatFailsIsTroubleToo() {
        kubeletSays(new PodStatusBuilder()
                .withPhase("Pending")
                .withInitContainerStatuses(
                        container("cluster-file", backingOff(), ended(1, "the Secret has no key fdb.cluster"))));
        assertThat(world.condition("Ready")).isEqualTo("False PodsCanNotStart");
        assertThat(message("Ready")).contains("the Secret has no key fdb.cluster");
    }
}
