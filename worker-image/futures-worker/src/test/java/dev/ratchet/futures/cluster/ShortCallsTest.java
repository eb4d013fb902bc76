/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.client.Actor;
import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.client.TaskContext;
import dev.ratchet.client.TaskFailedException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Short calls of an actor are run before they are recorded, and promise what all calls promise. */
class ShortCallsTest {

    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final SubmitOptions SHORT =
            SubmitOptions.ofJob("short calls").withShortTask();

    @TempDir
    Path directory;

    private TestCluster cluster;
    private Ratchet ratchet;

    @BeforeEach
    void start() throws Exception {
        cluster = new TestCluster(directory);
        cluster.start(0, 2);
        ratchet = cluster.connect();
    }

    @AfterEach
    void stop() throws Exception {
        cluster.close();
    }

    private static Actor<List<Integer>> list(Ratchet ratchet) {
        return ratchet.actor(SHORT, "list", ArrayList::new);
    }

    private static int add(List<Integer> state, int entry) {
        state.add(entry);
        return state.size();
    }

    private static List<DurableFuture<Integer>> add(Actor<List<Integer>> actor, IntStream entries) {
        return entries.mapToObj(entry -> actor.call(state -> add(state, entry))).toList();
    }

    private List<Integer> entries() throws InterruptedException {
        return list(ratchet).read(state -> state).get(LIMIT);
    }

    private static List<Integer> range(int from, int to) {
        return IntStream.range(from, to).boxed().toList();
    }

    @Test
    void aHundredCallsNeedFewCommits() throws Exception {
        Actor<List<Integer>> actor = list(ratchet);
        Awaitility.await("calls that no pause of this machine has made long")
                .atMost(LIMIT)
                .until(() -> {
                    int before = actor.read(List::size).get(LIMIT);
                    List<DurableFuture<Integer>> calls = add(actor, IntStream.range(0, 100));
                    assertThat(ratchet.awaitAll(calls, LIMIT))
                            .containsExactlyElementsOf(range(before + 1, before + 101));
                    long commits = calls.stream()
                            .map(call -> cluster.record(call.id()).getClaim().getNonce())
                            .distinct()
                            .count();
                    return commits <= 5
                            && calls.stream()
                                    .allMatch(call -> cluster.record(call.id()).getTicket() == 0);
                });
    }

    @Test
    void callersOnSeveralWorkersKeepTheirOrder() throws Exception {
        cluster.start(1, 2);
        List<DurableFuture<Integer>> all = new ArrayList<>();
        List<Actor<List<Integer>>> callers = List.of(list(ratchet), list(cluster.connect()), list(cluster.connect()));
        for (int i = 0; i < 150; i++) {
            int caller = i % callers.size();
            int entry = caller * 1_000 + i / callers.size();
            all.add(callers.get(caller).call(state -> add(state, entry)));
        }
        for (DurableFuture<Integer> call : all) {
            assertThat(call.get(LIMIT)).isPositive();
        }

        List<Integer> entries = entries();
        assertThat(entries).hasSize(150);
        for (int caller = 0; caller < callers.size(); caller++) {
            int first = caller * 1_000;
            assertThat(entries.stream().filter(entry -> entry / 1_000 == first / 1_000))
                    .containsExactlyElementsOf(range(first, first + 50));
        }
    }

    @Test
    void aKilledWorkerTakesNoCallWithItAndRepeatsNone() throws Exception {
        cluster.start(1, 2);
        Ratchet caller = cluster.connect();
        Actor<List<Integer>> actor = list(caller);
        String asked = actor.read(state -> TaskContext.current().seat()).get(LIMIT);
        List<DurableFuture<Integer>> calls = new ArrayList<>(add(actor, IntStream.range(0, 300)));
        calls.get(0).get(LIMIT);

        cluster.worker(asked).kill();
        calls.addAll(add(actor, IntStream.range(300, 310)));

        assertThat(caller.awaitAll(calls, LIMIT)).containsExactlyElementsOf(range(1, 311));
        assertThat(actor.read(state -> state).get(LIMIT)).containsExactlyElementsOf(range(0, 310));
    }

    @Test
    void aCallThatFailsHoldsUpThoseBehindItUntilItHasSucceeded() throws Exception {
        Actor<List<Integer>> actor = list(ratchet);
        List<DurableFuture<Integer>> calls = new ArrayList<>(add(actor, IntStream.of(1)));
        calls.add(actor.call(state -> {
            int size = add(state, 2);
            if (TaskContext.current().attempt() < 3) {
                throw new IllegalStateException("not yet");
            }
            return size;
        }));
        DurableFuture<Integer> failing = actor.call(SHORT.withMaxRetries(1), state -> {
            throw new IllegalStateException("after " + add(state, 100));
        });
        calls.addAll(add(actor, IntStream.of(3, 4)));

        assertThat(ratchet.awaitAll(calls, LIMIT)).containsExactly(1, 2, 3, 4);
        assertThatThrownBy(() -> failing.get(LIMIT))
                .isInstanceOf(TaskFailedException.class)
                .hasMessageContaining("after 3");
        assertThat(entries()).containsExactly(1, 2, 3, 4);
    }

