/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.feeds;

import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.Transaction;
import dev.ratchet.dataflow.DataflowCluster;
import dev.ratchet.dataflow.DataflowState;
import dev.ratchet.dataflow.process.DataflowLimits;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.protocol.client.v1.FeedDescription;
import dev.ratchet.store.fixture.Growth;
import dev.ratchet.store.fixture.MeasuredDatabase;
import dev.ratchet.store.fixture.TransactionKinds;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** However many feeds there are, and changes of their views, no transaction comes near the limits of {@link Growth}. */
class FeedGrowthTest {

    private static final String PROGRAM = """
            CREATE TABLE t (k INT NOT NULL, v VARCHAR NOT NULL);
            CREATE VIEW plain AS SELECT k, v FROM t;
            """;
    private static final int RECORDS = Growth.RECORDS;
    private static final int FEEDS_MAX = 64;
    private static final String MANY = "feed-0";

    @TempDir
    Path directory;

    private final SystemEnvironment environment = new SystemEnvironment();
    private final MeasuredDatabase measured = new MeasuredDatabase();

    @AfterEach
    void end() {
        environment.close();
    }

    @Test
    void noTransactionGrowsWithTheRecordsAroundIt() throws Exception {
        DataflowLimits limits = DataflowLimits.DEFAULT;
        try (DataflowCluster cluster = new DataflowCluster(directory, 1, limits, measured.wrapper())) {
            cluster.configure(DataflowCluster.settings(PROGRAM));
            cluster.awaitState(0, DataflowState.RUNNING);
            cluster.await(
                    "the program is known", () -> cluster.worker(0).program().isPresent());
            Feeds feeds = new Feeds(
                    cluster.database(), cluster.keyspace(), TestCircuits.of(cluster, environment), environment);
            for (int number = 0; number < FEEDS_MAX; number++) {
                int pendingMax = number == 0 ? 10 * RECORDS : 1;
                feeds.put(FedFutures.request("feed-" + number, "plain", pendingMax)
                                .build())
                        .get();
            }
            // What the others wait for is not kept for them.
            for (int number = 1; number < FEEDS_MAX; number++) {
                feeds.end("feed-" + number).get();
            }
            try (FeedDuty duty = new FeedDuty(
                    cluster.database(), cluster.keyspace(), TestCircuits.of(cluster, environment), environment)) {
                duty.begin(fenced(cluster));
                use(cluster, feeds);
            }
        }
        Growth.assertBounded(measured, TransactionKinds.in("dev.ratchet.feeds"), Map.of());
    }

    /** Many small steps, one of many changes, and one with a row that is too large for a feed. */
    private static void use(DataflowCluster cluster, Feeds feeds) {
        int steps = RECORDS / 20;
        for (int number = 0; number < steps; number++) {
            cluster.append(0, "p", number, "t", row(number, "small"));
        }
        String[] many = IntStream.range(0, RECORDS)
                .mapToObj(number -> row(number, "many"))
                .toArray(String[]::new);
        cluster.append(0, "p", steps, "t", many);
        cluster.await("all changes are fed", () -> feed(feeds).getSubmitted() == RECORDS + steps);
        cluster.append(0, "p", steps + 1, "t", row(0, "x".repeat(200_000)));
        cluster.await("the feed stops", () -> !feed(feeds).getStop().isEmpty());
    }

    private static String row(int k, String v) {
        return "{\"k\":%d,\"v\":\"%s\"}".formatted(k, v);
    }

    private static FeedDescription feed(Feeds feeds) {
        return feeds.list().join().getFeedsList().stream()
                .filter(feed -> feed.getName().equals(MANY))
                .findFirst()
                .orElseThrow();
    }

    private static FencedStore fenced(DataflowCluster cluster) {
        return new FencedStore() {
            @Override
            public <T> CompletableFuture<T> write(Function<Transaction, CompletableFuture<T>> change) {
                return cluster.database().runAsync(change);
            }

            @Override
            public <T> CompletableFuture<T> read(Function<ReadTransaction, CompletableFuture<T>> query) {
                return cluster.database().readAsync(query);
            }
        };
    }
}
