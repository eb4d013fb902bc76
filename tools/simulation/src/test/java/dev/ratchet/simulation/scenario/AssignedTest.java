/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.FutureId;
import dev.ratchet.client.simulated.SimulatedTask;
import dev.ratchet.client.simulated.SimulatedTask.Kind;
import dev.ratchet.protocol.futures.v1.State;
import dev.ratchet.simulation.cluster.SimulatedWorker;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What waits for one worker goes to the others when that is killed, as soon as what it ran does. */
class AssignedTest {

    private static final int WORKERS = 3;
    private static final int LONG_TASKS = 8;
    private static final int SHORT_TASKS = 150;
    private static final long LONG_MILLIS = 40_000;
    /** Too long to be run by whoever records it. */
    private static final long BRIEF_MILLIS = 600;

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void whatWaitsForAKilledWorkerRunsOnTheOthersAtOnce(long seed) {
        try (FuturesCluster futures = new FuturesCluster(seed, WORKERS, directory)) {
            SimulatedWorker killed = futures.workers.get(1);
            List<FutureId> waiting = new ArrayList<>();
            for (int number = 1; number <= LONG_TASKS; number++) {
                futures.client.submitTo(killed.name(), new SimulatedTask(number, LONG_MILLIS, Kind.SMALL));
            }
            futures.cluster.world.run(2_000);
            for (int number = 1; number <= SHORT_TASKS; number++) {
                waiting.add(futures.client.submitTo(
                        killed.name(), new SimulatedTask(1_000 + number, BRIEF_MILLIS, Kind.SMALL)));
            }
            futures.cluster.world.run(3_000);
            for (FutureId id : waiting) {
                assertThat(futures.record(id).getState()).as("seed " + seed).isEqualTo(State.STATE_ASSIGNED);
            }

            killed.kill();

            futures.cluster.world.until(
                    "seed " + seed + ": none is assigned to the dead any more", 5_000, () -> waiting.reversed().stream()
                            .allMatch(id -> isMoved(futures, id)));
        }
    }

    private static boolean isMoved(FuturesCluster futures, FutureId id) {
        return futures.record(id).getState() != State.STATE_ASSIGNED;
    }
}
