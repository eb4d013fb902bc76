/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.FutureNotFoundException;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.Items;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.client.TaskContext;
import dev.ratchet.client.TaskFailedException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Futures that yield many results: in order, each once, no further ahead of their readers than they may. */
@OnCluster(threads = {1, 1})
class GeneratorTest {

    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final SubmitOptions JOB = SubmitOptions.ofJob("items");

    private final TestCluster cluster;
    private final Ratchet ratchet;

    GeneratorTest(TestCluster cluster, Ratchet ratchet) {
        this.cluster = cluster;
        this.ratchet = ratchet;
    }

    private static Integer[] upTo(int count) {
        return IntStream.range(0, count).boxed().toArray(Integer[]::new);
    }

    @Test
    void readersGetAllItemsInOrderFromAnyItemOnAndFromAnywhere() throws Exception {
        Items<Integer> items = ratchet.generate(JOB, out -> {
            for (int i = 0; i < 5_000; i++) {
                out.emit(i);
            }
        });

        assertThat(items.stream()).containsExactly(upTo(5_000));
        assertThat(items.future().get(LIMIT)).isEqualTo(5_000);
        Iterator<Integer> later =
                cluster.connect().<Integer>items(items.future().id()).iterator(4_998);
        assertThat(later).toIterable().containsExactly(4_998, 4_999);
    }

    @Test
    void aGeneratorWaitsForItsReadersWithoutASlot() throws Exception {
        Tasks.counter("emitted").set(0);
        Items<Integer> items = ratchet.generate(JOB, 10, out -> {
            for (int i = 0; i < 100; i++) {
                out.emit(i);
                Tasks.counter("emitted").incrementAndGet();
            }
        });
        Iterator<Integer> reader = items.iterator(0);
        assertThat(reader.next()).isZero();
        Awaitility.await().atMost(LIMIT).until(() -> Tasks.counter("emitted").get() >= 10);
        assertThat(ratchet.awaitAll(ratchet.map(List.of(1, 2, 3, 4), n -> n), LIMIT))
                .as("others run meanwhile")
                .hasSize(4);
        assertThat(Tasks.counter("emitted")).hasValueLessThanOrEqualTo(11);

        assertThat(reader).toIterable().hasSize(99);
    }

    @Test
    void anAttemptThatIsRepeatedEmitsNothingTwiceAndMayGoOnWhereTheItemsEnd() throws Exception {
        Items<String> again = ratchet.generate(JOB, out -> {
            int attempt = TaskContext.current().attempt();
            for (int i = 0; i < 20; i++) {
                out.emit(i + " of " + attempt);
                if (i == 9 && attempt == 1) {
                    out.flush();
                    throw new IllegalStateException("half way");
                }
            }
        });
        Items<String> onward = ratchet.generate(JOB, out -> {
            int attempt = TaskContext.current().attempt();
            for (long i = out.resume(); i < 20; i++) {
                out.emit(i + " of " + attempt);
                if (i == 9) {
                    out.flush();
                    throw new IllegalStateException("half way");
                }
            }
        });

        List<String> expected = IntStream.range(0, 20)
                .mapToObj(i -> i + " of " + (i < 10 ? 1 : 2))
                .toList();
        assertThat(again.stream()).containsExactlyElementsOf(expected);
        assertThat(onward.stream()).containsExactlyElementsOf(expected);
    }

    @Test
    void theEndOfAReadTellsHowTheGeneratorHasEnded() {
        Items<Integer> failing = ratchet.generate(JOB.withMaxRetries(0), out -> {
            out.emit(1);
            throw new IllegalStateException("no more");
        });
        Iterator<Integer> reader = failing.iterator(0);
        Items<Integer> unknown = ratchet.items(FutureId.random());

        assertThat(reader.next()).isEqualTo(1);
        assertThatThrownBy(reader::hasNext)
                .isInstanceOf(TaskFailedException.class)
                .hasMessageContaining("no more");
        assertThatThrownBy(() -> unknown.iterator(0).hasNext()).isInstanceOf(FutureNotFoundException.class);
        assertThatThrownBy(() -> ratchet.generate(JOB, 0, out -> {})).isInstanceOf(InvalidInputException.class);
    }

    @Test
    void whatHasNoItemsIsNoGenerator() {
        DurableFuture<Integer> future = ratchet.submit(JOB, () -> 1);
        Items<Integer> none = ratchet.items(future.id());

        assertThatThrownBy(() -> none.iterator(0).hasNext())
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining(future.id() + " is no generator");
        assertThatThrownBy(() -> none.iterator(1).hasNext()).isInstanceOf(InvalidInputException.class);
        assertThatThrownBy(() -> none.iterator(-1)).isInstanceOf(InvalidInputException.class);
        ratchet.deleteAll(List.of(future));
        assertThat(cluster.check().violations()).isEmpty();
    }

    @Test
    void largeItemsAndIsolatedGeneratorsAreLikeOthers() throws Exception {
        Items<byte[]> large = ratchet.generate(JOB.withIsolation(), 3, out -> {
            for (int i = 0; i < 6; i++) {
                out.emit(Tasks.bytes(400_000 + i));
            }
        });
        Items<byte[]> tooLarge = ratchet.generate(JOB.withMaxRetries(0), out -> out.emit(Tasks.bytes(1_000_000)));

        assertThat(large.stream().map(bytes -> bytes.length))
                .containsExactly(400_000, 400_001, 400_002, 400_003, 400_004, 400_005);
        assertThatThrownBy(() -> tooLarge.iterator(0).hasNext()).hasMessageContaining("Put it");
    }

    @Test
    void tasksReadItemsWithoutASlot() throws Exception {
        Items<Integer> items = ratchet.generate(JOB, 1, out -> {
            for (int i = 0; i < 5; i++) {
                out.emit(i);
            }
        });
        items.future().submitted().toCompletableFuture().join();
        FutureId id = items.future().id();

        assertThat(ratchet.submit(() -> Ratchet.current().<Integer>items(id).stream()
                                .mapToInt(Integer::intValue)
                                .sum())
                        .get(LIMIT))
                .isEqualTo(10);
    }

    @Test
    void itemsGoWithTheirFuture() throws Exception {
        Items<Integer> items = ratchet.generate(JOB, out -> out.emit(1));
        assertThat(items.stream()).containsExactly(1);

        assertThat(ratchet.deleteAll(List.of(items.future()))).isEqualTo(1);

        assertThat(cluster.itemRows(items.future().id())).isZero();
    }

    @Test
    void itemsSurviveTheWorkerThatHasMadeThem(@TempDir Path directory) throws Exception {
        try (TestCluster mortal = new TestCluster(directory)) {
            TestWorker first = mortal.start(0, 1);
            Ratchet client = mortal.connect();
            Tasks.counter("attempts").set(0);
            Items<Integer> items = client.generate(JOB, out -> {
                for (long i = out.resume(); i < 20; i++) {
                    out.emit((int) i);
                    if (i == 9 && Tasks.counter("attempts").incrementAndGet() == 1) {
                        out.flush();
                        new CountDownLatch(1).await();
                    }
                }
            });
            Iterator<Integer> reader = items.iterator(0);
            assertThat(reader.next()).isZero();
            Awaitility.await()
                    .atMost(LIMIT)
                    .until(() -> Tasks.counter("attempts").get() == 1);
            mortal.start(1, 1);
            FutureId id = items.future().id();
            first.kill();

            assertThat(mortal.connect().<Integer>items(id).stream()).containsExactly(upTo(20));
        }
    }
}
