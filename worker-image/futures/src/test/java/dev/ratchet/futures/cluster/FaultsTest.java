/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.Database;
import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.FutureState;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SubmitOptions;
import java.nio.file.Path;
import java.time.Duration;
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

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void eachFutureIsRecordedOnceWhateverHappensToCommits(long seed) throws Exception {
        System.out.println("seed " + seed);
        SubmitOptions options = SubmitOptions.ofJob("faults").withMaxRetries(0);
        AtomicReference<FaultyDatabase> faults = new AtomicReference<>();
        UnaryOperator<Database> faulty = real -> {
            faults.set(new FaultyDatabase(real, new Random(seed), 20));
            return faults.get().database();
        };
        try (TestCluster cluster = new TestCluster(directory, faulty)) {
            cluster.start(0, 2);
            cluster.start(1, 2);
            Ratchet ratchet = cluster.connect();
            List<Integer> numbers = IntStream.range(0, 400).boxed().toList();

            List<DurableFuture<Integer>> mapped = ratchet.map(options, numbers, Tasks.tripling());
            DurableFuture<Long> sum = ratchet.reduce(options, mapped, Tasks.summing());

            assertThat(sum.get(Duration.ofSeconds(60))).isEqualTo(3L * 400 * 399 / 2);
            assertThat(ratchet.summary("faults").states()).containsOnlyKeys(FutureState.REALIZED);
            assertThat(ratchet.summary("faults").total()).isEqualTo(401);
            assertThat(ratchet.summary("faults").realizedBySeat().values().stream()
                            .mapToLong(n -> n)
                            .sum())
                    .as("counted once each")
                    .isEqualTo(401);
            assertThat(ratchet.summary("faults").retried()).isZero();
            assertThat(faults.get().conflicts).as("conflicts").hasPositiveValue();
            assertThat(faults.get().unknownOutcomes).as("unknown outcomes").hasPositiveValue();
        }
    }
}
