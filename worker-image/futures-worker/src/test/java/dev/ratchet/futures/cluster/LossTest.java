/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.FutureState;
import dev.ratchet.client.Locality;
import dev.ratchet.client.ObjectLostException;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.client.TaskFailedException;
import dev.ratchet.membership.EvacuationFigures;
import dev.ratchet.membership.Inventory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Workers die and leave in the middle of jobs. */
class LossTest {

    private static final Duration LIMIT = Duration.ofSeconds(90);
    private static final int LARGE = 50_000;

    @TempDir
    Path directory;

    private TestCluster cluster;

    @BeforeEach
    void start() {
        cluster = new TestCluster(directory);
    }

    @AfterEach
    void stop() throws Exception {
        cluster.close();
    }

    @Test
    void aJobOutlivesAKilledWorker() throws Exception {
        TestWorker first = cluster.start(0, 2);
        cluster.start(1, 2);
        Ratchet ratchet = cluster.connect();
        List<DurableFuture<Integer>> futures = ratchet.map(
                SubmitOptions.ofJob("kill"), IntStream.range(0, 200).boxed().toList(), n -> {
                    TimeUnit.MILLISECONDS.sleep(10);
                    return n;
                });
        ratchet.await(futures, 20, LIMIT);

        first.kill();

        assertThat(Tasks.sum(ratchet.awaitAll(futures, LIMIT))).isEqualTo(200L * 199 / 2);
        assertThat(ratchet.summary("kill").count(FutureState.REALIZED)).isEqualTo(200);
    }

    @Test
    void aTaskThatKillsItsWorkersFailsWhenItsAttemptsAreUsedUp() throws Exception {
        List<TestWorker> workers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            TestWorker worker = cluster.start(i, 1);
            workers.add(worker);
            System.getProperties().put("test.kill.orders-w-" + i, (Runnable) worker::kill);
        }
        Ratchet ratchet = cluster.connect();

        DurableFuture<Integer> pill = ratchet.submit(SubmitOptions.ofJob("pill").withMaxRetries(1), () -> {
            String seat = Thread.currentThread().getName().replaceFirst("-task-.*", "");
            ((Runnable) System.getProperties().get("test.kill." + seat)).run();
            new CountDownLatch(1).await();
            return 0;
        });

