/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.FutureQuery;
import dev.ratchet.client.Items;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.futures.cluster.MeasuredDatabase.Figures;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * However many records there are, no transaction comes near FoundationDB's limits: five seconds, 10 MB, values of 100
 * kB, keys of 10 kB. {@code -Dratchet.growth.records=100000} has that many around them.
 */
class GrowthTest {

    /** A quarter of them for each of four jobs; enough for a second page of everything that is read by pages. */
    private static final int RECORDS = Integer.getInteger("ratchet.growth.records", 4_000);

    /** Then a worker dies, too, and what has ended goes by itself: each takes most of a minute. */
    private static final boolean IS_LONG = RECORDS > 4_000;

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration LIMIT = Duration.ofMinutes(10);

    /** A quarter of the store's limit of bytes, and what a server reads and checks in a small part of a second. */
    static final Figures MOST = new Figures(2_500_000, 35_000, 2_500_000, 10_000, 90_000, 500);

    @TempDir
    private Path directory;

    private final MeasuredDatabase measured = new MeasuredDatabase();

    @Test
    void noTransactionGrowsWithTheRecordsAroundIt() throws Exception {
        Tasks.counter("block.gate").set(0);
        try (TestCluster cluster = new TestCluster(directory, measured.wrapper())) {
            cluster.start(0, 2, 128L << 20);
            TestWorker second = cluster.start(1, 2, 128L << 20);
            Ratchet ratchet = cluster.connect();
            use(ratchet, second);
        }
        Map<String, Figures> kinds = measured.kinds();
        if (IS_LONG) {
            kinds.forEach((kind, figures) -> System.out.println(kind + " " + figures));
        }
        if (IS_LONG) {
            assertThat(kinds).containsKeys("Collector.collect", "Takeover.releasePages");
        }
        assertThat(kinds).allSatisfy((kind, figures) -> assertThat(figures.most(MOST))
                .as("the largest transaction of %s", kind)
                .isEqualTo(MOST));
        assertThat(kinds.keySet().stream().map(kind -> kind.replaceAll("\\..*", "")))
                .as("the classes that run transactions")
                .contains(
                        "ArtifactUpload",
                        "Awaiting",
                        "Cancellation",
                        "Claimer",
                        "ClientLeases",
                        "ClusterCheck",
                        "Deletion",
                        "Election",
                        "Holders",
                        "ItemRecords",
                        "JobCounters",
                        "Listing",
                        "Mailbox",
                        "SeatKeeper",
                        "OutcomeCommitter",
                        "Submission",
                        "Term",
                        "Unsettled");
    }

    private static void use(Ratchet ratchet, TestWorker second) throws Exception {
        DurableFuture<Integer> gate = ratchet.submit(SubmitOptions.ofJob("gate"), Tasks.gate());
        List<DurableFuture<Integer>> delayed =
                behind(ratchet, gate, SubmitOptions.ofJob("later").withDelay(HOUR));
        List<DurableFuture<Integer>> waiting = behind(ratchet, gate, SubmitOptions.ofJob("waiting"));
        List<DurableFuture<Integer>> kept = behind(ratchet, gate, SubmitOptions.ofJob("kept"));
        List<DurableFuture<Integer>> brief =
                behind(ratchet, gate, SubmitOptions.ofJob("brief").withRetention(Duration.ofMillis(1)));
        Tasks.counter("block.gate").set(1);
        ratchet.awaitAny(waiting);
        if (IS_LONG) {
            second.kill();
        }
        assertThat(ratchet.awaitAll(waiting, LIMIT)).containsOnly(0);
        assertThat(ratchet.awaitAll(kept, LIMIT)).containsOnly(0);

        assertThat(ratchet.map(numbers(), Tasks.tripling()).getLast().get(LIMIT))
                .isEqualTo(3 * (RECORDS - 1));
        Items<Integer> items = ratchet.generate(SubmitOptions.ofJob("items"), RECORDS, Tasks.counting(RECORDS));
        assertThat(items.stream().count()).isEqualTo(RECORDS);
        ratchet.put(SubmitOptions.ofJob("put"), 1)
                .submitted()
                .toCompletableFuture()
                .join();
        assertThat(ratchet.hold(kept)).isEqualTo(kept.size());

        assertThat(ratchet.list(FutureQuery.all()).count()).isGreaterThan(kept.size() * 2L);
        assertThat(ratchet.summary("kept").toString()).isNotEmpty();
        assertThat(ratchet.cancelAll(delayed)).isEqualTo(delayed.size());
        assertThat(ratchet.deleteAll(kept)).isEqualTo(kept.size());
        ratchet.release(brief);
        if (IS_LONG) {
            Awaitility.await("the end of the retention")
                    .atMost(LIMIT)
                    .until(() ->
                            ratchet.list(FutureQuery.ofJob("brief")).findAny().isEmpty());
        }
    }

    private static List<DurableFuture<Integer>> behind(
            Ratchet ratchet, DurableFuture<Integer> gate, SubmitOptions options) {
        List<DurableFuture<Integer>> futures = IntStream.range(0, RECORDS / 4)
                .mapToObj(number -> ratchet.then(options, gate, Tasks.tripling()))
                .toList();
        futures.forEach(future -> future.submitted().toCompletableFuture().join());
        return futures;
    }

    private static List<Integer> numbers() {
        return IntStream.range(0, RECORDS).boxed().toList();
    }
}
