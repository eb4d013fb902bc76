/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.futures.collect.Holders;
import dev.ratchet.membership.Clients;
import dev.ratchet.membership.client.ClientRecords;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs with leases, over real workers: they go where the program goes, and end with it. */
class ClientLeaseTest {

    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final SubmitOptions SHORT_LIVED =
            SubmitOptions.ofJob("leased").withRetention(Duration.ZERO);

    @TempDir
    Path directory;

    @Test
    void whatAProgramHoldsFollowsItToAnotherWorkerAndEndsWithIt() throws Exception {
        try (TestCluster cluster = new TestCluster(directory)) {
            TestWorker first = cluster.start(0, 2);
            TestWorker second = cluster.start(1, 2);
            FutureId id;
            try (Ratchet program = cluster.connect()) {
                DurableFuture<Integer> future =
                        program.map(SHORT_LIVED, List.of(2), Tasks.tripling()).get(0);
                assertThat(future.get(LIMIT)).isEqualTo(6);
                id = future.id();
                Clients.Client lease = lease(cluster, id).orElseThrow();

                TestWorker vouching = lease.seat().endsWith("0") ? first : second;
                vouching.kill();
                Awaitility.await().atMost(LIMIT).until(() -> lease(cluster, id)
                        .filter(now -> !now.seat().equals(lease.seat()))
                        .isPresent());
                assertThat(program.map(SHORT_LIVED, List.of(3), Tasks.tripling())
                                .get(0)
                                .get(LIMIT))
                        .isEqualTo(9);
            }
            assertThat(lease(cluster, id)).as("after the program has closed").isEmpty();
        }
    }

    @Test
    void namesAreFoundByOtherProgramsAndLeadToTheirFutures() throws Exception {
        try (TestCluster cluster = new TestCluster(directory)) {
            cluster.start(0, 2);
            Ratchet one = cluster.connect();
            Ratchet other = cluster.connect();
            DurableFuture<Integer> future =
                    one.map(SHORT_LIVED, List.of(1), Tasks.tripling()).get(0);
            one.bind("model", future);

            DurableFuture<Integer> found = other.<Integer>bound("model").orElseThrow();
            assertThat(found.get(LIMIT)).isEqualTo(3);
            assertThat(other.hold(List.of(found))).isEqualTo(1);
            assertThat(other.release(List.of(found))).isEqualTo(1);
            assertThat(other.unbind("model")).isTrue();
            assertThat(other.unbind("model")).isFalse();
            assertThat(one.bound("model")).isEmpty();
            assertThatThrownBy(() -> one.bind("model", one.future(FutureId.random())))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("has no future with the id");
        }
    }

    private static Optional<Clients.Client> lease(TestCluster cluster, FutureId held) {
        return cluster.store()
                .read(transaction -> new ClientRecords(cluster.keyspace())
                        .one(transaction, Holders.client(cluster.record(held).getClients(0))))
                .join();
    }
}
