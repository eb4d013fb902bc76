/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.Ratchet;
import dev.ratchet.membership.Metric;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IdleTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    @TempDir
    Path directory;

    @Test
    void anIdleWorkerSleepsUntilItIsWoken() throws Exception {
        try (TestCluster cluster = new TestCluster(directory)) {
            TestWorker worker = cluster.start(0, 1);
            Ratchet ratchet = cluster.connect();
            for (int i = 0; i < 20; i++) {
                assertThat(ratchet.awaitAll(ratchet.map(List.of(i), Tasks.tripling()), LIMIT))
                        .containsExactly(3 * i);
                Awaitility.await().atMost(LIMIT).until(() -> isIdle(cluster));
            }
            double before = looks(worker);

            var unused = new CountDownLatch(1).await(1_500, TimeUnit.MILLISECONDS);

            assertThat(looks(worker) - before).as("looks at the empty queue").isLessThanOrEqualTo(1);
        }
    }

    @Test
    void aDrainingWorkerIsNotCountedOnByWhoQueues() throws Exception {
        try (TestCluster cluster = new TestCluster(directory)) {
            TestWorker worker = cluster.start(0, 1);
            Awaitility.await().atMost(LIMIT).until(() -> isIdle(cluster));

            worker.engine().drain(LIMIT.toMillis()).get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);

            assertThat(isIdle(cluster)).isFalse();
            worker.engine().resume();
            Awaitility.await().atMost(LIMIT).until(() -> isIdle(cluster));
        }
    }

    @Test
    void aWorkerThatWasWokenWhileItHadNoRoomLooksOnceItHas() throws Exception {
        try (TestCluster cluster = new TestCluster(directory)) {
            TestWorker worker = cluster.start(0, 1);
            Ratchet ratchet = cluster.connect();
            Tasks.counter("block.started").set(0);
            Tasks.counter("block.gate").set(0);
            ratchet.submit(Tasks.gate());
            Awaitility.await()
                    .atMost(LIMIT)
                    .until(() -> Tasks.counter("block.started").get() == 1 && isIdle(cluster));
            // What has run for so long is not taken for short any more: no other future is claimed beside it.
            var unused = new CountDownLatch(1).await(200, TimeUnit.MILLISECONDS);

            double before = looks(worker);

            DurableFuture<Integer> second = ratchet.submit(Tasks.returning(2));
            Awaitility.await().atMost(LIMIT).until(() -> looks(worker) > before && isIdle(cluster));
            Tasks.counter("block.gate").set(1);

            assertThat(second.get(LIMIT)).isEqualTo(2);
        }
    }

    private static boolean isIdle(TestCluster cluster) {
        return cluster.store()
                .read(transaction -> transaction.get(cluster.store().keys().idle.key("orders-w-0", 1)))
                .thenApply(value -> value != null)
                .join();
    }

    private static double looks(TestWorker worker) {
        return worker.engine().metrics().all().stream()
                .filter(metric -> metric.name().equals("futures_claim_transactions_total"))
                .map(Metric::value)
                .findFirst()
                .orElseThrow()
                .getAsDouble();
    }
}
