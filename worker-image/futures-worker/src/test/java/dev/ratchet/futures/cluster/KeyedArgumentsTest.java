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

/** Two programs that submit different tasks under one key at the same time: one of the two is what runs. */
class KeyedArgumentsTest {

    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final int ROUNDS = 20;
    private static final int BYTES = 3_000_000;

    @TempDir
    private Path directory;

    @Test
    void theLargeArgumentsOfTwoProgramsWithOneKeyDoNotMix() throws Exception {
        try (TestCluster cluster = new TestCluster(directory)) {
            cluster.start(0, 1);
            List<Ratchet> programs = List.of(cluster.connect(), cluster.connect());
            for (int round = 0; round < ROUNDS; round++) {
                SubmitOptions keyed = SubmitOptions.ofJob("keyed").withKey("round " + round);
                List<DurableFuture<Integer>> same = IntStream.of(0, 1)
                        .mapToObj(program -> programs.get(program)
                                .submit(keyed, Tasks.onlyByte(Tasks.repeated(BYTES + program * 500_000, program + 1))))
                        .toList();

                int ran = same.getFirst().get(LIMIT);
                assertThat(ran).as("what is in the argument of round %s", round).isIn(1, 2);
                assertThat(same.getLast().get(LIMIT)).isEqualTo(ran);
            }
            assertThat(cluster.check().violations()).isEmpty();
        }
    }
}
