/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.operator.world.World;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What events tell of an upgrade. */
class EventRecorderTest {
    private static final int ROUNDS = 120;
    private static final int WORKERS = 2;

    private final World world = new World();

    @BeforeEach
    void twoWorkers() {
        world.edit(spec -> {
            spec.upgrade.gates.stableMillis = 2_000;
            spec.upgrade.gates.timeoutMillis = 30_000;
        });
        world.scale(WORKERS);
        world.settle();
        world.writeStatus();
    }

    @Test
    void anUpgradeIsToldWorkerByWorker() {
        world.edit(spec -> spec.image = "ratchet/worker:second");
        assertThat(told())
                .anyMatch(event -> event.startsWith("Upgrading") && event.contains("updated 1/2"))
                .allMatch(event -> event.startsWith("Upgrading"));
    }

    @Test
    void whyAnUpgradeDoesNotGoOnAndThatItWasTakenBackIsToldOnce() {
        world.missingImages.add("ratchet/worker:bad");
        world.edit(spec -> spec.image = "ratchet/worker:bad");
        assertThat(told())
                .filteredOn(event -> !event.startsWith("Upgrading"))
                .satisfiesOnlyOnce(event -> assertThat(event).startsWith("PodsCanNotStart"))
                .satisfiesOnlyOnce(event -> assertThat(event).startsWith("RolledBack"));
    }

    private List<String> told() {
        List<String> told = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            List<Condition> before = List.copyOf(world.cluster.getStatus().conditions);
            world.round();
            EventRecorder.news(before, world.writeStatus().conditions)
                    .forEach(news -> told.add(news.getReason() + " " + news.getMessage()));
        }
        return told;
    }
}
