/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.FutureState;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SubmitOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a worker has that parks, because the next process of its pod finds its files. */
class ParkTest {

    private static final int LARGE = 20_000;
    private static final int VALUES = 10;
    /** So large that files have room for three of them and memory for as many, of which it takes five. */
    private static final int LARGE_ONE = 60_000;

    private static final int FILL = 5;
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final SubmitOptions OPTIONS = SubmitOptions.ofJob("park");

    @TempDir
    Path directory;

    private TestCluster cluster;

    @BeforeEach
    void open() {
        cluster = new TestCluster(directory);
    }

    @AfterEach
    void close() throws Exception {
        cluster.close();
    }

    @Test
    void theNextProcessHasAllOfItAndNothingIsMovedOrComputedAgain() throws Exception {
        TestWorker first = cluster.startInPod(0, 2, 64 << 20);
        List<DurableFuture<byte[]>> values = values(cluster.connect());
        TestWorker second = cluster.start(1, 2);
        cluster.park(first, LIMIT.toMillis());
        assertThat(first.engine().now().objects()).isEqualTo(VALUES + 1);
        first.leave(LIMIT.toMillis());

        Ratchet later = cluster.connect();
        CompletableFuture<byte[]> asked =
                later.<byte[]>future(values.getFirst().id()).toCompletableFuture();
        DurableFuture<Integer> length =
                later.then(OPTIONS, later.<byte[]>future(values.getLast().id()), value -> value.length);
        Awaitility.await("who asks is told for what the value waits")
                .atMost(LIMIT)
                .untilAsserted(() -> assertThat(later.describe(values.getFirst().id())
                                .orElseThrow()
                                .waitsFor())
                        .contains("the next process of orders-w-0, in whose files its value is"));
        assertThat(asked).isNotDone();
        assertThat(later.summary("park").count(FutureState.LOST)).isZero();
        assertThat(second.engine().now().objects()).isZero();
        cluster.startInPod(0, 2, 64 << 20);

        assertThat(asked).succeedsWithin(LIMIT).isEqualTo(Tasks.bytes(LARGE));
        assertThat(length.get(LIMIT)).isEqualTo(LARGE + VALUES);
        for (int i = 0; i <= VALUES; i++) {
            assertThat(later.<byte[]>future(values.get(i).id()).get(LIMIT)).isEqualTo(Tasks.bytes(LARGE + i));
        }
        assertThat(later.summary("park").recomputed()).isZero();
    }

    @Test
    void whatHasNoRoomInFilesIsHandedOver() throws Exception {
        TestWorker first = cluster.startInPod(0, 2, 400_000);
        Ratchet ratchet = cluster.connect();
        List<DurableFuture<byte[]>> values = new ArrayList<>();
        for (int i = 0; i < FILL; i++) {
            values.add(ratchet.submit(OPTIONS.withoutReconstruction(), () -> Tasks.bytes(LARGE_ONE)));
        }
        ratchet.await(values, FILL, LIMIT);
        assertThat(first.engine().now().objects()).isEqualTo(FILL);
        TestWorker second = cluster.start(1, 2);

        cluster.park(first, LIMIT.toMillis());

        assertThat(second.engine().now().objects()).isPositive();
        assertThat(first.engine().now().objects()).isPositive();
        assertThat(first.engine().now().objects() + second.engine().now().objects())
                .isEqualTo(FILL);
        for (DurableFuture<byte[]> value : values) {
            assertThat(value.get(LIMIT)).isEqualTo(Tasks.bytes(LARGE_ONE));
        }
    }

    @Test
    void whoIsNotReplacedWorksAgain() throws Exception {
        TestWorker first = cluster.startInPod(0, 2, 64 << 20);
        Ratchet ratchet = cluster.connect();
        List<DurableFuture<byte[]>> values = values(ratchet);
        cluster.park(first, LIMIT.toMillis());
        DurableFuture<Integer> waits = ratchet.submit(OPTIONS, () -> 7);
        cluster.work();

        assertThat(waits.get(LIMIT)).isEqualTo(7);
        assertThat(ratchet.<byte[]>future(values.getLast().id()).get(LIMIT)).hasSize(LARGE + VALUES);
    }

    /** The last one can not be computed again. */
    private static List<DurableFuture<byte[]>> values(Ratchet ratchet) throws InterruptedException {
        List<DurableFuture<byte[]>> values = new ArrayList<>(ratchet.map(
                OPTIONS, IntStream.range(LARGE, LARGE + VALUES).boxed().toList(), Tasks::bytes));
        values.add(ratchet.put(OPTIONS, Tasks.bytes(LARGE + VALUES)));
        ratchet.await(values, values.size(), LIMIT);
        return values;
    }
}
