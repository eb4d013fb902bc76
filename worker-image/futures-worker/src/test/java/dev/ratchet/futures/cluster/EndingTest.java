/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.FutureCancelledException;
import dev.ratchet.client.FutureState;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SerializableCallable;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.client.TaskContext;
import dev.ratchet.client.TaskFailedException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** How futures are ended before their time, and how they are found again afterwards. */
@OnCluster(threads = 4)
class EndingTest {

    private static final Duration LIMIT = Duration.ofMinutes(1);

    private final TestCluster cluster;
    private final Ratchet ratchet;

    EndingTest(TestCluster cluster, Ratchet ratchet) {
        this.cluster = cluster;
        this.ratchet = ratchet;
    }

    /** Submits two of the next level and waits for them; those of the last level wait for ever. */
    private record Level(int levels) implements SerializableCallable<Integer> {
        @Override
        public Integer call() throws Exception {
            Tasks.counter("levels").incrementAndGet();
            if (levels == 0) {
                new CountDownLatch(1).await();
            }
            Ratchet inside = Ratchet.current();
            return inside.awaitAll(List.of(
                            inside.submit(inside.defaultOptions().withName("left"), new Level(levels - 1)),
                            inside.submit(inside.defaultOptions().withName("right"), new Level(levels - 1))))
                    .size();
        }
    }

    @Test
    void cancellingAFutureCancelsWhateverItsCodeHasSubmitted() throws Exception {
        Tasks.counter("levels").set(0);
        SubmitOptions job = SubmitOptions.ofJob("family").withMaxRetries(0);
        DurableFuture<Integer> root = ratchet.submit(job, new Level(2));
        Awaitility.await().atMost(LIMIT).until(() -> Tasks.counter("levels").get() == 7);

        assertThat(Listings.childrenOf(cluster, root.id())).hasSize(2);
        assertThat(root.cancel()).isTrue();

        assertThat(ratchet.summary("family").count(FutureState.CANCELLED)).isEqualTo(7);
        assertThatThrownBy(() -> root.get(LIMIT)).isInstanceOf(FutureCancelledException.class);
        assertThat(ratchet.submit(() -> 1).get(LIMIT))
                .as("slots are free again")
                .isEqualTo(1);
    }

    @Test
    void aKilledAttemptCountsAsLostAndIsRepeated() throws Exception {
        Tasks.counter("killed").set(0);
        Tasks.counter("interrupted").set(0);
        DurableFuture<Integer> future = ratchet.submit(() -> {
            if (Tasks.counter("killed").incrementAndGet() == 1) {
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException interrupted) {
                    Tasks.counter("interrupted").set(1);
                    throw interrupted;
                }
            }
            return TaskContext.current().attempt();
        });
        Awaitility.await().atMost(LIMIT).until(() -> Tasks.counter("killed").get() == 1);

        assertThat(future.kill()).isTrue();

        assertThat(future.get(LIMIT)).isEqualTo(2);
        Awaitility.await()
                .atMost(LIMIT)
                .until(() -> Tasks.counter("interrupted").get() == 1);
        assertThat(future.kill()).as("nothing runs any more").isFalse();
    }

    @Test
    void whatIsDeletedWhileItRunsIsInterrupted() throws Exception {
        Tasks.counter("deleted.started").set(0);
        Tasks.counter("deleted.interrupted").set(0);
        for (int i = 1; i <= 100; i++) {
            int number = i;
            DurableFuture<Integer> future = ratchet.submit(() -> {
                Tasks.counter("deleted.started").incrementAndGet();
                try {
                    new CountDownLatch(1).await();
                } finally {
                    Tasks.counter("deleted.interrupted").incrementAndGet();
                }
                return 0;
            });
            Awaitility.await()
                    .atMost(LIMIT)
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> Tasks.counter("deleted.started").get() == number);

            assertThat(ratchet.deleteAll(List.of(future))).isEqualTo(1);

            Awaitility.await()
                    .atMost(LIMIT)
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> Tasks.counter("deleted.interrupted").get() == number);
        }
    }

    /** Running code is looked at now and then: what takes less than that is held to its limit, too. */
    @Test
    void anAttemptThatReturnsTooLateHasFailed() {
        SubmitOptions options = SubmitOptions.defaults().withMaxRetries(0).withAttemptTimeout(Duration.ofMillis(1));
        DurableFuture<Long> late = ratchet.submit(options, () -> {
            long begun = System.nanoTime();
            while (System.nanoTime() - begun < 5_000_000) {
                Thread.onSpinWait();
            }
            return begun;
        });

        assertThatThrownBy(() -> late.get(LIMIT)).hasMessageContaining("took longer than 1 ms");
    }

    @Test
    void anAttemptThatTakesLongerThanItMayFails() {
        SubmitOptions options = SubmitOptions.defaults().withMaxRetries(1).withAttemptTimeout(Duration.ofMillis(200));
        DurableFuture<Integer> slow = ratchet.submit(options, () -> {
            new CountDownLatch(1).await();
            return 0;
        });

        assertThatThrownBy(() -> slow.get(LIMIT)).isInstanceOfSatisfying(TaskFailedException.class, failure -> {
            assertThat(failure.attempts()).isEqualTo(2);
            assertThat(failure).hasMessageContaining("took longer than 200 ms");
        });
    }
}
