/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.FutureId;
import dev.ratchet.client.simulated.SimulatedTask;
import dev.ratchet.protocol.futures.v1.Copy;
import dev.ratchet.protocol.futures.v1.State;
import dev.ratchet.simulation.cluster.SimulatedCluster;
import dev.ratchet.simulation.cluster.SimulatedWorker;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Scenarios in which the files of a seat outlive its processes, and in which values that can not be computed again are
 * there in the end. More seeds: {@code -Dratchet.volumeSeeds=1000}.
 */
class VolumeScenarioTest extends Scenarios {

    @TempDir
    Path directory;

    static LongStream seeds() {
        long first = Long.getLong("ratchet.firstSeed", 1);
        return LongStream.range(first, first + Integer.getInteger("ratchet.volumeSeeds", 40));
    }

    @Override
    Scenario scenario(long seed) {
        return super.scenario(seed).withVolumes();
    }

    @Test
    void theOnlyWorkerServesAgainWhatItHadBeforeItWasKilled() {
        try (FuturesCluster futures = new FuturesCluster(new SimulatedCluster(1).withVolumes(directory), 1)) {
            SimulatedTask task = new SimulatedTask(1, 10, SimulatedTask.Kind.LARGE);
            FutureId id = futures.client.submit(task, List.of());
            futures.untilDone(10_000);
            Copy first = copy(futures, id);

            SimulatedWorker killed = futures.workers.getFirst();
            killed.kill();
            SimulatedWorker second = futures.cluster.start("orders-w-0", "pod-orders-w-0", 2, killed.address(), 0);
            futures.cluster.world.until("the seat is taken again", 30_000, second::isHealthy);

            assertThat(copy(futures, id).getIncarnation()).isGreaterThan(first.getIncarnation());
            assertThat(second.work().now().objects()).isEqualTo(1);
            assertThat(futures.times(id)).isEqualTo(1);
        }
    }

    @Test
    void whatCanNotBeComputedAgainIsReadAgainOnceTheSeatOfItsKilledWorkerHasAProcess() {
        try (FuturesCluster futures = new FuturesCluster(new SimulatedCluster(1).withVolumes(directory), 3)) {
            SimulatedTask task = new SimulatedTask(1, 1_000, SimulatedTask.Kind.LARGE_ONCE);
            FutureId id = futures.client.submit(task, List.of());
            SimulatedWorker killed = futures.runner(id);
            futures.untilDone(10_000);
            killed.kill();
            futures.cluster.world.run(60_000);
            FutureId next = futures.client.submit(new SimulatedTask(2, 10, SimulatedTask.Kind.SMALL), List.of(id));
            futures.cluster.world.run(10_000);
            assertThat(futures.record(next).getState()).isEqualTo(State.STATE_DELAYED);

            SimulatedWorker second = futures.cluster.start(killed.name(), "pod-2", 1, "10.9.9.9:7400", 0);
            futures.cluster.world.until("the seat is taken again", 30_000, second::isHealthy);

            int bytes = futures.cluster.await(futures.client.read(id)).size();
            assertThat(bytes)
                    .isEqualTo(futures.record(id).getResult().getObject().getBytes());
            futures.untilDone(10_000);
            assertThat(futures.record(next).getState()).isEqualTo(State.STATE_REALIZED);
            assertThat(futures.times(id)).isEqualTo(1);
        }
    }

    private static Copy copy(FuturesCluster futures, FutureId id) {
        return futures.record(id).getResult().getObject().getCopies(0);
    }
}
