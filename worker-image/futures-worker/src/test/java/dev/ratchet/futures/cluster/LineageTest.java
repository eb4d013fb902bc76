/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.FutureState;
import dev.ratchet.client.ObjectLostException;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SubmitOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Results that are lost with their workers come back by what they were computed from, or are told to be lost. */
class LineageTest {

    private static final Duration LIMIT = Duration.ofSeconds(90);
    private static final int LARGE = 20_000;

    @TempDir
    private Path directory;

    private TestCluster cluster;
    private TestWorker first;
    private Ratchet ratchet;

    @BeforeEach
    void start() throws Exception {
        cluster = new TestCluster(directory);
        first = cluster.start(0, 2);
        ratchet = cluster.connect();
    }

    @AfterEach
    void stop() throws Exception {
        cluster.close();
    }

    @Test
    void aChainOfAThousandLostResultsIsComputedAgain() throws Exception {
        SubmitOptions options = SubmitOptions.ofJob("chain").withMaxRetries(0);
        DurableFuture<byte[]> last = ratchet.submit(options, () -> Tasks.bytes(LARGE));
        for (int i = 0; i < 999; i++) {
            last = ratchet.then(options, last, bytes -> Tasks.bytes(bytes.length + 1));
        }
        ratchet.await(List.of(last), 1, LIMIT);

        Ratchet later = loseAll();

        assertThat(later.<byte[]>future(last.id()).get(LIMIT)).isEqualTo(Tasks.bytes(LARGE + 999));
        assertThat(later.summary("chain").recomputed()).isEqualTo(1_000);
        assertThat(later.summary("chain").retried()).isZero();
    }

    @Test
    void aDiamondOfLostResultsComputesEachOfThemOnce() throws Exception {
        SubmitOptions options = SubmitOptions.ofJob("diamond").withMaxRetries(0);
        List<DurableFuture<byte[]>> layer = new ArrayList<>(List.of(ratchet.submit(options, () -> Tasks.bytes(LARGE))));
        int futures = 1;
        for (int depth = 0; depth < 10; depth++) {
            List<DurableFuture<byte[]>> next = new ArrayList<>();
            for (int side = 0; side < 2; side++) {
                next.add(ratchet.reduce(
                        options,
                        layer,
                        all -> Tasks.bytes(all.stream()
                                        .mapToInt(bytes -> bytes.length)
                                        .max()
                                        .orElse(0)
                                + 1)));
                futures++;
            }
            layer = next;
        }
        ratchet.await(layer, 2, LIMIT);

        Ratchet later = loseAll();
        List<DurableFuture<byte[]>> awaited = new ArrayList<>();
        for (DurableFuture<byte[]> end : layer) {
            for (int awaiter = 0; awaiter < 20; awaiter++) {
                awaited.add(later.future(end.id()));
            }
        }

        for (DurableFuture<byte[]> end : awaited) {
            assertThat(end.get(LIMIT)).hasSize(LARGE + 10);
        }
        assertThat(later.summary("diamond").recomputed())
                .as("each lost result once, however many wait for it")
                .isEqualTo(futures);
    }

    @Test
    void aResultThatMustNotBeComputedAgainIsLostForGood() throws Exception {
        DurableFuture<byte[]> once =
                ratchet.submit(SubmitOptions.ofJob("once").withoutReconstruction(), () -> Tasks.bytes(LARGE));
        DurableFuture<byte[]> after =
                ratchet.then(SubmitOptions.ofJob("once"), once, bytes -> Tasks.bytes(bytes.length));
        ratchet.await(List.of(once, after), 2, LIMIT);

        Ratchet later = loseAll();

        assertThatThrownBy(() -> later.future(after.id()).get(LIMIT)).hasMessageContaining(once.id() + " is FAILED");
        assertThatThrownBy(() -> later.future(once.id()).get(LIMIT))
                .isInstanceOf(ObjectLostException.class)
                .hasMessageContaining("can not or must not be computed again");
        assertThat(later.summary("once").recomputed())
                .as("only the dependent was tried")
                .isEqualTo(1);
    }

    @Test
    void whoeverWantsOnlyWhatIsStoredIsToldOfTheLossAndLeavesItAsItIs() throws Exception {
        SubmitOptions options = SubmitOptions.ofJob("stored");
        DurableFuture<byte[]> result = ratchet.submit(options, () -> Tasks.bytes(LARGE));
        assertThat(ratchet.getStored(submitted(result).id(), byte[].class, LIMIT))
                .isEqualTo(Tasks.bytes(LARGE));

        Ratchet later = loseAll();

        assertThatThrownBy(() -> later.getStored(result.id(), byte[].class, LIMIT))
                .isInstanceOf(ObjectLostException.class);
        assertThat(later.summary("stored").recomputed()).isZero();
        assertThat(later.<byte[]>future(result.id()).get(LIMIT)).isEqualTo(Tasks.bytes(LARGE));
        assertThat(later.getStored(result.id(), byte[].class, LIMIT)).isEqualTo(Tasks.bytes(LARGE));
    }

    @Test
    void resultsOfADeadWorkerAreRecordedAsLostWithoutAnybodyAsking() throws Exception {
        SubmitOptions options = SubmitOptions.ofJob("dead");
        List<DurableFuture<byte[]>> results = ratchet.map(options, List.of(LARGE, LARGE + 1), Tasks::bytes);
        ratchet.await(results, 2, LIMIT);

        Ratchet later = loseAll();

        Awaitility.await().atMost(LIMIT).until(() -> later.summary("dead").count(FutureState.LOST) == 2);
        assertThat(cluster.check().violations()).isEmpty();
    }

    @Test
    void whatManyTasksOfAWorkerReadIsCopiedToIt() throws Exception {
        TestWorker second = cluster.start(1, 2);
        DurableFuture<byte[]> shared = ratchet.put(Tasks.bytes(LARGE));
        shared.submitted().toCompletableFuture().join();
        ratchet.transfer(shared, "orders-w-0");
        SubmitOptions options = SubmitOptions.ofJob("hot");
        List<DurableFuture<Integer>> lengths = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            lengths.add(ratchet.then(options, shared, Tasks.length()));
        }

        assertThat(Tasks.sum(ratchet.awaitAll(lengths, LIMIT))).isEqualTo(200L * LARGE);

        if (ratchet.summary("hot").realizedBySeat().getOrDefault("orders-w-1", 0L) > 10) {
            assertThat(second.engine().now().objects())
                    .as("a copy of the shared value")
                    .isEqualTo(1);
        }
    }

    private static <T> DurableFuture<T> submitted(DurableFuture<T> future) {
        future.submitted().toCompletableFuture().join();
        return future;
    }

    /** Kills the worker that holds everything, and starts another one in its place. */
    private Ratchet loseAll() throws Exception {
        first.kill();
        cluster.start(0, 1);
        return cluster.connect();
    }
}
