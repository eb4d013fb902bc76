/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.FutureCancelledException;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.FutureNotFoundException;
import dev.ratchet.client.FutureState;
import dev.ratchet.client.NotSerializableTaskException;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.client.TaskFailedException;
import dev.ratchet.client.UpstreamDependencyFailedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** What a user sees of a cluster that is well: two workers, one client. */
@OnCluster(threads = {2, 2})
class JobTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final TestCluster cluster;
    private final Ratchet ratchet;

    JobTest(TestCluster cluster, Ratchet ratchet) {
        this.cluster = cluster;
        this.ratchet = ratchet;
    }

    @Test
    void aTaskReturnsItsValueFromAWorker() throws Exception {
        int captured = 20;

        DurableFuture<String> future =
                ratchet.submit(() -> Thread.currentThread().getName() + " " + (captured + 1));

        assertThat(future.get(LIMIT)).startsWith("orders-w-").endsWith(" 21");
    }

    @Test
    void aMapReduceThroughUpstreamsGivesTheSum() throws Exception {
        List<Integer> numbers = IntStream.range(0, 300).boxed().toList();

        List<DurableFuture<Integer>> squares = ratchet.map(SubmitOptions.ofJob("squares"), numbers, n -> n * n);
        DurableFuture<Long> sum = ratchet.reduce(SubmitOptions.ofJob("squares"), squares, Tasks::sum);
        DurableFuture<String> text = ratchet.then(SubmitOptions.ofJob("squares"), sum, s -> "sum " + s);

        assertThat(text.get(LIMIT)).isEqualTo("sum 8955050");
        assertThat(ratchet.summary("squares").count(FutureState.REALIZED)).isEqualTo(302);
        assertThat(ratchet.summary("squares").done()).isEqualTo(302);
        assertThat(ratchet.summary("squares").realizedBySeat().values().stream()
                        .mapToLong(n -> n)
                        .sum())
                .isEqualTo(302);
    }

    @Test
    void aDiamondOfCapturedFuturesRunsEachNodeOnce() throws Exception {
        Tasks.counter("diamond").set(0);
        SubmitOptions options = SubmitOptions.ofJob("diamond");
        DurableFuture<Integer> top =
                ratchet.submit(options, () -> Tasks.counter("diamond").incrementAndGet());
        DurableFuture<Integer> left = ratchet.submit(options, () -> top.get() + 10);
        DurableFuture<Integer> right = ratchet.submit(options, () -> top.get() + 100);

        DurableFuture<Integer> bottom = ratchet.submit(options, () -> left.get() + right.get());

        assertThat(bottom.get(LIMIT)).isEqualTo(112);
        assertThat(Tasks.counter("diamond")).hasValue(1);
    }

    @Test
    void largeArgumentsAndResultsTravel() throws Exception {
        byte[] argument = Tasks.bytes(700_001);

        List<DurableFuture<byte[]>> echoes = ratchet.map(List.of(argument), bytes -> bytes);
        DurableFuture<Integer> length = ratchet.then(SubmitOptions.defaults(), echoes.get(0), bytes -> bytes.length);

        assertThat(echoes.get(0).get(LIMIT)).isEqualTo(argument);
        assertThat(length.get(LIMIT)).isEqualTo(700_001);
    }

    @Test
    void codeLargerThanAValueOfTheStoreTravels() throws Exception {
        byte[] captured = Tasks.bytes(500_003);

        assertThat(ratchet.submit(() -> captured.length).get(LIMIT)).isEqualTo(500_003);
        assertThat(ratchet.map(List.of(4), n -> captured.length + n).get(0).get(LIMIT))
                .isEqualTo(500_007);
    }

    @Test
    void aResultMayBeNull() throws Exception {
        assertThat(ratchet.<Object>submit(() -> null).get(LIMIT)).isNull();
    }

    @Test
    void aFailingTaskIsTriedAsOftenAsAllowedAndThenTellsWhy() {
        Tasks.counter("failing").set(0);

        DurableFuture<Integer> future = ratchet.submit(SubmitOptions.defaults().withMaxRetries(2), () -> {
            throw new IllegalStateException("try " + Tasks.counter("failing").incrementAndGet());
        });

        assertThatThrownBy(() -> future.get(LIMIT)).isInstanceOfSatisfying(TaskFailedException.class, failure -> {
            assertThat(failure.attempts()).isEqualTo(3);
            assertThat(failure.causeType()).isEqualTo("java.lang.IllegalStateException");
            assertThat(failure).hasMessageContaining("try 3");
            assertThat(failure.remoteStackTrace()).contains("JobTest");
        });
        assertThat(Tasks.counter("failing")).hasValue(3);
    }

    @Test
    void aTaskThatFailsOnceSucceedsAtItsSecondTry() throws Exception {
        Tasks.counter("flaky").set(0);

        DurableFuture<Integer> future = ratchet.submit(SubmitOptions.ofJob("flaky"), () -> {
            if (Tasks.counter("flaky").incrementAndGet() == 1) {
                throw new IllegalStateException("the first time");
            }
            return 7;
        });

        assertThat(future.get(LIMIT)).isEqualTo(7);
        assertThat(ratchet.summary("flaky").retried()).isEqualTo(1);
    }

    @Test
    void whatDependsOnAFailureFailsWithItsRoot() {
        SubmitOptions once = SubmitOptions.defaults().withMaxRetries(0);
        DurableFuture<Integer> root = ratchet.submit(once, () -> {
            throw new IllegalStateException("broken root");
        });
        DurableFuture<Integer> middle = ratchet.then(once, root, n -> n + 1);
        DurableFuture<Integer> leaf = ratchet.then(once, middle, n -> n + 1);

        assertThatThrownBy(() -> leaf.get(LIMIT))
                .isInstanceOfSatisfying(UpstreamDependencyFailedException.class, failure -> {
                    assertThat(failure.upstream()).isEqualTo(root.id());
                    assertThat(failure).hasMessageContaining("broken root");
                });
    }

    @Test
    void aFutureThatDependsOnOneThatHasFailedAlreadyFailsAtOnce() {
        SubmitOptions once = SubmitOptions.defaults().withMaxRetries(0);
        DurableFuture<Integer> root = ratchet.submit(once, () -> {
            throw new IllegalStateException("broken before");
        });
        assertThatThrownBy(() -> root.get(LIMIT)).isInstanceOf(TaskFailedException.class);

        DurableFuture<Integer> late = ratchet.then(once, root, n -> n + 1);

        assertThatThrownBy(() -> late.get(LIMIT)).isInstanceOf(UpstreamDependencyFailedException.class);
    }

    @Test
    void cancellingEndsARunningTaskAndWhatDependsOnIt() throws Exception {
        Tasks.counter("cancel-started").set(0);
        Tasks.counter("cancel-interrupted").set(0);
        DurableFuture<Integer> running = ratchet.submit(() -> {
            Tasks.counter("cancel-started").incrementAndGet();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException stopped) {
                Tasks.counter("cancel-interrupted").incrementAndGet();
                throw stopped;
            }
            return 1;
        });
        DurableFuture<Integer> dependent = ratchet.then(SubmitOptions.defaults(), running, n -> n);
        Awaitility.await()
                .atMost(LIMIT)
                .until(() -> Tasks.counter("cancel-started").get() == 1);

        assertThat(running.cancel()).isTrue();

        assertThatThrownBy(() -> running.get(LIMIT)).isInstanceOf(FutureCancelledException.class);
        assertThatThrownBy(() -> dependent.get(LIMIT)).isInstanceOf(UpstreamDependencyFailedException.class);
        Awaitility.await()
                .atMost(LIMIT)
                .until(() -> Tasks.counter("cancel-interrupted").get() == 1);
        assertThat(running.cancel()).as("cancelled still").isTrue();
    }

    @Test
    void whatIsDoneCanNotBeCancelled() throws Exception {
        DurableFuture<Integer> done = ratchet.submit(() -> 1);
        done.get(LIMIT);

        assertThat(done.cancel()).isFalse();
        assertThat(done.get(LIMIT)).isEqualTo(1);
    }

    @Test
    void anybodyFindsAFutureAgainByItsId() throws Exception {
        FutureId id = ratchet.submit(() -> "found").id();
        try (Ratchet other = cluster.connect()) {
            Awaitility.await().atMost(LIMIT).until(() -> {
                try {
                    return "found".equals(other.<String>future(id).get(LIMIT));
                } catch (FutureNotFoundException notYetRecorded) {
                    return false;
                }
            });
            assertThatThrownBy(() -> other.future(FutureId.random()).get(LIMIT))
                    .isInstanceOf(FutureNotFoundException.class);
        }
    }

    @Test
    void awaitingSomeReturnsWhenSoManyAreDone() throws Exception {
        List<DurableFuture<Integer>> futures = new ArrayList<>();
        futures.add(ratchet.submit(() -> {
            new CountDownLatch(1).await();
            return 0;
        }));
        futures.addAll(ratchet.map(List.of(1, 2, 3), n -> n));

        assertThat(ratchet.await(futures, 3, LIMIT).done()).hasSize(3);
        assertThat(ratchet.await(futures, 4, Duration.ofMillis(50)).pending()).containsExactly(futures.get(0));
        assertThat(ratchet.awaitAny(futures).id())
                .isIn(futures.stream().map(DurableFuture::id).toList());
        futures.get(0).cancel();
        assertThatThrownBy(() -> ratchet.awaitAll(futures, LIMIT)).isInstanceOf(FutureCancelledException.class);
    }

    @Test
    void whatCanNotBeSerialisedIsRefusedAtSubmitWithThePathToIt() {
        Object stream = System.out;
        List<Object> list = List.of("fine", stream);

        assertThatThrownBy(() -> ratchet.submit(() -> list.size()))
                .isInstanceOf(NotSerializableTaskException.class)
                .hasMessageContaining("[1]")
                .hasMessageContaining("PrintStream");
    }

    @Test
    void aResultThatCanNotBeSerialisedFailsWithoutRetries() {
        Tasks.counter("unserializable").set(0);
        DurableFuture<Object> future = ratchet.submit(() -> {
            Tasks.counter("unserializable").incrementAndGet();
            return (Object) Thread.currentThread();
        });

        assertThatThrownBy(() -> future.get(LIMIT))
                .isInstanceOf(TaskFailedException.class)
                .hasMessageContaining("The result can not be serialised: result is a java.lang.")
                .hasMessageContaining("Thread, which is not java.io.Serializable");
        assertThat(Tasks.counter("unserializable")).hasValue(1);
    }

    @Test
    void aStageCompletesWithTheValue() throws Exception {
        assertThat(ratchet.submit(() -> 4)
                        .thenApply(n -> n * 2)
                        .toCompletableFuture()
                        .get(60, java.util.concurrent.TimeUnit.SECONDS))
                .isEqualTo(8);
    }

    @Test
    void thousandsOfSmallFuturesGoThrough() throws Exception {
        int count = 20_000;
        List<Integer> numbers = IntStream.range(0, count).boxed().toList();

        long start = System.nanoTime();
        List<DurableFuture<Integer>> futures = ratchet.map(SubmitOptions.ofJob("many"), numbers, n -> n + 1);
        List<Integer> values = ratchet.awaitAll(futures, LIMIT);

        System.out.printf("%d futures in %d ms%n", count, (System.nanoTime() - start) / 1_000_000);
        assertThat(values).hasSize(count).first().isEqualTo(1);
        assertThat(Tasks.sum(values)).isEqualTo((long) count * (count + 1) / 2);
        assertThat(ratchet.summary("many").states()).containsOnlyKeys(FutureState.REALIZED);
    }
}
