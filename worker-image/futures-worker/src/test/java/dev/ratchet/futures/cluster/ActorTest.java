/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.client.Actor;
import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.Locality;
import dev.ratchet.client.PendingCallsExceededException;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SerializableFunction;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.client.TaskContext;
import dev.ratchet.client.TaskFailedException;
import dev.ratchet.protocol.futures.v1.State;
import java.io.Serializable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls of an actor run one after the other, in their order, and each exactly once as far as the state tells. */
class ActorTest {

    private static final Duration LIMIT = Duration.ofMinutes(1);

    @TempDir
    Path directory;

    private TestCluster cluster;
    private TestWorker first;
    private Ratchet ratchet;

    /** The state of these tests: whatever was added, in order. */
    static final class Journal implements Serializable {
        private final List<Integer> entries = new ArrayList<>();

        int add(int entry) {
            entries.add(entry);
            return entries.size();
        }
    }

    @BeforeEach
    void start() throws Exception {
        cluster = new TestCluster(directory);
        first = cluster.start(0, 4);
        ratchet = cluster.connect();
    }

    @AfterEach
    void stop() throws Exception {
        cluster.close();
    }

    private static Actor<Journal> journal(Ratchet ratchet, String name) {
        return ratchet.actor(name, Journal::new);
    }

    @Test
    void aCallerWithALimitIsRefusedWhileItsCallsArePending() throws Exception {
        Actor<List<Integer>> actor =
                ratchet.<List<Integer>>actor("limited", ArrayList::new).withPendingCallsMax(2);
        DurableFuture<Integer> first = actor.call(seen -> {
            Thread.sleep(Duration.ofMinutes(5));
            return 0;
        });
        DurableFuture<Integer> second = actor.call(List::size);

        assertThatThrownBy(() -> actor.read(List::size))
                .isInstanceOf(PendingCallsExceededException.class)
                .hasMessageContaining("limited has 2 calls");
        assertThat(first.cancel()).isTrue();
        assertThat(second.get(LIMIT)).isZero();
        assertThat(actor.call(List::size).get(LIMIT)).as("both are done").isZero();
        assertThatThrownBy(() -> actor.withPendingCallsMax(0)).isInstanceOf(InvalidInputException.class);
    }

    @Test
    void callsRunInTheOrderInWhichTheyWereMade() throws Exception {
        Actor<Journal> journal = journal(ratchet, "ordered");
        List<DurableFuture<Integer>> sizes = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            int entry = i;
            sizes.add(journal.call(state -> state.add(entry)));
        }

