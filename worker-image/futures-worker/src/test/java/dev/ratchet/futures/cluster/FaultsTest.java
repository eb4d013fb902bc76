/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.Database;
import dev.ratchet.client.Actor;
import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.FutureState;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SubmitOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Conflicts and unknown outcomes of commits change nothing of what users see: each outcome is recorded once. */
class FaultsTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    @TempDir
    Path directory;

    private final AtomicReference<FaultyDatabase> faults = new AtomicReference<>();

    /** Two workers whose transactions meet faults. */
    private TestCluster cluster(long seed) throws Exception {
        System.out.println("seed " + seed);
        UnaryOperator<Database> faulty = real -> {
            faults.set(new FaultyDatabase(real, new Random(seed), 20));
            return faults.get().database();
        };
        TestCluster cluster = new TestCluster(directory, faulty);
        cluster.start(0, 2);
        cluster.start(1, 2);
        return cluster;
    }

    private void assertThatThereWereFaults() {
        assertThat(faults.get().conflicts).as("conflicts").hasPositiveValue();
        assertThat(faults.get().unknownOutcomes).as("unknown outcomes").hasPositiveValue();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void eachFutureIsRecordedOnceWhateverHappensToCommits(long seed) throws Exception {
        SubmitOptions options = SubmitOptions.ofJob("faults").withMaxRetries(0);
        try (TestCluster cluster = cluster(seed)) {
            Ratchet ratchet = cluster.connect();
            List<Integer> numbers = IntStream.range(0, 400).boxed().toList();

            List<DurableFuture<Integer>> mapped = ratchet.map(options, numbers, Tasks.tripling());
            DurableFuture<Long> sum = ratchet.reduce(options, mapped, Tasks.summing());

            assertThat(sum.get(LIMIT)).isEqualTo(3L * 400 * 399 / 2);
            assertThat(ratchet.summary("faults").states()).containsOnlyKeys(FutureState.REALIZED);
            assertThat(ratchet.summary("faults").total()).isEqualTo(401);
            assertThat(ratchet.summary("faults").realizedBySeat().values().stream()
                            .mapToLong(n -> n)
                            .sum())
                    .as("counted once each")
                    .isEqualTo(401);
            assertThat(ratchet.summary("faults").retried()).isZero();
            assertThatThereWereFaults();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {4, 5})
    void eachCallOfAnActorChangesItOnceAndInOrderWhateverHappensToCommits(long seed) throws Exception {
        try (TestCluster cluster = cluster(seed)) {
            List<Actor<List<Integer>>> callers = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                callers.add(cluster.connect().actor("numbers", Tasks.emptyList()));
            }
            List<DurableFuture<Boolean>> calls = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                calls.add(callers.get(i % 2).call(Tasks.adding(i)));
                if (i % 20 == 0) {
                    calls.get(i).get(LIMIT);
                }
            }
            for (DurableFuture<Boolean> call : calls) {
                assertThat(call.get(LIMIT)).isTrue();
            }

            List<Integer> numbers = callers.get(0).read(Tasks.same()).get(LIMIT);
            for (int caller = 0; caller < 2; caller++) {
                int first = caller;
                assertThat(numbers.stream().filter(number -> number % 2 == first))
                        .containsExactlyElementsOf(IntStream.range(0, 100)
                                .mapToObj(i -> 2 * i + first)
                                .toList());
            }
            assertThatThereWereFaults();
        }
    }
}
