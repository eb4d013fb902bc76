/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.FutureState;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.RetryPolicy;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.client.TaskFailedException;
import dev.ratchet.futures.model.BlockFutures;
import dev.ratchet.futures.model.BlockIds;
import dev.ratchet.protocol.client.v1.ListRequest;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.State;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Many small futures of one submit are queued, claimed and recorded as one, and each of them is a future like others.
 */
class BlockTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final SubmitOptions JOB = SubmitOptions.ofJob("blocks");
    private static final SubmitOptions SHORT = JOB.withShortTask();

    @TempDir
    Path directory;

    @Test
    void futuresOfOneSubmitAreOneRecordUntilTheyDiffer() throws Exception {
        try (TestCluster cluster = new TestCluster(directory)) {
            cluster.start(0, 2);
            for (SubmitOptions options : List.of(JOB, SHORT, JOB.withRetention(Duration.ofHours(1)))) {
                Ratchet ratchet = cluster.connect();
                List<DurableFuture<Integer>> futures = ratchet.map(options, numbers(1_000), Tasks.tenth());

                assertThat(ratchet.awaitAll(futures, LIMIT))
                        .containsExactlyElementsOf(
                                numbers(1_000).stream().map(n -> n / 10).toList());
                assertThat(futures.stream()
                                .map(future -> BlockIds.blockOf(future.id()))
                                .distinct()
                                .flatMap(block -> cluster.found(block).stream())
                                .mapToInt(BlockFutures::count)
                                .sum())
                        .as("futures in blocks: how many is a matter of time")
                        .isGreaterThan(100);
                FutureRecord one = cluster.record(futures.get(123).id());
                assertThat(one.getState()).isEqualTo(State.STATE_REALIZED);
                assertThat(one.getNumAttempts()).isEqualTo(1);
            }
            assertThat(cluster.connect().summary("blocks").states()).isEqualTo(Map.of(FutureState.REALIZED, 3_000L));
        }
    }

    @Test
    void tasksFromOnePlaceAreOneFunctionWhateverTheyHaveCaptured() throws Exception {
        try (TestCluster cluster = new TestCluster(directory)) {
            cluster.start(0, 2);
            Ratchet ratchet = cluster.connect();
            List<DurableFuture<Integer>> lambdas = numbers(100).stream()
                    .map(n -> ratchet.submit(JOB, Tasks.returning(n)))
                    .toList();
            List<DurableFuture<Integer>> objects = numbers(100).stream()
                    .map(n -> ratchet.submit(JOB, new Tasks.Doubling(n)))
                    .toList();

            assertThat(ratchet.awaitAll(lambdas, LIMIT)).containsExactlyElementsOf(numbers(100));
            assertThat(ratchet.awaitAll(objects, LIMIT))
                    .containsExactlyElementsOf(
                            numbers(100).stream().map(n -> 2 * n).toList());
            for (List<DurableFuture<Integer>> futures : List.of(lambdas, objects)) {
                assertThat(futures.stream()
                                .map(future -> cluster.record(future.id()).getFunction())
                                .distinct())
                        .hasSize(1);
            }
        }
    }

    @Test
    void whatFailsIsLargeOrWritesLeavesItsBlock() throws Exception {
        try (TestCluster cluster = new TestCluster(directory)) {
            cluster.start(0, 2);
            Ratchet ratchet = cluster.connect();
            SubmitOptions twice = JOB.withRetries(RetryPolicy.defaults().withMaxRetries(1));
            List<DurableFuture<byte[]>> futures = ratchet.map(twice, numbers(100), Tasks.mixed());
            for (int i = 0; i < 100; i++) {
                DurableFuture<byte[]> future = futures.get(i);
                if (i % 10 == 3) {
                    assertThatThrownBy(() -> future.get(LIMIT))
                            .isInstanceOfSatisfying(TaskFailedException.class, failure -> assertThat(failure.attempts())
                                    .isEqualTo(2));
                } else {
                    assertThat(future.get(LIMIT)).hasSize(i % 10 == 7 ? 20_000 : i);
                }
            }
            int stayed = 0;
            for (int i = 0; i < 100; i++) {
                FutureId id = futures.get(i).id();
                Optional<FutureRecord> block = cluster.found(BlockIds.blockOf(id));
                boolean isIn = block.isPresent() && BlockFutures.contains(block.get(), BlockIds.number(id));
                boolean leaves = i % 10 == 3 || i % 10 == 7;
                assertThat(isIn && leaves)
                        .as("future %s is still in its block", i)
                        .isFalse();
                stayed += isIn ? 1 : 0;
            }
            // Also what was running when its block had taken too long has left it.
            assertThat(stayed).as("those in blocks").isPositive();
            assertThat(ratchet.summary("blocks").count(FutureState.FAILED)).isEqualTo(10);
            assertThat(ratchet.summary("blocks").count(FutureState.REALIZED)).isEqualTo(90);
        }
    }

    @Test
    void aSlowTailIsSplitOffAndRunsElsewhere() throws Exception {
        try (TestCluster cluster = new TestCluster(directory)) {
            cluster.start(0, 1);
            cluster.start(1, 1);
            Ratchet ratchet = cluster.connect();
            Tasks.counter("block.begun").set(0);
            List<DurableFuture<Integer>> futures = ratchet.map(JOB, numbers(20), Tasks.firstEndsOnceAllHaveBegun(20));

            assertThat(ratchet.awaitAll(futures, LIMIT)).containsExactlyElementsOf(numbers(20));
            assertThat(ratchet.summary("blocks").realizedBySeat()).hasSize(2);
        }
    }

    @Test
    void aFutureOfABlockThatWaitsForAnotherOneLetsItRun() throws Exception {
        try (TestCluster cluster = new TestCluster(directory)) {
            cluster.start(0, 1);
            Ratchet ratchet = cluster.connect();
            List<DurableFuture<Integer>> futures = ratchet.map(SHORT, numbers(20), Tasks.nested());
            assertThat(ratchet.awaitAll(futures, LIMIT)).containsExactlyElementsOf(numbers(20));
        }
    }

    @Test
    void eachIsCancelledAwaitedListedAndDeletedByItself() throws Exception {
        try (TestCluster cluster = new TestCluster(directory)) {
            cluster.start(0, 1);
            Ratchet ratchet = cluster.connect();
            Tasks.counter("block.gate").set(0);
            Tasks.counter("block.started").set(0);
            DurableFuture<Integer> blocker = ratchet.submit(SubmitOptions.ofJob("blocker"), Tasks.gate());
            Awaitility.await()
                    .atMost(LIMIT)
                    .until(() -> Tasks.counter("block.started").get() == 1);
            // What has run for so long is not taken for short any more: no other future is claimed beside it.
            var unused = new CountDownLatch(1).await(200, TimeUnit.MILLISECONDS);
            List<DurableFuture<Integer>> futures = ratchet.map(JOB, numbers(50), Tasks.tripling());
            DurableFuture<Long> sum = ratchet.reduce(JOB, futures.subList(20, 30), Tasks.summing());
            // The last few may travel each by itself.
            futures.forEach(future -> future.submitted().toCompletableFuture().join());

            assertThat(futures.get(5).cancel()).isTrue();
            assertThat(ratchet.prioritizeAll(futures.subList(7, 9), 3)).isEqualTo(2);
            assertThat(list(cluster, State.STATE_QUEUED)).hasSize(49);
            assertThat(list(cluster, State.STATE_CANCELLED))
                    .containsExactly(futures.get(5).id());
            FutureId awaited = futures.get(44).id();
            DurableFuture<Integer> elsewhere = cluster.connect().future(awaited);
            Tasks.counter("block.gate").set(1);

            assertThat(elsewhere.get(LIMIT)).isEqualTo(132);
            assertThat(sum.get(LIMIT)).isEqualTo(IntStream.range(20, 30).sum() * 3L);
            assertThat(blocker.get(LIMIT)).isZero();
            ratchet.awaitAll(futures.subList(6, 50), LIMIT);
            ratchet.awaitAll(futures.subList(0, 5), LIMIT);
            assertThat(list(cluster, State.STATE_REALIZED)).hasSize(50);
            assertThat(ratchet.deleteAll(futures.subList(0, 20))).isEqualTo(20);
            assertThat(list(cluster, State.STATE_REALIZED)).hasSize(31);
            assertThat(ratchet.deleteAll(futures.subList(20, 50))).isEqualTo(30);
            assertThat(ratchet.deleteAll(List.of(sum))).isEqualTo(1);
            assertThat(ratchet.summary("blocks").states()).isEmpty();
            assertThat(cluster.check().futures()).as("records left").isEqualTo(1);
        }
    }

    private static Set<FutureId> list(TestCluster cluster, State state) {
        return Listings.all(
                cluster,
                ListRequest.newBuilder().setJob("blocks").addStates(state).setLimit(7));
    }

    @Test
    void whatADeadWorkerHasClaimedRunsAgainEachByItself() throws Exception {
        try (TestCluster cluster = new TestCluster(directory)) {
            TestWorker dying = cluster.start(0, 1);
            Ratchet ratchet = cluster.connect();
            Tasks.counter("block.gate").set(0);
            Tasks.counter("block.started").set(0);
            List<DurableFuture<Integer>> first = ratchet.map(JOB, numbers(30), Tasks.tripling());
            assertThat(ratchet.awaitAll(first, LIMIT)).hasSize(30);
            var unused = ratchet.submit(SubmitOptions.ofJob("blocker"), Tasks.gate());
            Awaitility.await()
                    .atMost(LIMIT)
                    .until(() -> Tasks.counter("block.started").get() == 1);
            List<DurableFuture<Integer>> futures = ratchet.map(JOB, numbers(100), Tasks.tripling());
            futures.get(99).submitted().toCompletableFuture().join();
            Awaitility.await().atMost(LIMIT).until(() -> isABlockQueued(cluster, futures));
            dying.kill();
            Tasks.counter("block.gate").set(1);
            cluster.start(1, 2);

            Ratchet other = cluster.connect();
            for (int i = 0; i < 100; i++) {
                DurableFuture<Integer> found = other.future(futures.get(i).id());
                assertThat(found.get(LIMIT)).isEqualTo(3 * i);
            }
            assertThat(other.summary("blocks").states()).isEqualTo(Map.of(FutureState.REALIZED, 130L));
        }
    }

    /** The last few may travel each by itself. */
    private static boolean isABlockQueued(TestCluster cluster, List<DurableFuture<Integer>> futures) {
        return futures.stream()
                .map(future -> BlockIds.blockOf(future.id()))
                .distinct()
                .flatMap(block -> cluster.found(block).stream())
                .anyMatch(block -> block.getTicket() > 0);
    }

    private static List<Integer> numbers(int count) {
        return IntStream.range(0, count).boxed().toList();
    }
}
