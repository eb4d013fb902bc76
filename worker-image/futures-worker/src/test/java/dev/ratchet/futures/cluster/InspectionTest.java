/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.client.ActorPool;
import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.FutureInfo;
import dev.ratchet.client.FutureQuery;
import dev.ratchet.client.FutureState;
import dev.ratchet.client.Locality;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.Requirements;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.client.TaskFailedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a program asks about futures, and the helpers that are made of futures. */
@OnCluster(threads = {2, 2})
class InspectionTest {

    private static final Duration LIMIT = Duration.ofMinutes(1);

    private final Ratchet ratchet;

    InspectionTest(Ratchet ratchet) {
        this.ratchet = ratchet;
    }

    @Test
    void aProgramListsAndDescribesFuturesAsTheCommandsDo() throws Exception {
        SubmitOptions job = SubmitOptions.ofJob("inspected").withMaxRetries(0).withTenant("two");
        List<DurableFuture<Integer>> futures = ratchet.map(
                job.withName("third"), IntStream.range(0, 1_500).boxed().toList(), Tasks.tripling());
        DurableFuture<Integer> failing = ratchet.submit(job, Tasks.failing());
        ratchet.awaitAll(futures, LIMIT);
        assertThatThrownBy(() -> failing.get(LIMIT)).isInstanceOf(TaskFailedException.class);

        assertThat(ratchet.list(FutureQuery.ofJob("inspected").withName("third"))
                        .map(FutureInfo::id))
                .containsExactlyInAnyOrderElementsOf(
                        futures.stream().map(DurableFuture::id).toList());
        assertThat(ratchet.list(FutureQuery.all().withTenant("two").withStates(FutureState.FAILED)))
                .singleElement()
                .satisfies(info -> {
                    assertThat(info.id()).isEqualTo(failing.id());
                    assertThat(info.failure().orElseThrow()).contains("IllegalStateException: broken");
                    assertThat(info.attempts()).isEqualTo(1);
                    assertThat(info.seat()).isPresent();
                    assertThat(info.done()).isPresent();
                });
        assertThat(ratchet.describe(failing.id()).orElseThrow().tenant()).isEqualTo("two");
        assertThat(ratchet.describe(FutureId.random())).isEmpty();
    }

    @Test
    void whatWasSubmittedJustNowIsKnown() throws Exception {
        SubmitOptions job = SubmitOptions.ofJob("just now");
        for (int round = 1; round <= 20; round++) {
            int number = round;
            List<DurableFuture<Integer>> mapped = ratchet.map(job, List.of(1, 2, 3, 4, 5, 6, 7, 8), Tasks.tripling());
            assertThat(ratchet.describe(mapped.get(7).id())).isPresent();
            assertThat(ratchet.describe(ratchet.submit(job, () -> number).id())).isPresent();
            assertThat(ratchet.<Integer>future(ratchet.submit(job, () -> number).id())
                            .get(LIMIT))
                    .isEqualTo(number);
            assertThat(ratchet.replicate(ratchet.put(job, new byte[20_000]), 1)).isNotEmpty();
            assertThat(List.of(ratchet.submit(job, () -> number), ratchet.put(job, new byte[30_000])))
                    .hasSize(2);
            assertThat(ratchet.summary("just now").total()).isEqualTo(13L * round);
            assertThat(ratchet.list(FutureQuery.ofJob("just now"))).hasSize(13 * round);
        }
    }

    @Test
    void whatAFutureWaitsForIsTold() throws Exception {
        SubmitOptions job = SubmitOptions.ofJob("waiting");
        DurableFuture<Integer> large =
                ratchet.submit(job.withRequirements(Requirements.cpus(64).waitingForCapacity()), Tasks.failing());
        DurableFuture<Integer> elsewhere = ratchet.submit(
                job.withLocality(Locality.onSeat("orders-w-9").withRequired())
                        .withRequirements(Requirements.defaults().waitingForCapacity()),
                Tasks.failing());
        DurableFuture<Integer> behind = ratchet.then(job, large, number -> number);
        DurableFuture<Integer> later = ratchet.submit(job.withDelay(Duration.ofHours(1)), Tasks.failing());

        assertThat(reason(large)).contains("cpuMillis=64000").endsWith("It waits for capacity.");
        assertThat(reason(elsewhere)).contains("No worker has the seat orders-w-9");
        assertThat(reason(behind)).isEqualTo("upstreams that are not done: " + large.id());
        assertThat(reason(later)).startsWith("its time, ");
        for (DurableFuture<Integer> future : List.of(behind, large, elsewhere, later)) {
            assertThat(future.cancel()).isTrue();
        }
        assertThat(ratchet.describe(large.id()).orElseThrow().waitsFor()).isEmpty();
    }

    private String reason(DurableFuture<?> future) {
        return ratchet.describe(future.id()).orElseThrow().waitsFor().orElseThrow();
    }

    @Test
    void theResultsOfATaskAreFuturesOfTheirOwn() throws Exception {
        DurableFuture<List<Integer>> list = ratchet.submit(() -> new ArrayList<>(List.of(5, 6, 7)));

        List<DurableFuture<Integer>> elements = ratchet.split(SubmitOptions.ofJob("split"), list, 3);

        assertThat(ratchet.awaitAll(elements, LIMIT)).containsExactly(5, 6, 7);
        DurableFuture<Integer> missing = ratchet.split(
                        SubmitOptions.ofJob("split").withMaxRetries(0), list, 4)
                .get(3);
        assertThatThrownBy(() -> missing.get(LIMIT)).hasMessageContaining("The list has 3 elements");
    }

    @Test
    void aPoolOfActorsSharesTheCalls() throws Exception {
        ActorPool<List<Integer>> pool =
                new ActorPool<>(ratchet, SubmitOptions.ofJob("pool"), "counter", 3, ArrayList::new);
        Tasks.counter("pool.gate").set(0);
        List<DurableFuture<Integer>> calls = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            int number = i;
            calls.add(pool.call(seen -> {
                while (Tasks.counter("pool.gate").get() == 0) {
                    Thread.sleep(5);
                }
                seen.add(number);
                return seen.size();
            }));
        }
        // Where calls end before the next ones are made, one actor has the least to do each time.
        Tasks.counter("pool.gate").set(1);

        ratchet.awaitAll(calls, LIMIT);
        for (var actor : pool.actors()) {
            assertThat(actor.call(List::size).get(LIMIT)).isEqualTo(10);
        }
    }

    @Test
    void futuresCompleteStagesOfOtherLibraries() throws Exception {
        CompletableFuture<Integer> one = ratchet.submit(() -> 1).toCompletableFuture();
        CompletableFuture<Integer> two = ratchet.submit(() -> 2).toCompletableFuture();

        assertThat(one.thenCombine(two, Integer::sum).get(60, java.util.concurrent.TimeUnit.SECONDS))
                .isEqualTo(3);
    }
}
