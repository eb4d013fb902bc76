/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.client.TaskFailedException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Maps, reductions and what follows a future, over collections and over streams that are read bit by bit. */
@OnCluster(threads = {2, 2})
class MapReduceTest {

    private static final int LIMIT_SECONDS = 30;

    private final Ratchet ratchet;

    MapReduceTest(Ratchet ratchet) {
        this.ratchet = ratchet;
    }

    @Test
    void aTreeOfAnyWidthPutsTheValuesTogetherInTheirOrder() throws Exception {
        for (int count : new int[] {1, 2, 16, 17, 300}) {
            List<Integer> numbers = IntStream.range(0, count).boxed().toList();
            DurableFuture<String> joined = ratchet.mapReduce(
                    SubmitOptions.ofJob("tree of " + count),
                    numbers,
                    number -> number + ";",
                    texts -> String.join("", texts));

            assertThat(joined.get())
                    .isEqualTo(numbers.stream().map(number -> number + ";").collect(Collectors.joining()));
        }
        assertThat(ratchet.summary("tree of 1").total()).isEqualTo(1);
        assertThat(ratchet.summary("tree of 300").total())
                .as("pieces, joins of 16, of 16 of those, and of what is left on three levels")
                .isEqualTo(300 + 18 + 1 + 3);
    }

    @Test
    void ofNothingThereIsWhatNothingIsPutTogetherTo() throws Exception {
        DurableFuture<Integer> sum = ratchet.mapReduce(
                SubmitOptions.ofJob("nothing"), Stream.<String>empty(), String::length, all -> all.stream()
                        .mapToInt(each -> each)
                        .sum());

        assertThat(sum.get()).isZero();
    }

    @Test
    void aStreamIsReadNoFurtherThanTheWindow() {
        AtomicInteger read = new AtomicInteger();
        AtomicInteger closed = new AtomicInteger();
        Stream<Integer> numbers = Stream.generate(read::incrementAndGet).onClose(closed::incrementAndGet);
        List<Integer> squares = new ArrayList<>();
        try (Stream<DurableFuture<Integer>> futures =
                ratchet.map(SubmitOptions.ofJob("window"), numbers, 10, number -> number * number)) {
            Iterator<DurableFuture<Integer>> each = futures.iterator();
            for (int taken = 0; taken < 40; taken++) {
                DurableFuture<Integer> square = each.next();
                assertThat(square.isDone()).isTrue();
                squares.add(square.toCompletableFuture().join());
                assertThat(read.get()).isLessThanOrEqualTo(taken + 1 + 10);
            }
        }
        assertThat(squares)
                .isEqualTo(IntStream.rangeClosed(1, 40)
                        .map(number -> number * number)
                        .boxed()
                        .toList());
        assertThat(closed).hasValue(1);
    }

    @Test
    void aWindowHasAtLeastOneFuture() {
        assertThatThrownBy(() -> ratchet.map(SubmitOptions.defaults(), Stream.of(1), 0, number -> number))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("and not of 0");
    }

    @Test
    void whatFollowsAFutureIsOfItsJobAndTakesItsValue() throws Exception {
        SubmitOptions job = SubmitOptions.ofJob("following").withPriority(2);
        DurableFuture<Integer> length = ratchet.submit(job, () -> "three").then(String::length);
        DurableFuture<Integer> inTask =
                ratchet.submit(job, () -> length.then(number -> number + 1).get());

        assertThat(length.then(number -> 2 * number).get()).isEqualTo(10);
        assertThat(inTask.get()).isEqualTo(6);
        assertThat(ratchet.summary("following").total()).isEqualTo(5);
        assertThat(ratchet.describe(length.id()).orElseThrow().job()).isEqualTo("following");
        assertThat(ratchet.future(length.id()).then(number -> number + "!").get())
                .isEqualTo("5!");
    }

    @Test
    void aFailureInTheMiddleIsThatOfTheWhole() {
        DurableFuture<Integer> sum = ratchet.mapReduce(
                SubmitOptions.ofJob("failing").withMaxRetries(0),
                List.of("1", "two", "3"),
                Integer::parseInt,
                Collections::max);

        assertThatThrownBy(sum::get).hasMessageContaining("two");
        assertThatThrownBy(() -> ratchet.submit(SubmitOptions.defaults().withMaxRetries(0), () -> Integer.parseInt("x"))
                        .then(number -> number)
                        .get())
                .hasMessageContaining("NumberFormatException");
    }

    @Test
    void whatBlocksHasAStageThatEndsWithIt() throws Exception {
        List<DurableFuture<Integer>> lengths = ratchet.map(List.of("one", "three"), String::length);
        CompletableFuture<List<Integer>> all = ratchet.async(() -> ratchet.awaitAll(lengths));
        assertThat(all.get(LIMIT_SECONDS, TimeUnit.SECONDS)).containsExactly(3, 5);

        DurableFuture<Integer> wrong =
                ratchet.submit(SubmitOptions.defaults().withMaxRetries(0), () -> Integer.parseInt("x"));
        assertThat(ratchet.async(wrong::get))
                .failsWithin(java.time.Duration.ofSeconds(LIMIT_SECONDS))
                .withThrowableThat()
                .withCauseInstanceOf(TaskFailedException.class);

        CountDownLatch interrupted = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        CompletableFuture<Boolean> never = ratchet.async(() -> {
            begun.countDown();
            try {
                return new CountDownLatch(1).await(LIMIT_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException cancelled) {
                interrupted.countDown();
                throw cancelled;
            }
        });
        assertThat(begun.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        never.cancel(true);
        assertThat(interrupted.await(LIMIT_SECONDS, TimeUnit.SECONDS))
                .as("the call is interrupted")
                .isTrue();
    }
}
