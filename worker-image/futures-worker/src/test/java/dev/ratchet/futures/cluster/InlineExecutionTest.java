/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.client.Actor;
import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.FutureState;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.RetryPolicy;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.client.TaskFailedException;
import dev.ratchet.protocol.futures.v1.State;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Short futures whose client waits are submitted, claimed and realized in one commit, and are futures like others. */
class InlineExecutionTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final SubmitOptions SHORT = SubmitOptions.ofJob("express").withShortTask();

    @TempDir
    Path directory;

    @Test
    void aShortFutureNeedsOneCommit() throws Exception {
        try (TestCluster cluster = new TestCluster(directory)) {
            TestWorker worker = cluster.start(0, 2);
            Ratchet ratchet = cluster.connect();
            Awaitility.await("a future that no pause of this machine has made long")
                    .atMost(LIMIT)
                    .untilAsserted(() -> {
                        DurableFuture<Integer> future = ratchet.submit(SHORT, () -> 42);

                        assertThat(future.get(LIMIT)).isEqualTo(42);
                        var record = cluster.record(future.id());
                        assertThat(record.getState()).isEqualTo(State.STATE_REALIZED);
                        assertThat(record.getTicket()).as("it was in no queue").isZero();
                        assertThat(record.getNumAttempts()).isEqualTo(1);
                        assertThat(record.getClaim().getSeat())
                                .isEqualTo(worker.membership().seat().name());
                    });
        }
    }

    @Test
    void aShortFutureIsRecordedWithoutARead() throws Exception {
        ObservedDatabase observed = new ObservedDatabase();
        try (TestCluster cluster = new TestCluster(directory, observed.wrapper())) {
            cluster.start(0, 2);
            Ratchet ratchet = cluster.connect();
            Awaitility.await("a call that no pause of this machine has made long")
                    .atMost(LIMIT)
                    .untilAsserted(() -> {
                        DurableFuture<Integer> future = ratchet.submit(SHORT, () -> 42);

                        assertThat(future.get(LIMIT)).isEqualTo(42);
                        byte[] record =
                                cluster.store().keys().records.key(future.id().value());
                        assertThat(observed.triesThatSet(record))
                                .singleElement()
                                .satisfies(one -> assertThat(one.reads()).hasValue(0));
                        assertThat(observed.triesThatRead(record))
                                .as("the outcome has come with the reply")
                                .isEmpty();
                    });
        }
    }

    @Test
    void aCallOfAnActorBehindOthersOfItsWorkerIsOneTransactionAtAKnownVersion() throws Exception {
        ObservedDatabase observed = new ObservedDatabase();
        try (TestCluster cluster = new TestCluster(directory, observed.wrapper())) {
            cluster.start(0, 2);
            Ratchet ratchet = cluster.connect();
            Actor<int[]> actor = ratchet.actor(SHORT, "counter", () -> new int[1]);
            FutureId id = FutureId.ofKey(SHORT.tenant(), "actor counter");
            byte[] line = cluster.store().keys().actorCalls.key(id.value());
            AtomicInteger calls = new AtomicInteger();
            Awaitility.await("a call that no pause of this machine has made long")
                    .atMost(LIMIT)
                    .untilAsserted(() -> {
                        int before = observed.triesThatRead(line).size();

                        DurableFuture<Integer> call = actor.call(counter -> ++counter[0]);

                        assertThat(call.get(LIMIT)).isEqualTo(calls.incrementAndGet());
                        byte[] record =
                                cluster.store().keys().records.key(call.id().value());
                        List<ObservedDatabase.Try> reading = observed.triesThatRead(line);
                        assertThat(reading.subList(before, reading.size()))
                                .containsExactlyElementsOf(observed.triesThatSet(record))
                                .singleElement()
                                .satisfies(one -> assertThat(one.givenVersion()).isTrue());
                    });
        }
    }

    @Test
    void tasksFromOnePlaceAreOfOneFunctionWhateverTheyHaveCaptured() throws Exception {
        try (TestCluster cluster = new TestCluster(directory)) {
            cluster.start(0, 2);
            Ratchet ratchet = cluster.connect();
            DurableFuture<Integer> one = ratchet.submit(SHORT, Tasks.returning(1));
            DurableFuture<Integer> other = ratchet.submit(SHORT, Tasks.returning(2));

            assertThat(one.get(LIMIT)).isEqualTo(1);
            assertThat(other.get(LIMIT)).isEqualTo(2);
            assertThat(cluster.record(other.id()).getFunction())
                    .isEqualTo(cluster.record(one.id()).getFunction());
        }
    }

    @Test
    void aChainOfAHundredNeedsThreeCommits() throws Exception {
        try (TestCluster cluster = new TestCluster(directory)) {
            cluster.start(0, 1);
            Ratchet ratchet = cluster.connect();
            Awaitility.await("a chain that no pause of this machine has made long")
                    .atMost(LIMIT)
                    .until(() -> {
                        List<DurableFuture<Integer>> chain = chain(ratchet);
                        assertThat(chain.get(100).get(LIMIT)).isEqualTo(100);
                        long commits = chain.stream()
                                .map(future ->
                                        cluster.record(future.id()).getClaim().getNonce())
                                .distinct()
                                .count();
                        return commits <= 3
                                && chain.stream()
                                        .allMatch(future ->
                                                cluster.record(future.id()).getTicket() == 0);
                    });
        }
    }

    private static List<DurableFuture<Integer>> chain(Ratchet ratchet) {
        List<DurableFuture<Integer>> chain = new ArrayList<>();
        DurableFuture<Integer> last = ratchet.submit(SHORT, () -> 0);
        chain.add(last);
        for (int i = 0; i < 100; i++) {
            last = ratchet.then(SHORT, last, n -> n + 1);
            chain.add(last);
        }
        return chain;
    }

    @Test
    void whatManyClientsSubmitAtOnceIsRecordedOnceEach() throws Exception {
        try (TestCluster cluster = new TestCluster(directory)) {
            cluster.start(0, 1);
            Tasks.counter("express.clients").set(0);
            List<Ratchet> clients =
                    IntStream.range(0, 12).mapToObj(client -> cluster.connect()).toList();
            List<DurableFuture<Integer>> futures = new ArrayList<>();
            for (int round = 0; round < 20; round++) {
                for (Ratchet client : clients) {
                    futures.add(client.submit(
                            SHORT, () -> Tasks.counter("express.clients").incrementAndGet()));
                }
            }
            for (DurableFuture<Integer> future : futures) {
                assertThat(future.get(LIMIT)).isPositive();
            }

            for (DurableFuture<Integer> future : futures) {
                assertThat(cluster.record(future.id()).getState()).isEqualTo(State.STATE_REALIZED);
            }
            assertThat(clients.getFirst().summary("express").count(FutureState.REALIZED))
                    .isEqualTo(futures.size());
        }
    }

    @Test
    void aFailureOfAShortFutureIsRetriedByItsPolicy() throws Exception {
        try (TestCluster cluster = new TestCluster(directory)) {
            cluster.start(0, 1);
            Ratchet ratchet = cluster.connect();
            SubmitOptions twice = SHORT.withRetries(RetryPolicy.defaults().withMaxRetries(1));

            DurableFuture<Integer> failing = ratchet.submit(twice, Broken::fail);

            assertThatThrownBy(() -> failing.get(LIMIT))
                    .isInstanceOfSatisfying(TaskFailedException.class, failure -> assertThat(failure.attempts())
                            .isEqualTo(2));
        }
    }

    @Test
    void whatTakesLongAfterAllIsRecordedWhileItRuns() throws Exception {
        try (TestCluster cluster = new TestCluster(directory)) {
            cluster.start(0, 1);
            cluster.start(1, 1);
            Ratchet ratchet = cluster.connect();
            Tasks.counter("express.gate").set(0);

            List<DurableFuture<Integer>> futures =
                    ratchet.map(SHORT, IntStream.range(0, 20).boxed().toList(), Broken::waitForGate);
            futures.get(0).submitted().toCompletableFuture().get(60, java.util.concurrent.TimeUnit.SECONDS);
            Tasks.counter("express.gate").set(1);

            assertThat(ratchet.awaitAll(futures, LIMIT))
                    .containsExactlyElementsOf(IntStream.range(0, 20).boxed().toList());
        }
    }

    @Test
    void whatRunsUnrecordedWhenTheTimeOfADrainIsOverIsGivenBack() throws Exception {
        try (TestCluster cluster = new TestCluster(directory)) {
            TestWorker worker = cluster.start(0, 1);
            Ratchet ratchet = cluster.connect();
            assertThat(ratchet.submit(SHORT, () -> 0).get(LIMIT)).isZero();
            Tasks.counter("express.runs").set(0);
            DurableFuture<Integer> future = ratchet.submit(SHORT, Broken::waitInTheFirstRun);
            Awaitility.await("it runs")
                    .atMost(LIMIT)
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> Tasks.counter("express.runs").get() > 0);

            CompletableFuture<Void> drained = worker.engine().drain(0);

            assertThat(drained).succeedsWithin(LIMIT);
            assertThat(cluster.record(future.id()).getState()).isEqualTo(State.STATE_QUEUED);
            worker.engine().resume();
            assertThat(future.get(LIMIT)).isEqualTo(2);
            assertThat(cluster.record(future.id()).getNumAttempts()).isEqualTo(1);
        }
    }

    @Test
    void submittingTwiceWithOneKeyIsSubmittingOnce() throws Exception {
        try (TestCluster cluster = new TestCluster(directory)) {
            cluster.start(0, 1);
            Ratchet ratchet = cluster.connect();
            Tasks.counter("express.key").set(0);
            SubmitOptions keyed = SubmitOptions.ofJob("express").withKey("invoice-7");

            DurableFuture<Integer> one =
                    ratchet.submit(keyed, () -> Tasks.counter("express.key").incrementAndGet());
            assertThat(one.get(LIMIT)).isEqualTo(1);
            DurableFuture<Integer> other = cluster.connect().submit(keyed, () -> -1);

            assertThat(other.id()).isEqualTo(one.id()).isEqualTo(FutureId.ofKey("default", "invoice-7"));
            assertThat(other.get(LIMIT)).isEqualTo(1);
            DurableFuture<Integer> found = cluster.connect().future(one.id());
            assertThat(found.get(LIMIT)).as("awaited by anybody").isEqualTo(1);
        }
    }

    /** Code that does not what it promises. */
    public static final class Broken {
        private Broken() {}

        public static int fail() {
            throw new IllegalStateException("always");
        }

        public static int waitInTheFirstRun() throws InterruptedException {
            int run = Tasks.counter("express.runs").incrementAndGet();
            if (run == 1) {
                new CountDownLatch(1).await();
            }
            return run;
        }

        public static int waitForGate(int number) throws InterruptedException {
            while (Tasks.counter("express.gate").get() == 0) {
                Thread.sleep(5);
            }
            return number;
        }
    }
}
