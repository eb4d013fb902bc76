/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.simulated.SimulatedTask;
import dev.ratchet.client.simulated.SimulatedTask.Kind;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** As long as a worker has a slot, nothing waits for one that has none. */
class WakeTest {

    private static final int WORKERS = 4;
    private static final int LONG_TASKS = 6;
    private static final int SHORT_TASKS = 20;
    private static final long LONG_MILLIS = 40_000;

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void whoIsFreeTakesAtOnceWhatSomebodyElseWasWokenForWhoHasNoRoom(long seed) {
        try (FuturesCluster futures = new FuturesCluster(seed, WORKERS, directory)) {
            futures.client.submitTogether(IntStream.rangeClosed(1, LONG_TASKS)
                    .mapToObj(number -> new SimulatedTask(1_000 + number, LONG_MILLIS, Kind.SMALL))
                    .toList());
            futures.cluster.world.run(5_000);
            assertThat(futures.client.outcomes()).isEmpty();
            for (int i = 1; i <= SHORT_TASKS; i++) {
                int expected = i;
                futures.submit(1);
                futures.cluster.world.until(
                        "seed " + seed + ": task " + i + " has ended, for which there is room",
                        1_000,
                        () -> futures.client.outcomes().size() == expected);
            }
        }
    }
}
