/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.client.ConnectionException;
import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SubmitOptions;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The ways to wait for several futures, and the cluster as a plain executor. */
@OnCluster(threads = 4)
class WaitingTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final TestCluster cluster;
    private final Ratchet ratchet;

    WaitingTest(TestCluster cluster, Ratchet ratchet) {
        this.cluster = cluster;
        this.ratchet = ratchet;
    }

    private interface Code<T> extends Callable<T>, Serializable {}

    @Test
    void futuresComeInTheOrderInWhichTheyEnd() throws Exception {
        List<DurableFuture<Integer>> futures = new ArrayList<>();
        futures.add(ratchet.submit(() -> {
            new CountDownLatch(1).await();
            return -1;
        }));
        futures.addAll(ratchet.map(IntStream.range(0, 50).boxed().toList(), n -> n));
        List<DurableFuture<Integer>> seen = new ArrayList<>();

        try (Stream<DurableFuture<Integer>> completed = ratchet.asCompleted(futures)) {
            completed.limit(50).forEach(seen::add);
        }

        assertThat(seen).containsExactlyInAnyOrderElementsOf(futures.subList(1, 51));
        assertThat(seen).allMatch(DurableFuture::isDone);
        assertThat(ratchet.cancelAll(futures)).isEqualTo(1);
        assertThat(ratchet.asCompleted(futures)).hasSize(51);
    }

    @Test
    void oneFutureMayBeAwaitedThroughSeveralHandles() throws Exception {
        DurableFuture<Integer> five = ratchet.submit(() -> 5);
        five.submitted().toCompletableFuture().join();
        FutureId id = five.id();
        DurableFuture<Integer> one = ratchet.future(id);
        DurableFuture<Integer> other = ratchet.future(id);

        assertThat(one.get(LIMIT)).isEqualTo(5);
        assertThat(other.get(LIMIT)).isEqualTo(5);
    }

    @Test
    void aValueThatIsOnItsWayWhenTheConnectionIsClosedComesOrDoesNot() throws Exception {
        DurableFuture<byte[]> large = ratchet.submit(() -> new byte[4_000_000]);
        ratchet.await(List.of(large), 1, LIMIT);
        int closed = 0;
        for (int i = 0; i < 40; i++) {
            Ratchet closing = cluster.connect();
            CompletableFuture<byte[]> value = closing.<byte[]>future(large.id()).toCompletableFuture();
            Thread.sleep(i % 20);
            closing.close();
            try {
                assertThat(value.get(60, TimeUnit.SECONDS)).hasSize(4_000_000);
            } catch (ExecutionException failed) {
                assertThat(failed).cause().isInstanceOf(ConnectionException.class);
                closed++;
            }
        }
        assertThat(closed).as("closed too early").isPositive();
    }

    @Test
    void whoeverWaitsThroughAClosedConnectionIsTold() throws Exception {
        Ratchet closing = cluster.connect();
        List<DurableFuture<Integer>> futures = new ArrayList<>(closing.map(List.of(1, 2, 3, 4, 5, 6, 7, 8), n -> {
            new CountDownLatch(1).await();
            return n;
        }));
        futures.add(closing.submit(SubmitOptions.ofJob("closed").withDelay(Duration.ofHours(1)), () -> 1));
        CompletableFuture<Integer> waiting = futures.get(0).toCompletableFuture();
        closing.close();

        assertThatThrownBy(() -> waiting.get(60, TimeUnit.SECONDS)).hasMessageContaining("orders is closed");
        for (DurableFuture<Integer> future : futures) {
            assertThatThrownBy(() -> future.get(LIMIT)).isInstanceOf(ConnectionException.class);
        }
        assertThatThrownBy(() -> closing.submit(() -> 1)).isInstanceOf(ConnectionException.class);
        assertThatThrownBy(() -> closing.map(List.of(1), n -> n)).isInstanceOf(ConnectionException.class);
        assertThatThrownBy(() -> closing.future(futures.get(0).id())).isInstanceOf(ConnectionException.class);
        List<DurableFuture<Integer>> found = futures.stream()
                .map(future -> ratchet.<Integer>future(future.id()))
                .toList();
        assertThat(ratchet.cancelAll(found)).isEqualTo(futures.size());
    }

    @Test
    void theClusterIsAnExecutorService() throws Exception {
        ExecutorService executor = ratchet.executor(SubmitOptions.ofJob("executor"));
        Future<Integer> six = executor.submit((Code<Integer>) () -> 6);
        List<Code<Integer>> tasks = List.of(() -> 1, () -> 2, () -> 3);
        Future<?> failing = executor.submit((Code<Integer>) () -> {
            throw new IllegalStateException("broken");
        });
        Future<?> endless = executor.submit((Code<Integer>) () -> {
            new CountDownLatch(1).await();
            return 0;
        });

        assertThat(six.get(60, TimeUnit.SECONDS)).isEqualTo(6);
        assertThat(executor.invokeAll(tasks)).extracting(Future::get).containsExactly(1, 2, 3);
        assertThatThrownBy(() -> failing.get(60, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasMessageContaining("broken");
        Code<Integer> waiting = () -> {
            new CountDownLatch(1).await();
            return 7;
        };
        Code<Integer> broken = () -> {
            throw new IllegalStateException("broken, too");
        };
        assertThat(executor.invokeAny(List.of(broken, () -> 8, waiting))).isEqualTo(8);
        assertThatThrownBy(() -> executor.invokeAny(List.of(broken)))
                .isInstanceOf(ExecutionException.class)
                .hasMessageContaining("broken, too");
        assertThatThrownBy(() -> executor.invokeAny(List.of(waiting), 1, TimeUnit.MILLISECONDS))
                .isInstanceOf(TimeoutException.class);
        assertThat(executor.invokeAll(List.of(waiting), 1, TimeUnit.MILLISECONDS))
                .singleElement()
                .matches(Future::isCancelled);
        assertThat(executor.shutdownNow()).isEmpty();
        assertThatThrownBy(() -> endless.get(60, TimeUnit.SECONDS)).isInstanceOf(CancellationException.class);
        assertThat(endless.isCancelled()).isTrue();
        assertThat(executor.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
        assertThat(executor.isTerminated()).isTrue();
    }

    @Test
    void aRunnableRunsOnAWorker() throws Exception {
        Tasks.counter("runnable").set(0);
        Future<?> done = ratchet.executor(ratchet.defaultOptions()).submit((Runnable & Serializable)
                () -> Tasks.counter("runnable").incrementAndGet());

        assertThat(done.get(60, TimeUnit.SECONDS)).isNull();
        assertThat(Tasks.counter("runnable")).hasValue(1);
    }
}
