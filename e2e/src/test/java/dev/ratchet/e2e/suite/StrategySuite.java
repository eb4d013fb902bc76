/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.Ratchet;
import dev.ratchet.e2e.environment.TestEnvironment;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each strategy that makes pods anew rolls through a cluster that works, and neither work nor values are lost. */
@Order(8)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StrategySuite {

    private static final int WORKERS = 2;
    private static final int VALUE_BYTES = 500_000;

    private final TestEnvironment environment = TestEnvironment.current();
    private Cluster cluster;
    private Ratchet ratchet;
    private int edits;

    @BeforeAll
    void twoWorkers() {
        cluster = Cluster.in(environment, "strategies", "various").apply(WORKERS, """
              upgrade:
                gates: {stableMillis: 1000, timeoutMillis: 120000}
            """);
        ratchet = cluster.connect();
        cluster.awaitReady(WORKERS);
    }

    @AfterAll
    void disconnect() {
        if (ratchet != null) {
            ratchet.close();
        }
        cluster.close();
    }

    @ParameterizedTest
    @CsvSource({"Replace,1,0", "AllAtOnce,1,0", "SurgeThenRemove,0,1"})
    void aJobAndAValueOutliveEveryWorker(String strategy, int maxSurge, int maxUnavailable)
            throws InterruptedException {
        List<String> before = cluster.workerUids();
        String revision = cluster.currentRevision();
        byte[] value = new byte[VALUE_BYTES];
        new Random(++edits).nextBytes(value);
        DurableFuture<byte[]> put = ratchet.put(value);
        Job job = Job.start(ratchet, strategy);
        cluster.awaitThat("the job to run", () -> cluster.workerPods().stream()
                .map(pod -> pod.getMetadata().getName())
                .allMatch(seat -> job.realizedBy(seat) > 0));
        cluster.patch("{\"spec\":{\"upgrade\":{\"strategy\":\"" + strategy + "\",\"maxSurge\":" + maxSurge
                + ",\"maxUnavailable\":" + maxUnavailable + "},\"workers\":{\"podTemplate\":{\"spec\":{\"containers\":"
                + "[{\"name\":\"worker\",\"env\":[{\"name\":\"EDIT\",\"value\":\"" + edits + "\"}]}]}}}}}");
        cluster.awaitUpdated(revision, WORKERS);
        assertThat(job.finish().retried()).as("attempts that were lost").isZero();
        assertThat(ratchet.<byte[]>future(put.id()).get(Cluster.TIMEOUT)).isEqualTo(value);
        assertThat(cluster.workerUids()).hasSize(WORKERS).doesNotContainAnyElementsOf(before);
    }
}
