/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.client.AwaitTimeoutException;
import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SerializableCallable;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.client.TaskContext;
import dev.ratchet.client.TaskFailedException;
import dev.ratchet.protocol.futures.v1.State;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Values that are told before they are recorded: who is told them, when, and what comes of them. */
class SpeculationTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    /** What has no value by then was not told it, or this machine has paused: then it is tried again. */
    private static final Duration PAUSE = Duration.ofSeconds(5);

    /** What is told with something else is told so soon behind it, or is tried again. */
    private static final Duration SHORT_PAUSE = Duration.ofMillis(200);

    private static final SubmitOptions SHORT =
            SubmitOptions.ofJob("speculation").withShortTask();
    private static final SubmitOptions TOLD = SubmitOptions.ofJob("speculation").withSpeculativeValue();

    @TempDir
    Path directory;

    private final HeldRecords records = new HeldRecords();
    private TestCluster cluster;
    private TestWorker worker;
    private Ratchet ratchet;

    @BeforeEach
    void start() throws Exception {
        cluster = new TestCluster(directory, records.wrapper());
        worker = cluster.start(0, 2);
        ratchet = cluster.connect();
        assertThat(ratchet.submit(TOLD, Speculative.whereAndWhen()).awaitDurable(LIMIT))
                .isNotEmpty();
    }

    @AfterEach
    void stop() throws Exception {
        records.release();
        cluster.close();
    }

    private void hold() {
        records.hold(cluster.store().keys().records.subspace().pack());
    }

    /** A future whose value is told while records are held back, which they are from then on. */
    private DurableFuture<String> told() {
        List<DurableFuture<String>> told = new ArrayList<>();
        Awaitility.await("a call that no pause of this machine has made long")
                .atMost(LIMIT)
                .until(() -> {
                    hold();
                    int before = records.held();
                    DurableFuture<String> future = ratchet.submit(TOLD, Speculative.whereAndWhen());
                    if (!isTold(future, PAUSE)) {
                        records.release();
                        return false;
                    }
                    Awaitility.await("what was told is being recorded")
                            .atMost(LIMIT)
                            .until(() -> records.held() > before);
                    told.add(future);
                    return true;
                });
        return told.getFirst();
    }

    private void requireUnrecorded(DurableFuture<?> future) {
        assertThat(future.submitted().toCompletableFuture()).isNotDone();
        assertThat(future.durable().toCompletableFuture()).isNotDone();
        assertThat(cluster.found(future.id())).isEmpty();
    }

    @Test
    void aValueIsToldBeforeItsRecordAndTheRecordedOneAwaited() throws Exception {
        DurableFuture<String> future = told();

        assertThat(future.isDone()).isTrue();
        requireUnrecorded(future);
        assertThatThrownBy(() -> future.awaitDurable(Duration.ofMillis(10)))
                .isInstanceOf(AwaitTimeoutException.class)
                .hasMessageContaining(future.id().toString());

        records.release();
        assertThat(future.awaitDurable(LIMIT)).isEqualTo(future.get());
        assertThat(future.submitted().toCompletableFuture()).isDone();
        assertThat(cluster.record(future.id()).getState()).isEqualTo(State.STATE_REALIZED);
        assertThat(cluster.record(future.id()).getNumAttempts()).isEqualTo(1);
        assertThat(worker.figure("futures_told_early_total")).isPositive();
        assertThat(worker.figure("futures_told_in_vain_total")).isZero();
    }

    @Test
    void whoeverHasAValueHasTheNextOneWhileBothAreUnrecorded() throws Exception {
        List<DurableFuture<String>> all = new ArrayList<>();
        all.add(told());
        int before = records.held() - all.size();
        for (int i = 0; i < 5; i++) {
            DurableFuture<String> next = ratchet.submit(TOLD, Speculative.whereAndWhen());
            Awaitility.await("told, or its run was cut off by a pause of this machine")
                    .atMost(LIMIT)
                    .until(() -> next.isDone() || records.held() - before > all.size());
            all.add(next);
        }
        assertThat(all).filteredOn(DurableFuture::isDone).hasSizeGreaterThan(1);
        all.forEach(this::requireUnrecorded);

        records.release();
        for (DurableFuture<String> future : all) {
            assertThat(future.awaitDurable(LIMIT)).isEqualTo(future.get(LIMIT));
        }
    }

    @Test
    void nobodyElseIsToldAndNothingButValues() throws Exception {
        DurableFuture<String> told = told();
        int held = records.held();
        DurableFuture<String> sameHere = ratchet.future(told.id());
        DurableFuture<String> onlyShort = ratchet.submit(SHORT, Speculative.whereAndWhen());
        DurableFuture<String> failing = ratchet.submit(TOLD.withMaxRetries(1), Speculative::fail);
        DurableFuture<String> storing = ratchet.submit(TOLD, Speculative.storing());
        DurableFuture<Integer> after = ratchet.then(TOLD, told, String::length);
        DurableFuture<Integer> call =
                ratchet.actor("speculated", Tasks.emptyList()).call(TOLD, List::size);
        List<DurableFuture<?>> others = List.of(sameHere, onlyShort, failing, storing, after, call);

        Awaitility.await("what can be run is being recorded, in one message or several")
                .atMost(LIMIT)
                .until(() -> records.held() > held);
        Awaitility.await("nobody is told, also of what is run a little later")
                .during(Duration.ofMillis(200))
                .until(() -> others.stream().noneMatch(DurableFuture::isDone));
        assertThat(onlyShort.durable() == onlyShort).isTrue();
        assertThat(call.durable() == call)
                .as("a call of an actor is never told early")
                .isTrue();

        records.release();
        assertThat(sameHere.get(LIMIT)).isEqualTo(told.get());
        assertThat(onlyShort.get(LIMIT)).isEqualTo(onlyShort.awaitDurable(LIMIT));
        assertThatThrownBy(() -> failing.awaitDurable(LIMIT)).isInstanceOf(TaskFailedException.class);
        assertThat(storing.awaitDurable(LIMIT)).isEqualTo("stored");
        assertThat(after.awaitDurable(LIMIT)).isEqualTo(told.get().length());
        assertThat(call.get(LIMIT)).isZero();
    }

    @Test
    void aChainOfOneMessageIsToldAsAWhole() throws Exception {
        Awaitility.await("a chain that no pause of this machine has made long, sent at once")
                .atMost(LIMIT)
                .until(() -> {
                    hold();
                    // Goes alone, and the others gather meanwhile.
                    DurableFuture<String> before = ratchet.submit(TOLD, Speculative.whereAndWhen());
                    DurableFuture<String> first = ratchet.submit(TOLD, Speculative.whereAndWhen());
                    DurableFuture<Integer> second = ratchet.then(TOLD, first, String::length);
                    // Alone the second one would wait for the record of the first.
                    boolean told = isTold(first, PAUSE) && isTold(second, SHORT_PAUSE);
                    if (told) {
                        requireUnrecorded(second);
                    }
                    records.release();
                    assertThat(second.awaitDurable(LIMIT))
                            .isEqualTo(first.awaitDurable(LIMIT).length());
                    return told && !before.awaitDurable(LIMIT).isEmpty();
                });
    }

    private static boolean isTold(DurableFuture<?> future, Duration pause) throws InterruptedException {
        try {
            return future.get(pause) != null;
        } catch (AwaitTimeoutException untold) {
            return false;
        }
    }

    @Test
    void whatWasToldByAWorkerThatDiedIsRunAgainAndItsRecordAwaited() throws Exception {
        cluster.start(1, 2);
        ratchet = cluster.connect();
        assertThat(ratchet.submit(TOLD, Speculative.whereAndWhen()).awaitDurable(LIMIT))
                .isNotEmpty();
        DurableFuture<String> future = told();
        String told = future.get();

        cluster.worker(told.split("/", -1)[0]).kill();
        records.drop();

        String recorded = future.awaitDurable(LIMIT);
        assertThat(recorded).isNotEqualTo(told);
        assertThat(future.get()).as("stays what it was").isEqualTo(told);
        DurableFuture<String> found = cluster.connect().future(future.id());
        assertThat(found.get(LIMIT)).as("what is recorded").isEqualTo(recorded);
    }

    @Test
    void whatCouldNotBeRecordedIsRunAgainAndCounted() throws Exception {
        DurableFuture<String> future = told();
        String told = future.get();

        records.drop();

        assertThat(future.awaitDurable(LIMIT)).isNotEqualTo(told);
        assertThat(future.get()).isEqualTo(told);
        assertThat(worker.figure("futures_told_in_vain_total")).isEqualTo(1);
    }

    @Test
    void whatATaskSubmitsIsNeverToldEarly() throws Exception {
        assertThat(ratchet.submit(SHORT, Speculative::knowsOnlyWhatIsRecorded).get(LIMIT))
                .isTrue();
    }

    /** Code that runs on workers. */
    public static final class Speculative {
        private Speculative() {}

        static SerializableCallable<String> whereAndWhen() {
            return () -> TaskContext.current().seat() + "/"
                    + Tasks.counter("speculation").incrementAndGet();
        }

        static SerializableCallable<String> storing() {
            return () -> {
                TaskContext.current().store().set(new byte[] {1}, new byte[] {2});
                return "stored";
            };
        }

        public static String fail() {
            throw new IllegalStateException("always");
        }

        public static boolean knowsOnlyWhatIsRecorded() throws InterruptedException {
            DurableFuture<Integer> child =
                    Ratchet.current().submit(SubmitOptions.defaults().withSpeculativeValue(), () -> 7);
            return child.durable() == child && child.awaitDurable() == 7;
        }
    }
}