        assertThat(ratchet.awaitAll(sizes, LIMIT))
                .containsExactlyElementsOf(IntStream.rangeClosed(1, 200).boxed().toList());
        assertThat(journal.call(state -> state.entries).get(LIMIT))
                .containsExactlyElementsOf(IntStream.range(0, 200).boxed().toList());
    }

    @Test
    void callsGoOnElsewhereWhileTheWorkerThatHasRunTheLastOneDrainsForLong() throws Exception {
        Actor<Journal> journal = journal(ratchet, "moves on");
        assertThat(journal.call(state -> state.add(1)).get(LIMIT)).isEqualTo(1);
        DurableFuture<Integer> slow = ratchet.submit(() -> {
            Thread.sleep(Duration.ofMinutes(5));
            return 0;
        });
        Awaitility.await("the task that holds up the drain to run")
                .atMost(LIMIT)
                .until(() -> cluster.record(slow.id()).getState() == State.STATE_CLAIMED);
        cluster.start(1, 4);
        Ratchet other = cluster.connect();

        CompletableFuture<Void> drained =
                first.engine().drain(Duration.ofMinutes(10).toMillis());

        for (int call = 2; call < 20; call++) {
            int entry = call;
            assertThat(journal(other, "moves on")
                            .call(state -> state.add(entry))
                            .get(Duration.ofSeconds(20)))
                    .isEqualTo(call);
        }
        assertThat(drained).as("the drain").isNotDone();
        assertThat(slow.cancel()).isTrue();
        assertThat(drained).succeedsWithin(LIMIT);
    }

    @Test
    void callersFromEverywhereShareOneState() throws Exception {
        cluster.start(1, 4);
        Ratchet other = cluster.connect();
        List<DurableFuture<Integer>> calls = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            calls.add(journal(ratchet, "shared").call(state -> state.add(1)));
            calls.add(journal(other, "shared").call(state -> state.add(1)));
        }
        calls.addAll(ratchet.map(List.of(1, 2, 3, 4), n -> Ratchet.current()
                .actor("shared", Journal::new)
                .call(state -> state.add(n))
                .get()));

        assertThat(ratchet.awaitAll(calls, LIMIT)).doesNotHaveDuplicates().hasSize(104);
        assertThat(journal(ratchet, "shared")
                        .call(state -> state.entries.size())
                        .get(LIMIT))
                .isEqualTo(104);
    }

    @Test
    void aCallThatFailsLeavesNoTrace() throws Exception {
        Actor<Journal> journal = journal(ratchet, "failing");
        SubmitOptions once = SubmitOptions.defaults().withMaxRetries(0);
        journal.call(state -> state.add(1)).get(LIMIT);
        DurableFuture<Integer> failing = journal.call(once, state -> {
            state.add(2);
            throw new IllegalStateException("after a change");
        });
        DurableFuture<List<Integer>> after = journal.call(state -> state.entries);

        assertThatThrownBy(() -> failing.get(LIMIT)).isInstanceOf(TaskFailedException.class);
        assertThat(after.get(LIMIT)).containsExactly(1);
    }

    @Test
    void theStateSurvivesTheWorkerThatHadIt() throws Exception {
        Tasks.counter("survivor").set(0);
        journal(ratchet, "survivor").call(state -> state.add(1)).get(LIMIT);
        cluster.start(1, 4);
        Actor<Journal> journal = journal(cluster.connect(), "survivor");
        SubmitOptions there = SubmitOptions.defaults()
                .withLocality(Locality.onSeat(first.membership().seat().name()));
        DurableFuture<Integer> hanging = journal.call(there, state -> {
            state.add(2);
            if (Tasks.counter("survivor").incrementAndGet() == 1) {
                new CountDownLatch(1).await();
            }
            return state.entries.size();
        });
        DurableFuture<List<Integer>> last = journal.call(state -> state.entries);
        Awaitility.await().atMost(LIMIT).until(() -> Tasks.counter("survivor").get() == 1);

        first.kill();

        assertThat(hanging.get(LIMIT)).isEqualTo(2);
        assertThat(last.get(LIMIT)).containsExactly(1, 2);
    }

    @Test
    void callsStayWithTheWorkerThatHasTheState() throws Exception {
        cluster.start(1, 4);
        Actor<Journal> journal = journal(ratchet, "at home");
        List<DurableFuture<String>> seats = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            seats.add(journal.call(state -> TaskContext.current().seat()));
        }

        assertThat(ratchet.awaitAll(seats, LIMIT)).containsOnly(seats.get(0).get());
    }

    /** A call that runs until the gate is opened. */
    private static DurableFuture<Integer> addOneBehindGate(Actor<Journal> journal) {
        Tasks.counter("gate").set(0);
        return journal.call(state -> {
            while (Tasks.counter("gate").get() == 0) {
                Thread.sleep(5);
            }
            return state.add(1);
        });
    }

    @Test
    void aCancelledCallIsLeftOutAndTheOthersGoOn() throws Exception {
        Actor<Journal> journal = journal(ratchet, "cancelled");
        DurableFuture<Integer> first = addOneBehindGate(journal);
        DurableFuture<Integer> cancelled = journal.call(state -> state.add(2));
        DurableFuture<List<Integer>> last = journal.call(state -> {
            state.add(3);
            return state.entries;
        });
        cancelled.submitted().toCompletableFuture().join();
        last.submitted().toCompletableFuture().join();

        assertThat(cancelled.cancel()).isTrue();
        Tasks.counter("gate").set(1);

        assertThat(first.get(LIMIT)).isEqualTo(1);
        assertThat(last.get(LIMIT)).containsExactly(1, 3);
    }

    @Test
    void aCallMadeAfterTheLastOneWasCancelledWaitsForTheOneBefore() throws Exception {
        Actor<Journal> journal = journal(ratchet, "cancelled-last");
        DurableFuture<Integer> first = addOneBehindGate(journal);
        first.submitted().toCompletableFuture().join();
        DurableFuture<Integer> cancelled = journal.call(state -> state.add(2));
        DurableFuture<Integer> alsoCancelled = journal.call(state -> state.add(3));
        alsoCancelled.submitted().toCompletableFuture().join();
        assertThat(cancelled.cancel()).isTrue();
        assertThat(alsoCancelled.cancel()).isTrue();

        DurableFuture<List<Integer>> last = journal.call(state -> {
            state.add(4);
            return state.entries;
        });
        last.submitted().toCompletableFuture().join();
        Tasks.counter("gate").set(1);

        assertThat(first.get(LIMIT)).isEqualTo(1);
        assertThat(last.get(LIMIT)).containsExactly(1, 4);
    }

    @Test
    void readsRunBesideEachOtherAndBesideCallsAndChangeNothing() throws Exception {
        Tasks.counter("reading").set(0);
        Actor<Journal> journal = journal(ratchet, "read");
        journal.call(state -> state.add(1));
        List<DurableFuture<Integer>> reads = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            reads.add(journal.read(state -> {
                Tasks.counter("reading").incrementAndGet();
                while (Tasks.counter("reading").get() < 3) {
                    Thread.sleep(5);
                }
                return state.add(100);
            }));
        }
        DurableFuture<Integer> call = journal.call(state -> state.add(2));

        assertThat(call.get(LIMIT)).as("a call waits for no read").isEqualTo(2);
        Awaitility.await().atMost(LIMIT).until(() -> Tasks.counter("reading").get() == 2);
        Tasks.counter("reading").incrementAndGet();
        assertThat(ratchet.awaitAll(reads, LIMIT)).allMatch(size -> size == 2 || size == 3);
        assertThat(journal.read(state -> state.entries).get(LIMIT)).containsExactly(1, 2);
        assertThat(journal(ratchet, "never called").read(state -> state.entries).get(LIMIT))
                .isEmpty();
    }

    /** A call that waits until so many others have begun. */
    private static SerializableFunction<Journal, Integer> addingBeside(int others, int entry) {
        return state -> {
            int running = Tasks.counter("beside.running").incrementAndGet();
            Tasks.counter("beside.most").accumulateAndGet(running, Math::max);
            Tasks.counter("beside.begun").incrementAndGet();
            while (Tasks.counter("beside.begun").get() < others) {
                Thread.sleep(5);
            }
            Tasks.counter("beside.running").decrementAndGet();
            return state.add(entry);
        };
    }

    private static void resetCounters() {
        List.of("running", "most", "begun")
                .forEach(name -> Tasks.counter("beside." + name).set(0));
    }

    @Test
    void callsThatMayRunBesideEachOtherDoAndEachChangesTheStateOnce() throws Exception {
        resetCounters();
        Actor<Journal> alone = journal(ratchet, "beside");
        Actor<Journal> journal = alone.withConcurrentCallsMax(3);
        List<DurableFuture<Integer>> calls = IntStream.range(0, 8)
                .mapToObj(entry -> journal.call(addingBeside(3, entry)))
                .toList();
        DurableFuture<List<Integer>> after = alone.call(state -> state.entries);

        assertThat(after.get(LIMIT)).as("waits for all before it").containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5, 6, 7);
        assertThat(ratchet.awaitAll(calls, LIMIT)).containsExactlyInAnyOrder(1, 2, 3, 4, 5, 6, 7, 8);
        assertThat(Tasks.counter("beside.most").get()).isEqualTo(3);
        assertThatThrownBy(() -> alone.withConcurrentCallsMax(0)).isInstanceOf(InvalidInputException.class);
        assertThatThrownBy(() -> alone.withConcurrentCallsMax(65)).isInstanceOf(InvalidInputException.class);
    }

    @Test
    void callsBesideEachOtherSurviveTheWorkerThatRanThem() throws Exception {
        resetCounters();
        cluster.start(1, 4);
        Ratchet caller = cluster.connect();
        Actor<Journal> journal = journal(caller, "beside and killed").withConcurrentCallsMax(4);
        List<DurableFuture<Integer>> calls = IntStream.range(0, 4)
                .mapToObj(entry -> journal.call(addingBeside(5, entry)))
                .toList();
        Awaitility.await()
                .atMost(LIMIT)
                .until(() -> Tasks.counter("beside.begun").get() == 4);

        first.kill();
        Tasks.counter("beside.begun").incrementAndGet();

        assertThat(caller.awaitAll(calls, LIMIT)).containsExactlyInAnyOrder(1, 2, 3, 4);
        assertThat(journal.read(state -> state.entries).get(LIMIT)).containsExactlyInAnyOrder(0, 1, 2, 3);
    }

    @Test
    void aCallThatLeavesTheStateAsItWasDependsOnNoOther() throws Exception {
        Tasks.counter("looking").set(0);
        Tasks.counter("gate").set(0);
        Actor<Journal> journal = journal(ratchet, "looked at").withConcurrentCallsMax(2);
        journal.call(state -> state.add(1)).get(LIMIT);
        DurableFuture<Integer> looking = journal.call(state -> {
            Tasks.counter("looking").incrementAndGet();
            while (Tasks.counter("gate").get() == 0) {
                Thread.sleep(5);
            }
            return state.entries.size();
        });
        Awaitility.await().atMost(LIMIT).until(() -> Tasks.counter("looking").get() == 1);

        assertThat(journal.call(state -> state.add(2)).get(LIMIT)).isEqualTo(2);
        Tasks.counter("gate").set(1);

        assertThat(looking.get(LIMIT)).as("as it was when it began").isEqualTo(1);
        assertThat(Tasks.counter("looking").get()).as("is not run again").isEqualTo(1);
    }

    @Test
    void aResetForgetsTheState() throws Exception {
        Actor<Journal> journal = journal(ratchet, "reset");
        journal.call(state -> state.add(1)).get(LIMIT);

        assertThat(journal.reset().get(LIMIT)).isTrue();
        assertThat(journal.reset().get(LIMIT)).isFalse();
        assertThat(journal.call(state -> state.add(5)).get(LIMIT)).isEqualTo(1);
    }
}
