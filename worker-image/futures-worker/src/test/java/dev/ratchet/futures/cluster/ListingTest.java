/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.client.TaskFailedException;
import dev.ratchet.protocol.client.v1.ListRequest;
import dev.ratchet.protocol.futures.v1.State;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Listings miss nothing and tell nothing twice. */
class ListingTest {

    private static final Duration LIMIT = Duration.ofMinutes(1);

    @TempDir
    Path directory;

    @Test
    void futuresAreListedExactlyAndPageByPage() throws Exception {
        try (TestCluster cluster = new TestCluster(directory)) {
            cluster.start(0, 4);
            Ratchet ratchet = cluster.connect();

            SubmitOptions job = SubmitOptions.ofJob("listed").withMaxRetries(0);
            List<DurableFuture<Integer>> futures = ratchet.map(
                    job.withTenant("one"), IntStream.range(0, 2_500).boxed().toList(), Tasks.tripling());
            DurableFuture<Integer> failing =
                    ratchet.submit(job.withTenant("two").withName("broken"), Tasks.failing());
            ratchet.awaitAll(futures, LIMIT);
            assertThatThrownBy(() -> failing.get(LIMIT)).isInstanceOf(TaskFailedException.class);
            Set<FutureId> expected = new HashSet<>();
            futures.forEach(future -> expected.add(future.id()));

            assertThat(Listings.all(
                            cluster, ListRequest.newBuilder().setJob("listed").setTenant("one")))
                    .isEqualTo(expected);
            assertThat(Listings.all(
                            cluster,
                            ListRequest.newBuilder()
                                    .addStates(State.STATE_FAILED)
                                    .setName("broken")))
                    .containsExactly(failing.id());
            expected.add(failing.id());
            assertThat(Listings.all(
                            cluster, ListRequest.newBuilder().setJob("listed").setLimit(7)))
                    .isEqualTo(expected);
            assertThat(Listings.all(cluster, ListRequest.newBuilder().setJob("no such job")))
                    .isEmpty();
            assertThat(Listings.all(
                            cluster,
                            ListRequest.newBuilder()
                                    .addStates(State.STATE_CLAIMED)
                                    .setSeat("orders-w-9")))
                    .isEmpty();
        }
    }
}
