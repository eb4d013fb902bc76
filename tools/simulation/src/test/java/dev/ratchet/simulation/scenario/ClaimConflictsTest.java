/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.simulated.SimulatedExecutions;
import dev.ratchet.client.simulated.SimulatedTask;
import dev.ratchet.client.simulated.SimulatedTask.Kind;
import dev.ratchet.simulation.cluster.FuturesWork;
import dev.ratchet.simulation.cluster.SimulatedClient;
import dev.ratchet.simulation.cluster.SimulatedCluster;
import dev.ratchet.simulation.cluster.SimulatedWorker;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Workers that drain one queue together seldom meet, be it at its end. */
class ClaimConflictsTest {

    private static final long SEED = Long.getLong("ratchet.firstSeed", 1);
    private static final int SLOTS = 2;
    private static final int FUTURES = 2_000;
    private static final int TOGETHER = 250;

    /** After which all know of each other who is busy for long. */
    private static final int LONG_MILLIS = 8_000;

    @TempDir
    Path directory;

    /** What one queue took: how many claims, how many refused transactions, and how long in virtual time. */
    private record Drained(int claims, int refused, long millis) {}

    /**
     * Limits are about twice what seeds have shown: the order of events decides who meets whom.
     *
     * @param busy of those the workers that go on with what they do, which all know by then
     * @param claims for one transaction that is refused, at least
     * @param millis at most
     */
    @ParameterizedTest
    @CsvSource({"8, 0, 4, 1800", "8, 4, 4, 2600", "24, 12, 4, 1600", "64, 0, 4, 1200"})
    void thoseThatAreFreeDrainAQueueAndSeldomMeet(int workers, int busy, int claims, long millis) {
        Drained drained = drain(workers, busy);
        assertThat(drained.millis()).as("seed " + SEED + ": " + drained).isLessThanOrEqualTo(millis);
        assertThat(drained.refused())
                .as("seed " + SEED + ": " + drained)
                .isLessThanOrEqualTo(drained.claims() / claims);
    }

    private Drained drain(int workers, int busy) {
        SimulatedCluster cluster = new SimulatedCluster(SEED).with(parts -> new FuturesWork(parts, directory));
        try (SimulatedExecutions executions = new SimulatedExecutions(cluster.world)) {
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
            if (busy > 0) {
                submitGuards(client, 0, SLOTS * busy, 120_000, Kind.SMALL);
                cluster.world.run(LONG_MILLIS);
            }
            submitGuards(client, SLOTS * busy, SLOTS * workers, 10, Kind.GUARDS);
            cluster.world.run(1_000);
            for (int first = 0; first < FUTURES; first += TOGETHER) {
                client.submitTogether(IntStream.range(first, first + TOGETHER)
                        .mapToObj(number -> new SimulatedTask(1_000 + number, 1, Kind.SMALL))
                        .toList());
                cluster.world.run(100);
            }
            cluster.world.run(1_000);
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

            System.out.println(conflicts);
            assertThat(conflicts.refused()).doesNotContainKey("futures/mailbox for futures/wake");
            return new Drained(conflicts.claims(), conflicts.count(), cluster.world.millis() - began);
        } finally {
            cluster.workers().forEach(SimulatedWorker::kill);
        }
    }

    private static void submitGuards(SimulatedClient client, int from, int end, int millis, Kind kind) {
        for (int number = from; number < end; number++) {
            client.submitTogether(List.of(new SimulatedTask(number + 1, millis, kind)));
        }
    }
}