    @Test
    void aCallThatTakesLongAfterAllIsWaitedFor() throws Exception {
        Tasks.counter("short calls").set(0);
        Actor<List<Integer>> actor = list(ratchet);
        List<DurableFuture<Integer>> calls = new ArrayList<>(add(actor, IntStream.of(1)));
        calls.add(actor.call(state -> {
            while (Tasks.counter("short calls").get() == 0) {
                Thread.sleep(5);
            }
            return add(state, 2);
        }));
        calls.addAll(add(actor, IntStream.of(3)));
        calls.get(2).submitted().toCompletableFuture().join();
        calls.addAll(add(list(cluster.connect()), IntStream.of(4)));
        calls.get(3).submitted().toCompletableFuture().join();
        assertThat(calls.get(2).isDone()).isFalse();

        Tasks.counter("short calls").set(1);

        assertThat(calls.get(3).get(LIMIT)).isEqualTo(4);
        assertThat(ratchet.awaitAll(calls.subList(0, 3), LIMIT)).containsExactly(1, 2, 3);
        assertThat(entries()).containsExactly(1, 2, 3, 4);
    }

    @Test
    void callsThatTakeLongTogetherAreRecordedInPieces() throws Exception {
        Actor<List<Integer>> actor = list(ratchet);
        List<DurableFuture<Integer>> calls = IntStream.range(0, 60)
                .mapToObj(entry -> actor.call(state -> {
                    Thread.sleep(4);
                    return add(state, entry);
                }))
                .toList();
        DurableFuture<Integer> after = ratchet.then(SHORT, calls.get(59), size -> size + 1);

        assertThat(after.get(LIMIT)).isEqualTo(61);
        assertThat(ratchet.awaitAll(calls, LIMIT)).containsExactlyElementsOf(range(1, 61));
        assertThat(entries()).containsExactlyElementsOf(range(0, 60));
    }

    @Test
    void whatACallWritesToTheStoreIsStoredWithTheState() throws Exception {
        byte[] key = "sum".getBytes(StandardCharsets.UTF_8);
        Actor<List<Integer>> actor = list(ratchet);
        List<DurableFuture<Integer>> calls = new ArrayList<>();
        for (int i = 1; i <= 5; i++) {
            int entry = i;
            calls.addAll(add(actor, IntStream.of(10 * i)));
            calls.add(actor.call(state -> {
                TaskContext.current().store().set(key, new byte[] {(byte) entry});
                return add(state, 10 * entry + 1);
            }));
        }

        assertThat(ratchet.awaitAll(calls, LIMIT)).containsExactlyElementsOf(range(1, 11));
        assertThat(entries()).containsExactly(10, 11, 20, 21, 30, 31, 40, 41, 50, 51);
        assertThat(ratchet.submit(() ->
                                (int) TaskContext.current().store().get(key).orElseThrow()[0])
                        .get(LIMIT))
                .isEqualTo(5);
    }

    @Test
    void readsSeeTheCallsBeforeThemAndAKeyedCallRunsOnce() throws Exception {
        Actor<List<Integer>> actor = list(ratchet);
        List<DurableFuture<Integer>> calls = add(actor, IntStream.range(0, 3));
        DurableFuture<Integer> read = actor.read(state -> add(state, 100));
        DurableFuture<Integer> keyed = actor.call(SHORT.withKey("call 4"), state -> add(state, 4));
        DurableFuture<Integer> twin = actor.call(SHORT.withKey("call 4"), state -> add(state, 6));
        keyed.submitted().toCompletableFuture().join();
        DurableFuture<Integer> again = list(cluster.connect()).call(SHORT.withKey("call 4"), state -> add(state, 5));

        assertThat(ratchet.awaitAll(calls, LIMIT)).containsExactly(1, 2, 3);
        assertThat(read.get(LIMIT)).isEqualTo(4);
        assertThat(keyed.get(LIMIT)).isEqualTo(4);
        assertThat(twin.get(LIMIT)).isEqualTo(4);
        assertThat(again.get(LIMIT)).isEqualTo(4);
        assertThat(entries()).containsExactly(0, 1, 2, 4);
        assertThat(actor.reset().get(LIMIT)).isTrue();
        assertThat(ratchet.awaitAll(add(actor, IntStream.of(7)), LIMIT)).containsExactly(1);
        assertThat(entries()).containsExactly(7);
    }
}
