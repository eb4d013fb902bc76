/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.crds.cluster.FoundationDbStore;
import dev.ratchet.crds.cluster.StoreType;
import dev.ratchet.operator.world.World;
import io.fabric8.kubernetes.api.model.Container;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What of a FoundationDB store may change under workers: how they reach it, and not which one it is. */
class FoundationDbUpgradeTest {

    private static final int WORKERS = 3;
    private static final int ROUNDS_MAX = 200;

    private final World world = new World();

    @BeforeEach
    void threeWorkers() {
        world.edit(spec -> {
            spec.store.type = StoreType.FOUNDATION_DB;
            spec.store.foundationDB = new FoundationDbStore();
            spec.store.foundationDB.clusterFile.secretKeyRef.name = "fdb";
            spec.store.foundationDB.clusterFile.secretKeyRef.key = "fdb.cluster";
            spec.store.foundationDB.clientImage = "foundationdb/foundationdb:7.3.69";
            spec.upgrade.gates.stableMillis = 2_000;
        });
        world.scale(WORKERS);
        world.settle();
    }

    private List<String> clientImages() {
        return world.workerPods().values().stream()
                .flatMap(pod -> pod.getSpec().getInitContainers().stream())
                .map(Container::getImage)
                .filter(image -> image.startsWith("foundationdb/"))
                .toList();
    }

    @Test
    void anotherClientLibraryRollsThroughAllWorkers() {
        world.edit(spec -> spec.store.foundationDB.clientImage = "foundationdb/foundationdb:7.4.6");
        for (int round = 0;
                round < ROUNDS_MAX && clientImages().contains("foundationdb/foundationdb:7.3.69");
                round++) {
            assertThat(world.workerPods().size()).isBetween(WORKERS, WORKERS + 1);
            world.round();
        }

        assertThat(world.plan().acceptance().isAccepted()).isTrue();
        assertThat(clientImages()).hasSize(WORKERS).containsOnly("foundationdb/foundationdb:7.4.6");
    }

    @Test
    void anotherClusterFileIsRefusedWhileWorkersRun() {
        world.edit(spec -> spec.store.foundationDB.clusterFile.secretKeyRef.name = "others");

        assertThat(world.plan().acceptance().message())
                .contains("spec.store.foundationDB.clusterFile")
                .contains("set spec.workers.replicas to 0");
    }
}
