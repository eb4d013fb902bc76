/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.Ratchet;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a worker publishes of its queues, while a task waits for another one. */
class QueueMetricsTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    @TempDir
    Path directory;

    @Test
    void whatRunsAndWhatWaitsIsPublished() throws Exception {
        try (TestCluster cluster = new TestCluster(directory)) {
            TestWorker worker = cluster.start(0, 1);
            Ratchet ratchet = cluster.connect();
            Tasks.counter("block.started").set(0);
            Tasks.counter("block.gate").set(0);
            DurableFuture<Integer> parent =
                    ratchet.submit(() -> Ratchet.current().submit(Tasks.gate()).get());

            Awaitility.await()
                    .atMost(LIMIT)
                    .until(() -> worker.figure("futures_claims") == 2
                            && worker.figure("futures_claims_suspended") == 1
                            && worker.figure("futures_claims_waiting") == 0);
            Tasks.counter("block.gate").set(1);

            parent.get(LIMIT);
            Awaitility.await().atMost(LIMIT).until(() -> worker.figure("futures_claims") == 0);
            assertThat(worker.figure("futures_claims_suspended")).isZero();
            assertThat(worker.figure("futures_requests_waiting")).isZero();
            assertThat(worker.figure("futures_outcomes_waiting")).isZero();
        }
    }
}