        assertThatThrownBy(() -> pill.get(LIMIT))
                .isInstanceOfSatisfying(TaskFailedException.class, failure -> assertThat(failure.attempts())
                        .isEqualTo(2))
                .hasMessageContaining("was lost while it had the task");
        assertThat(workers.stream().filter(TestWorker::isDead)).hasSize(2);
    }

    @Test
    void resultsLostWithTheirWorkerAreComputedAgain() throws Exception {
        TestWorker first = cluster.start(0, 2);
        Ratchet ratchet = cluster.connect();
        SubmitOptions options = SubmitOptions.ofJob("lost");
        List<DurableFuture<byte[]>> results = ratchet.map(options, List.of(LARGE, LARGE + 1, LARGE + 2), Tasks::bytes);
        DurableFuture<byte[]> second = ratchet.then(options, results.get(0), bytes -> Tasks.bytes(bytes.length + 10));
        ratchet.await(List.of(results.get(0), results.get(1), results.get(2), second), 4, LIMIT);
        cluster.start(1, 2);

        first.kill();
        Ratchet later = cluster.connect();
        DurableFuture<Integer> lengths = later.reduce(options, List.of(second, results.get(1)), all -> all.stream()
                .mapToInt(bytes -> bytes.length)
                .sum());

        assertThat(lengths.get(LIMIT)).isEqualTo(LARGE + 10 + LARGE + 1);
        assertThat(later.<byte[]>future(results.get(2).id()).get(LIMIT)).isEqualTo(Tasks.bytes(LARGE + 2));
        assertThat(later.summary("lost").recomputed()).isBetween(3L, 4L);
        assertThat(later.summary("lost").retried())
                .as("a lost result is no failed attempt")
                .isZero();
    }

    @Test
    void whileOneInputIsComputedAgainTheOthersAreNotMoved() throws Exception {
        cluster.start(0, 1);
        TestWorker second = cluster.start(1, 1);
        TestWorker third = cluster.start(2, 1);
        Ratchet ratchet = cluster.connect();
        SubmitOptions options = SubmitOptions.ofJob("moved");
        DurableFuture<byte[]> kept =
                ratchet.submit(options.withLocality(Locality.onSeat("orders-w-0")), () -> Tasks.bytes(10 * LARGE));
        DurableFuture<byte[]> lost =
                ratchet.submit(options.withLocality(Locality.onSeat("orders-w-1")), () -> Tasks.bytes(LARGE));
        ratchet.await(List.of(kept, lost), 2, LIMIT);
        Tasks.counter("block.gate").set(0);
        SubmitOptions onThird = options.withLocality(Locality.onSeat("orders-w-2"));
        Tasks.counter("block.started").set(0);
        ratchet.submit(onThird, Tasks.gate());
        Awaitility.await()
                .atMost(LIMIT)
                .until(() -> Tasks.counter("block.started").get() == 1);
        TimeUnit.MILLISECONDS.sleep(300); // Behind what runs for long nothing is claimed ahead.
        DurableFuture<Integer> lengths = ratchet.reduce(onThird, List.of(kept, lost), all -> all.stream()
                .mapToInt(bytes -> bytes.length)
                .sum());
        lengths.submitted().toCompletableFuture().join();
        double before = third.figure("objects_fetched_bytes_total");

        second.kill();
        Awaitility.await()
                .atMost(LIMIT)
                .until(() -> third.membership().liveness().isDead("orders-w-1", 1));
        Tasks.counter("block.gate").set(1);

        assertThat(lengths.get(LIMIT)).isEqualTo(11 * LARGE);
        assertThat(ratchet.summary("moved").recomputed()).isEqualTo(1);
        assertThat(third.figure("objects_fetched_bytes_total") - before)
                .as("bytes that came here: the kept one once, and perhaps the lost one")
                .isLessThan(15.0 * LARGE);
    }

    @Test
    void aLongChainOfLostResultsIsComputedAgainByOneWorkerWithOneSlot() throws Exception {
        TestWorker first = cluster.start(0, 2);
        Ratchet ratchet = cluster.connect();
        SubmitOptions options = SubmitOptions.ofJob("chain").withMaxRetries(0);
        DurableFuture<byte[]> last = ratchet.submit(options, () -> Tasks.bytes(LARGE));
        for (int i = 0; i < 30; i++) {
            last = ratchet.then(options, last, bytes -> Tasks.bytes(bytes.length + 1));
        }
        ratchet.await(List.of(last), 1, LIMIT);
        cluster.start(1, 1);

        first.kill();
        Ratchet later = cluster.connect();

        assertThat(later.<byte[]>future(last.id()).get(LIMIT)).hasSize(LARGE + 30);
        assertThat(later.summary("chain").recomputed()).isEqualTo(31);
    }

    @Test
    void aWorkerThatLeavesHandsItsResultsToAnother() throws Exception {
        TestWorker first = cluster.start(0, 2);
        Ratchet ratchet = cluster.connect();
        SubmitOptions options = SubmitOptions.ofJob("drain");
        List<DurableFuture<byte[]>> results =
                ratchet.map(options, IntStream.range(LARGE, LARGE + 20).boxed().toList(), Tasks::bytes);
        ratchet.await(results, 20, LIMIT);
        TestWorker second = cluster.start(1, 2);

        assertThat(first.leave(30_000)).as("drained").isTrue();

        assertThat(first.engine().now().isNothing()).isTrue();
        assertThat(second.engine().now().objects()).isEqualTo(20);
        Awaitility.await("its last heartbeat to say what it has moved")
                .atMost(LIMIT)
                .untilAsserted(() -> assertThat(second.said(first).get(EvacuationFigures.MOVED))
                        .isEqualTo(second.said(first).get(EvacuationFigures.BOUND))
                        .isBetween(20L * LARGE, 21L * LARGE));
        Ratchet later = cluster.connect();
        for (int i = 0; i < 20; i++) {
            assertThat(later.<byte[]>future(results.get(i).id()).get(LIMIT)).isEqualTo(Tasks.bytes(LARGE + i));
        }
        assertThat(later.summary("drain").recomputed()).isZero();
    }

    @Test
    void whileAnUpgradeGoesOnWhatAWorkerHandsOverGoesToOneThatStays() throws Exception {
        TestWorker first = cluster.start(0, 2);
        Ratchet ratchet = cluster.connect();
        List<DurableFuture<byte[]>> results = ratchet.map(
                SubmitOptions.ofJob("walk"),
                IntStream.range(LARGE, LARGE + 20).boxed().toList(),
                Tasks::bytes);
        ratchet.await(results, 20, LIMIT);
        TestWorker second = cluster.start(1, 2);
        TestWorker third = cluster.start(2, 2);
        cluster.replaceLater(
                first.membership().seat().name(), second.membership().seat().name());
        Awaitility.await("the first worker to know who stays")
                .atMost(LIMIT)
                .until(() -> first.membership().liveness().outgoing().size() == 2);

        assertThat(first.leave(30_000)).as("drained").isTrue();

        assertThat(second.engine().now().objects()).isZero();
        assertThat(third.engine().now().objects()).isEqualTo(20);
    }

    @Test
    void whereNobodyStaysWhatAWorkerHandsOverGoesToAnother() throws Exception {
        TestWorker first = cluster.start(0, 2);
        Ratchet ratchet = cluster.connect();
        DurableFuture<byte[]> result = ratchet.submit(SubmitOptions.ofJob("walk"), () -> Tasks.bytes(LARGE));
        result.get(LIMIT);
        TestWorker second = cluster.start(1, 2);
        cluster.replaceLater(
                first.membership().seat().name(), second.membership().seat().name());
        Awaitility.await("the first worker to know that nobody stays")
                .atMost(LIMIT)
                .until(() -> first.membership().liveness().outgoing().size() == 2);

        assertThat(first.leave(30_000)).as("drained").isTrue();

        assertThat(second.engine().now().objects()).isEqualTo(1);
    }

    @Test
    void whatTheLastWorkerCanNotHandOverIsComputedAgainOnDemand() throws Exception {
        TestWorker first = cluster.start(0, 2);
        Ratchet ratchet = cluster.connect();
        DurableFuture<byte[]> result = ratchet.submit(SubmitOptions.ofJob("last"), () -> Tasks.bytes(LARGE));
        ratchet.await(List.of(result), 1, LIMIT);

        assertThat(first.leave(30_000)).isTrue();
        cluster.start(0, 2);
        Ratchet later = cluster.connect();

        assertThat(later.summary("last").count(FutureState.LOST)).isEqualTo(1);
        assertThat(later.<byte[]>future(result.id()).get(LIMIT)).isEqualTo(Tasks.bytes(LARGE));
        assertThat(later.summary("last").recomputed()).isEqualTo(1);
    }

    @Test
    void theLastCopyOfWhatCanNotBeComputedAgainStaysUntilSomebodyTakesIt() throws Exception {
        TestWorker first = cluster.start(0, 2);
        Ratchet ratchet = cluster.connect();
        SubmitOptions options = SubmitOptions.ofJob("only copy");
        DurableFuture<byte[]> put = ratchet.put(options, Tasks.bytes(LARGE));
        DurableFuture<byte[]> once = ratchet.submit(options.withoutReconstruction(), () -> Tasks.bytes(LARGE + 1));
        DurableFuture<byte[]> other = ratchet.submit(options, () -> Tasks.bytes(LARGE + 2));
        ratchet.await(List.of(put, once, other), 3, LIMIT);

        first.engine().drain(0).get(60, TimeUnit.SECONDS);
        first.engine().drain(0).get(60, TimeUnit.SECONDS);

        assertThat(first.engine().now()).isEqualTo(Inventory.NONE.withObjects(2));
        cluster.start(1, 2);
        assertThat(first.leave(30_000)).as("drained").isTrue();
        Ratchet later = cluster.connect();
        assertThat(later.<byte[]>future(put.id()).get(LIMIT)).isEqualTo(Tasks.bytes(LARGE));
        assertThat(later.<byte[]>future(once.id()).get(LIMIT)).isEqualTo(Tasks.bytes(LARGE + 1));
    }

    @Test
    void whatIsLeftOnAVolumeIsTakenUpByTheNextProcessOfTheSeat() throws Exception {
        TestWorker first = cluster.startOnVolume(0, 2, 64 << 20);
        Ratchet ratchet = cluster.connect();
        SubmitOptions options = SubmitOptions.ofJob("volume");
        DurableFuture<byte[]> put = ratchet.put(options, Tasks.bytes(LARGE));
        DurableFuture<byte[]> once = ratchet.submit(options.withoutReconstruction(), () -> Tasks.bytes(LARGE + 1));
        ratchet.await(List.of(put, once), 2, LIMIT);
        first.engine().drain(0).get(60, TimeUnit.SECONDS);
        assertThat(first.engine().now()).as("the drain waits").isEqualTo(Inventory.NONE.withObjects(2));
        first.kill();

        TestWorker second = cluster.startOnVolume(0, 2, 64 << 20);

        Ratchet later = cluster.connect();
        assertThat(later.<byte[]>future(put.id()).get(LIMIT)).isEqualTo(Tasks.bytes(LARGE));
        assertThat(later.<byte[]>future(once.id()).get(LIMIT)).isEqualTo(Tasks.bytes(LARGE + 1));
        assertThat(second.engine().now()).isEqualTo(Inventory.NONE.withObjects(2));
        assertThat(later.summary("volume").recomputed()).isZero();
    }

    @Test
    void whatOnlyAKilledWorkerOnAVolumeHadIsReadAgainAlthoughOthersHaveTakenOver() throws Exception {
        TestWorker first = cluster.startOnVolume(0, 2, 64 << 20);
        Ratchet ratchet = cluster.connect();
        SubmitOptions options = SubmitOptions.ofJob("volume");
        DurableFuture<byte[]> put = ratchet.put(options, Tasks.bytes(LARGE));
        DurableFuture<byte[]> once = ratchet.submit(options.withoutReconstruction(), () -> Tasks.bytes(LARGE + 1));
        DurableFuture<byte[]> again = ratchet.submit(options, () -> Tasks.bytes(LARGE + 2));
        ratchet.await(List.of(put, once, again), 3, LIMIT);
        cluster.startOnVolume(1, 2, 64 << 20);
        cluster.startOnVolume(2, 2, 64 << 20);
        first.kill();
        Ratchet later = cluster.connect();
        Awaitility.await("others take over, and forget the copy of what can be computed again")
                .atMost(LIMIT)
                .until(() -> later.summary("volume").count(FutureState.LOST) == 1);

        assertThat(later.<byte[]>future(again.id()).get(LIMIT)).isEqualTo(Tasks.bytes(LARGE + 2));
        DurableFuture<Integer> length = later.then(options, later.<byte[]>future(put.id()), value -> value.length);
        Awaitility.await("who asks is told for what the value waits")
                .atMost(LIMIT)
                .untilAsserted(() -> {
                    assertThat(later.describe(put.id()).orElseThrow().waitsFor())
                            .contains("the next process of orders-w-0, in whose files its value is");
                    assertThat(later.describe(length.id()).orElseThrow().waitsFor())
                            .hasValueSatisfying(reason -> assertThat(reason).contains("orders-w-0"));
                });
        cluster.startOnVolume(0, 2, 64 << 20);

        assertThat(later.<byte[]>future(put.id()).get(LIMIT)).isEqualTo(Tasks.bytes(LARGE));
        assertThat(later.<byte[]>future(once.id()).get(LIMIT)).isEqualTo(Tasks.bytes(LARGE + 1));
        assertThat(length.get(LIMIT)).isEqualTo(LARGE);
        assertThat(later.summary("volume").recomputed()).as("what can be").isEqualTo(1);
    }

    @Test
    void whatIsOnAVolumeThatWasLostIsLostOnceItsSeatHasAnotherOne() throws Exception {
        TestWorker first = cluster.startOnVolume(0, 2, 64 << 20);
        Ratchet ratchet = cluster.connect();
        DurableFuture<byte[]> put = ratchet.put(SubmitOptions.ofJob("volume"), Tasks.bytes(LARGE));
        ratchet.await(List.of(put), 1, LIMIT);
        cluster.start(1, 2);
        first.kill();
        cluster.loseVolume(0);
        cluster.startOnVolume(0, 2, 64 << 20);

        Ratchet later = cluster.connect();
        assertThatThrownBy(() -> later.<byte[]>future(put.id()).get(LIMIT))
                .isInstanceOf(ObjectLostException.class)
                .hasMessageContaining("with the worker orders-w-0 (incarnation 1), which has left no undamaged file");
    }

    @Test
    void whatAKilledWorkerHadInFilesIsNotComputedAgain() throws Exception {
        TestWorker first = cluster.startOnVolume(0, 2, 6 * LARGE);
        Ratchet ratchet = cluster.connect();
        SubmitOptions options = SubmitOptions.ofJob("killed");
        List<DurableFuture<byte[]>> results =
                ratchet.map(options, IntStream.range(LARGE, LARGE + 4).boxed().toList(), Tasks::bytes);
        ratchet.await(results, 4, LIMIT);
        first.kill();

        cluster.startOnVolume(0, 2, 6 * LARGE);

        Ratchet later = cluster.connect();
        for (int i = 0; i < 4; i++) {
            assertThat(later.<byte[]>future(results.get(i).id()).get(LIMIT)).isEqualTo(Tasks.bytes(LARGE + i));
        }
        assertThat(later.summary("killed").recomputed())
                .as("the two that were in memory")
                .isEqualTo(2);
    }

    @Test
    void aLeavingWorkerGivesBackWhatDoesNotEndInTimeWithoutCountingIt() throws Exception {
        TestWorker first = cluster.start(0, 1);
        Ratchet ratchet = cluster.connect();
        Tasks.counter("leaving").set(0);
        DurableFuture<Integer> slow =
                ratchet.submit(SubmitOptions.ofJob("leaving").withMaxRetries(0), () -> {
                    if (Tasks.counter("leaving").incrementAndGet() == 1) {
                        new CountDownLatch(1).await();
                    }
                    return 5;
                });
        Awaitility.await().atMost(LIMIT).until(() -> Tasks.counter("leaving").get() == 1);
        cluster.start(1, 1);
        Ratchet other = cluster.connect();

        assertThat(first.leave(200)).isTrue();

        assertThat(other.<Integer>future(slow.id()).get(LIMIT)).isEqualTo(5);
        assertThat(other.summary("leaving").retried()).isZero();
    }

    @Test
    void anIncarnationThatComesBackReleasesWhatTheFormerOneHeld() throws Exception {
        TestWorker first = cluster.start(0, 1);
        Ratchet ratchet = cluster.connect();
        Tasks.counter("back").set(0);
        DurableFuture<Integer> future = ratchet.submit(SubmitOptions.ofJob("back"), () -> {
            if (Tasks.counter("back").incrementAndGet() == 1) {
                new CountDownLatch(1).await();
            }
            return 6;
        });
        Awaitility.await().atMost(LIMIT).until(() -> Tasks.counter("back").get() == 1);

        first.kill();
        cluster.start(0, 1);
        Ratchet later = cluster.connect();

        assertThat(later.<Integer>future(future.id()).get(LIMIT)).isEqualTo(6);
        assertThat(later.summary("back").retried()).isEqualTo(1);
    }

    @Test
    void aFutureWithManyDependentsReleasesThemAll() throws Exception {
        cluster.start(0, 2);
        Ratchet ratchet = cluster.connect();
        SubmitOptions options = SubmitOptions.ofJob("wide");
        DurableFuture<Integer> root = ratchet.submit(options, () -> {
            TimeUnit.MILLISECONDS.sleep(300);
            return 1;
        });
        List<DurableFuture<Integer>> leaves = new ArrayList<>();
        for (int i = 0; i < 700; i++) {
            leaves.add(ratchet.then(options, root, n -> n + 1));
        }

        assertThat(Tasks.sum(ratchet.awaitAll(leaves, LIMIT))).isEqualTo(1_400);
    }
}
