/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.futures.model.BlockIds;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who asks for the futures of a map one by one, and not as the program that made it, costs a few transactions. */
class ManyOutcomesTest {

    private static final int FUTURES = 2_000;
    private static final Duration LIMIT = Duration.ofMinutes(2);

    @TempDir
    private Path directory;

    private final ObservedDatabase observed = new ObservedDatabase();

    /** @param bytes of each result: small ones stay in their blocks, large ones leave them */
    @ParameterizedTest
    @ValueSource(ints = {100, 20_000})
    void outcomesThatAreAskedForOneByOneAreReadTogether(int bytes) throws Exception {
        try (TestCluster cluster = new TestCluster(directory, observed.wrapper())) {
            cluster.start(0, 2, 128L << 20);
            Ratchet ratchet = cluster.connect();
            List<DurableFuture<byte[]>> made = ratchet.map(
                    SubmitOptions.ofJob("wide"),
                    IntStream.range(0, FUTURES).boxed().toList(),
                    Tasks.filled(bytes));
            assertThat(ratchet.await(made, FUTURES, LIMIT).done()).hasSize(FUTURES);
            Set<ByteBuffer> records = records(cluster, made);
            long before = observed.triesThatRead(records);

            Ratchet other = cluster.connect();
            // A look begins as soon as the one before has ended: how many there are would depend on who is faster.
            awaitWaitedFor(cluster, 0);
            observed.hold();
            List<DurableFuture<byte[]>> asked =
                    made.stream().map(one -> other.<byte[]>future(one.id())).toList();
            var unused = other.future(FutureId.random());
            awaitWaitedFor(
                    cluster,
                    1
                            + made.stream()
                                    .map(one -> BlockIds.sentAs(one.id()))
                                    .distinct()
                                    .count());
            observed.release();
            assertThat(other.await(asked, FUTURES, LIMIT).done()).hasSize(FUTURES);

            assertThat(observed.triesThatRead(records) - before)
                    .as("transactions that have read any of them")
                    .isBetween(1L, FUTURES / 20L);
            for (int number = 0; number < FUTURES; number++) {
                assertThat(asked.get(number).get(LIMIT)).hasSize(bytes).containsOnly((byte) (number % 100));
            }
        }
    }

    /** Keys of the records of futures, and of their blocks. */
    private static Set<ByteBuffer> records(TestCluster cluster, List<DurableFuture<byte[]>> futures) {
        return futures.stream()
                .flatMap(future -> Stream.of(future.id(), BlockIds.sentAs(future.id())))
                .map(id -> ByteBuffer.wrap(cluster.store().keys().records.key(id.value())))
                .collect(Collectors.toSet());
    }

    /** Messages of one client arrive in order: with the last id that it has asked for, all are there. */
    private static void awaitWaitedFor(TestCluster cluster, long count) {
        Awaitility.await("futures and blocks that clients wait for: " + count)
                .atMost(LIMIT)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> cluster.figure("futures_waited_for") == count);
    }
}
