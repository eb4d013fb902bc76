/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SubmitOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tasks that each take as many futures as one may are submitted in a row, more than one transaction can hold. */
class WideJoinsTest {

    private static final int INPUTS = 2_000;
    private static final int JOINS = 21;
    private static final int SLOTS = 2;
    private static final Duration LIMIT = Duration.ofMinutes(2);

    @TempDir
    private Path directory;

    @Test
    void manyWideJoinsInARowAreRecordedWhileTheirInputsWait() throws Exception {
        Tasks.counter("block.gate").set(0);
        try (TestCluster cluster = new TestCluster(directory)) {
            cluster.start(0, SLOTS, 128L << 20);
            Ratchet ratchet = cluster.connect();
            SubmitOptions options = SubmitOptions.ofJob("wide");
            List<DurableFuture<Integer>> gates = IntStream.range(0, SLOTS)
                    .mapToObj(number -> ratchet.submit(options, Tasks.gate()))
                    .toList();
            List<DurableFuture<Integer>> inputs =
                    ratchet.map(options, IntStream.range(0, INPUTS).boxed().toList(), Tasks.tripling());

            List<DurableFuture<Long>> sums = IntStream.range(0, JOINS)
                    .mapToObj(number -> ratchet.reduce(options, inputs, Tasks.summing()))
                    .toList();
            sums.forEach(sum -> sum.submitted().toCompletableFuture().join());
            assertThat(gates).noneMatch(DurableFuture::isDone);
            Tasks.counter("block.gate").set(1);

            for (DurableFuture<Long> sum : sums) {
                assertThat(sum.get(LIMIT)).isEqualTo(3L * INPUTS * (INPUTS - 1) / 2);
            }
        }
    }
}
