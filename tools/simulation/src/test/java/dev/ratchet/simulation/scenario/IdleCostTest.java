/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.membership.coordinator.ClusterReportStream;
import dev.ratchet.protocol.coordinator.v1.ClusterReport;
import dev.ratchet.simulation.cluster.FuturesWork;
import dev.ratchet.simulation.cluster.SimulatedCluster;
import dev.ratchet.simulation.cluster.SimulatedWorker;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a cluster that has nothing to do asks of its store. */
class IdleCostTest {

    private static final int WORKERS = 8;
    private static final int SECONDS = 300;

    @TempDir
    Path directory;

    @Test
    void anIdleClusterMakesHardlyMoreThanThreeTransactionsPerWorkerInFourSeconds() {
        SimulatedCluster cluster = new SimulatedCluster(1).with(parts -> new FuturesWork(parts, directory));
        for (int seat = 0; seat < WORKERS; seat++) {
            cluster.start("orders-w-" + seat);
        }
        cluster.world.until(
                "all work and one leads",
                10_000,
                () -> cluster.workers().stream().allMatch(SimulatedWorker::isHealthy)
                        && cluster.coordinator().isPresent());
        cluster.coordinator().orElseThrow().coordinator().subscribe(new Operator());
        cluster.world.run(30_000);
        long before = cluster.engine.reads();

        cluster.world.run(SECONDS * 1_000L);

        double rate = (cluster.engine.reads() - before) / (double) (SECONDS * WORKERS);
        System.out.println("Transactions per idle worker and second: " + rate);
        assertThat(rate).isLessThanOrEqualTo(0.77);
        cluster.workers().forEach(SimulatedWorker::kill);
    }

    /** Somebody who wants to know, as in every real cluster. */
    private static final class Operator implements ClusterReportStream.Subscriber {
        @Override
        public void next(ClusterReport clusterReport) {
            // It is only here to be told.
        }

        @Override
        public void end() {
            // The same.
        }
    }
}
