/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.FutureState;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SerializableCallable;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.client.TaskContext;
import dev.ratchet.client.TaskFailedException;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Tasks that submit and await tasks, where there is one worker with one slot: who occupied it would wait for ever. */
@OnCluster(threads = 1)
class NestingTest {

    private static final Duration LIMIT = Duration.ofMinutes(2);
    /** {@code -Dratchet.test.depth=10000} shows that the depth does not matter. */
    private static final int DEPTH = Integer.getInteger("ratchet.test.depth", 1_000);

    private final Ratchet ratchet;

    NestingTest(Ratchet ratchet) {
        this.ratchet = ratchet;
    }

    /** A tower of tasks, each of which waits for the next. */
    private record Tower(int height) implements SerializableCallable<Integer> {
        @Override
        public Integer call() throws Exception {
            return height == 0
                    ? 0
                    : Ratchet.current().submit(new Tower(height - 1)).get() + 1;
        }
    }

    private record Fibonacci(int n) implements SerializableCallable<Integer> {
        @Override
        public Integer call() throws Exception {
            Ratchet cluster = Ratchet.current();
            return n < 2
                    ? n
                    : cluster
                            .awaitAll(
                                    List.of(cluster.submit(new Fibonacci(n - 1)), cluster.submit(new Fibonacci(n - 2))))
                            .stream()
                            .mapToInt(Integer::intValue)
                            .sum();
        }
    }

    @Test
    void oneSlotServesTasksThatWaitForEachOtherAtAnyDepth() throws Exception {
        long start = System.nanoTime();
        assertThat(ratchet.submit(SubmitOptions.ofJob("tower"), new Tower(DEPTH))
                        .get(LIMIT))
                .isEqualTo(DEPTH);
        System.out.printf("%d deep in %d ms%n", DEPTH, (System.nanoTime() - start) / 1_000_000);
        assertThat(ratchet.summary("tower").count(FutureState.REALIZED)).isEqualTo(DEPTH + 1);
    }

    @Test
    void aTreeOfTasksSharesTheSlot() throws Exception {
        assertThat(ratchet.submit(SubmitOptions.ofJob("fibonacci"), new Fibonacci(8))
                        .get(LIMIT))
                .isEqualTo(21);
        assertThat(ratchet.summary("fibonacci").states()).containsOnlyKeys(FutureState.REALIZED);
    }

    @Test
    void mapThenReduceAndUpstreamsWorkInsideOfATask() throws Exception {
        DurableFuture<Long> sum = ratchet.submit(() -> {
            Ratchet inside = Ratchet.current();
            List<Integer> numbers = IntStream.range(0, 100).boxed().toList();
            List<DurableFuture<Integer>> squares = inside.map(numbers, n -> n * n);
            DurableFuture<Long> total = inside.reduce(inside.defaultOptions(), squares, Tasks::sum);
            return inside.then(inside.defaultOptions(), total, n -> n + 1).get();
        });

        assertThat(sum.get(LIMIT)).isEqualTo(328_351);
    }

    @Test
    void anAttemptThatIsRepeatedFindsTheChildrenOfTheFormerOne() throws Exception {
        Tasks.counter("nested-child").set(0);
        DurableFuture<String> parent = ratchet.submit(() -> {
            TaskContext context = TaskContext.current();
            List<DurableFuture<Integer>> children = context.ratchet()
                    .map(
                            List.of(7, 7, 8),
                            n -> n + 100 * Tasks.counter("nested-child").incrementAndGet());
            int sum = (int) Tasks.sum(context.ratchet().awaitAll(children));
            if (context.attempt() < 3) {
                throw new IllegalStateException("attempt " + context.attempt());
            }
            return context.attempt() + ":" + (sum % 100);
        });

        assertThat(parent.get(LIMIT)).isEqualTo("3:22");
        assertThat(Tasks.counter("nested-child")).as("children that have run").hasValue(3);
    }

    @Test
    void aTaskAwaitsAnyFutureByItsId() throws Exception {
        DurableFuture<String> elsewhere = ratchet.submit(() -> "elsewhere");
        elsewhere.submitted().toCompletableFuture().join();
        FutureId id = elsewhere.id();
        assertThat(ratchet.submit(() -> Ratchet.current().<String>future(id).get())
                        .get(LIMIT))
                .isEqualTo("elsewhere");
    }

    @Test
    void aFailureOfAChildReachesWhoAwaitsTheParent() {
        SubmitOptions once = SubmitOptions.defaults().withMaxRetries(0);
        DurableFuture<Integer> parent = ratchet.submit(once, () -> Ratchet.current()
                .<Integer>submit(SubmitOptions.defaults().withMaxRetries(0), () -> {
                    throw new IllegalStateException("the child");
                })
                .get());

        assertThatThrownBy(() -> parent.get(LIMIT))
                .isInstanceOf(TaskFailedException.class)
                .hasMessageContaining("the child");
    }

    /**
     * It waits for a future that its cancellation leaves alone: a child would be cancelled with it, and end the wait.
     */
    @Test
    void aTaskThatWaitsIsInterruptedByItsCancellationAndTheSlotServesOthers() throws Exception {
        Tasks.counter("waiting-interrupted").set(0);
        Tasks.counter("waiting").set(0);
        DurableFuture<Integer> later = ratchet.submit(SubmitOptions.defaults().withDelay(Duration.ofHours(1)), () -> 1);
        later.submitted().toCompletableFuture().join();
        FutureId never = later.id();
        DurableFuture<Integer> waiting = ratchet.submit(() -> {
            Tasks.counter("waiting").incrementAndGet();
            try {
                return Ratchet.current().<Integer>future(never).get();
            } catch (InterruptedException cancelled) {
                Tasks.counter("waiting-interrupted").incrementAndGet();
                throw cancelled;
            }
        });
        Awaitility.await("the task to run")
                .atMost(LIMIT)
                .until(() -> Tasks.counter("waiting").get() == 1);
        assertThat(ratchet.submit(() -> "another").get(LIMIT)).isEqualTo("another");
        assertThat(waiting.cancel()).isTrue();
        Awaitility.await("the interrupt of the task")
                .atMost(LIMIT)
                .until(() -> Tasks.counter("waiting-interrupted").get() == 1);
    }

    @Test
    void outsideOfATaskThereIsNoCurrentOne() {
        assertThatThrownBy(Ratchet::current)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("does not run a task");
    }
}
