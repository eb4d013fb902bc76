/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SubmitOptions;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which threads run users' code when a future is done: the one that waits for it, or one that may wait. */
@OnCluster(threads = 2)
@Timeout(120)
class CallbacksTest {

    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final SubmitOptions SHORT = SubmitOptions.ofJob("callbacks").withShortTask();
    /** More than any connection or worker has threads. */
    private static final int WAITING = 100;
    /** Does not come with the outcome. */
    private static final int LARGE = 20_000;

    private static final AtomicInteger READ = new AtomicInteger();

    /** Knows the thread that has read it. */
    private static final class Value implements Serializable {
        private static final long serialVersionUID = 1;

        private final byte[] content;
        private transient Thread reader;

        Value(byte[] content) {
            this.content = content;
        }

        private void readObject(ObjectInputStream stream) throws IOException, ClassNotFoundException {
            stream.defaultReadObject();
            reader = Thread.currentThread();
            READ.incrementAndGet();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whoWaitsForAValueReadsIt(boolean isShort, Ratchet ratchet) throws Exception {
        SubmitOptions options = isShort ? SHORT : SubmitOptions.ofJob("callbacks");
        assertThat(ratchet.submit(options, () -> new Value(new byte[1])).get(LIMIT).reader)
                .isSameAs(Thread.currentThread());
    }

    @Test
    void whatDependsOnAValueMayWaitForAnotherOne(Ratchet ratchet) throws Exception {
        DurableFuture<Integer> first = ratchet.submit(SHORT, () -> 1);
        CompletionStage<Integer> sum = first.thenApply(one -> one + got(ratchet.submit(SHORT, () -> 2)));

        assertThat(value(sum)).isEqualTo(3);
    }

    @Test
    void whatFollowsTheRecordOfAFutureMayWaitForItsValue(Ratchet ratchet) throws Exception {
        DurableFuture<Integer> future = ratchet.submit(SHORT, () -> 1);

        assertThat(value(future.submitted().thenApply(recorded -> got(future)))).isEqualTo(1);
    }

    /** In a task the threads that could be held up are those of its worker, which keeps its seat by them. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatWaitsForLargeValuesHoldsUpNobodyHoweverManyDo(boolean inTask, Ratchet ratchet) throws Exception {
        int length = inTask ? ratchet.submit(() -> lengths(Ratchet.current())).get(LIMIT) : lengths(ratchet);

        assertThat(length).isEqualTo(WAITING * LARGE);
    }

    @Test
    void anExecutorAsksForNoValueThatNobodyWants(Ratchet ratchet) throws Exception {
        int before = READ.get();
        Future<Value> unwanted = ratchet.executor(SubmitOptions.ofJob("callbacks"))
                .submit((Callable<Value> & Serializable) () -> new Value(new byte[LARGE]));
        Awaitility.await().atMost(LIMIT).until(unwanted::isDone);

        // Whatever was asked for before has come with it.
        assertThat(ratchet.submit(() -> new Value(new byte[LARGE])).get(LIMIT).content)
                .hasSize(LARGE);

        assertThat(READ).hasValue(before + 1);
        assertThat(unwanted.get().content).hasSize(LARGE);
    }

    /** Reads many values, each in a stage that waits for it. */
    private static int lengths(Ratchet ratchet) throws Exception {
        List<CompletionStage<Integer>> lengths = new ArrayList<>();
        for (int i = 0; i < WAITING; i++) {
            lengths.add(ratchet.submit(() -> 1).thenApply(one -> got(ratchet.submit(() -> Tasks.bytes(LARGE))).length));
        }
        int all = 0;
        for (CompletionStage<Integer> length : lengths) {
            all += value(length);
        }
        return all;
    }

    private static <T> T got(DurableFuture<T> future) {
        try {
            return future.get(LIMIT);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    private static int value(CompletionStage<Integer> stage) throws Exception {
        CompletableFuture<Integer> value = stage.toCompletableFuture();
        return value.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }
}
