/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.story;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.simulated.SimulatedTask;
import dev.ratchet.client.simulated.SimulatedTask.Kind;
import dev.ratchet.simulation.cluster.Executions;
import dev.ratchet.simulation.cluster.FuturesWork;
import dev.ratchet.simulation.cluster.SimulatedClient;
import dev.ratchet.simulation.cluster.SimulatedCluster;
import dev.ratchet.simulation.cluster.SimulatedWorker;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Workers that drain one queue together seldom meet, be it at its end. */
class ClaimConflictsTest {

    private static final int SLOTS = 2;
    private static final int FUTURES = 2_000;
    private static final int TOGETHER = 250;

    @TempDir
    Path directory;

    /**
     * @param busy workers that go on with what they do
     * @param claims for one that is refused, at least
     */
    @ParameterizedTest
    @CsvSource({"8, 0, 16", "8, 4, 12", "24, 0, 30", "24, 12, 10", "64, 0, 100"})
    void thoseThatAreFreeDrainAQueueAndSeldomMeet(int workers, int busy, int claims) {
        SimulatedCluster cluster = new SimulatedCluster(1).with(parts -> new FuturesWork(parts, directory));
        try (Executions executions = new Executions(cluster.world)) {
            for (int seat = 0; seat < workers; seat++) {
                cluster.start("orders-w-" + seat);
            }
            cluster.world.until(
                    "all work and one leads",
                    30_000,
                    () -> cluster.workers().stream().allMatch(SimulatedWorker::isHealthy)
                            && cluster.coordinator().isPresent());
            cluster.world.run(3_000);
            SimulatedClient client = new SimulatedClient(cluster);
            for (int guard = 0; guard < SLOTS * workers; guard++) {
                client.submitTogether(IntStream.of(guard)
                        .mapToObj(number -> guard(number, busy))
                        .toList());
            }
            cluster.world.run(5_000);
            for (int first = 0; first < FUTURES; first += TOGETHER) {
                client.submitTogether(IntStream.range(first, first + TOGETHER)
                        .mapToObj(number -> new SimulatedTask(1_000 + number, 1, Kind.SMALL))
                        .toList());
                cluster.world.run(100);
            }
            cluster.world.run(2_000);
            Conflicts conflicts = new Conflicts(
                    cluster.keyspace,
                    cluster.workers().stream()
                            .map(worker -> worker.seat().name())
                            .toList());
            cluster.engine.addObserver(conflicts);
            long began = cluster.world.millis();
            executions.open();

            cluster.world.until(
                    "everything has ended but for what keeps workers busy",
                    60_000,
                    () -> client.outcomes().size() >= FUTURES + SLOTS * (workers - busy));

            System.out.println(workers + " workers, " + busy + " busy, in " + (cluster.world.millis() - began) + " ms: "
                    + conflicts);
            assertThat(conflicts.refused()).doesNotContainKey("futures/mailbox for futures/wake");
            assertThat(conflicts.count()).as(conflicts.toString()).isLessThanOrEqualTo(conflicts.claims() / claims);
        } finally {
            cluster.workers().forEach(SimulatedWorker::kill);
        }
    }

    private static SimulatedTask guard(int number, int busy) {
        return number < SLOTS * busy
                ? new SimulatedTask(number + 1, 120_000, Kind.SMALL)
                : new SimulatedTask(number + 1, 10, Kind.GUARDS);
    }
}
