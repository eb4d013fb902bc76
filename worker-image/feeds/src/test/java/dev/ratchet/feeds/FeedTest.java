/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.feeds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.Transaction;
import dev.ratchet.client.FutureId;
import dev.ratchet.dataflow.DataflowCluster;
import dev.ratchet.dataflow.DataflowState;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.futures.code.Digests;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.submit.TransactionalFutures;
import dev.ratchet.protocol.client.v1.FeedDescription;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.State;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Feeds over a circuit of several processes, which are killed while coordinators come and go and transactions fail
 * before or after their commit. More seeds by {@code -Dfeeds.seeds=100}.
 */
@Timeout(120)
class FeedTest {

    private static final String PROGRAM = """
            CREATE TABLE t (k INT NOT NULL, v INT NOT NULL);
            CREATE VIEW plain AS SELECT k FROM t;
            CREATE VIEW counts AS SELECT k, COUNT(*) AS n FROM t GROUP BY k;
            """;
    private static final int REQUESTS = 40;

    @TempDir
    Path directory;

    private final SystemEnvironment environment = new SystemEnvironment();

    @AfterEach
    void end() {
        environment.close();
    }

    static List<Long> seeds() {
        long first = Long.getLong("feeds.seed", 1);
        return LongStream.range(first, first + Integer.getInteger("feeds.seeds", 2))
                .boxed()
                .toList();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void eachChangeOfAViewIsOneFutureWhoeverIsKilledAndWhateverFails(long seed) throws Exception {
        Random random = new Random(seed);
        try (DataflowCluster cluster = new DataflowCluster(directory, 2)) {
            start(cluster);
            cluster.follow("plain", "counts");
            put(cluster, "of-plain", "plain", 10_000);
            put(cluster, "of-counts", "counts", 10_000);
            List<FeedDuty> duties = new ArrayList<>();
            Faults faults = new Faults(cluster, seed);
            duties.add(elect(cluster, faults));
            String position = "";
            for (int sequence = 0; sequence < REQUESTS; sequence++) {
                position = push(cluster, random, sequence);
                switch (random.nextInt(10)) {
                    case 0 -> {
                        int killed = random.nextInt(2);
                        cluster.restart(killed);
                        cluster.elect(random.nextInt(2));
                        if (killed == TestCircuits.FEEDING) {
                            // What its process followed has ended with that, and the next one begins anew.
                            duties.add(elect(cluster, faults));
                        }
                    }
                    // The one before is not told.
                    case 1 -> duties.add(elect(cluster, faults));
                    default -> {}
                }
            }
            cluster.awaitOutputOf(position, "plain");
            cluster.awaitOutputOf(position, "counts");
            for (String view : List.of("plain", "counts")) {
                Map<Long, List<String>> expected = cluster.changes(view);
                long last = new TreeMap<>(expected).lastKey();
                cluster.await(
                        "the feed has step " + last,
                        () -> feed(cluster, "of-" + view).getStep() >= last);
                assertThat(fed(cluster, "of-" + view)).as("seed " + seed).isEqualTo(expected);
            }
            assertThat(faults.planted).as("faults").isPositive();
            duties.forEach(FeedDuty::close);
        }
    }

    @Test
    void noMoreFuturesThanTheLimitArePendingAndTheCircuitWaits() throws Exception {
        try (DataflowCluster cluster = new DataflowCluster(directory, 1)) {
            start(cluster);
            put(cluster, "few", "plain", 3);
            try (FeedDuty duty = elect(cluster, new Faults(cluster, 0))) {
                Random random = new Random(1);
                int sent = 100;
                for (int sequence = 0; sequence < sent; sequence++) {
                    int number = sequence;
                    push(cluster, random, number);
                    cluster.await("a step", () -> cluster.worker(0).status().step() >= Math.min(number, 20));
                }
                int done = 0;
                for (int round = 0; done < sent && round < 3 * sent; round++) {
                    cluster.await("futures are submitted", () -> !open(cluster).isEmpty());
                    List<FutureId> open = open(cluster);
                    assertThat(open).hasSizeLessThanOrEqualTo(3);
                    assertThat(cluster.worker(0).status().step()
                                    - feed(cluster, "few").getStep())
                            .isLessThanOrEqualTo(64 + 1);
                    cancel(cluster, open);
                    done += open.size();
                }
                assertThat(done).isGreaterThanOrEqualTo(sent);
            }
        }
    }

    @Test
    void whatAFeedDoesNotHaveIsTakenAgainAfterAllProcessesHaveDied() throws Exception {
        try (DataflowCluster cluster = new DataflowCluster(directory, 1)) {
            start(cluster);
            cluster.follow("plain");
            put(cluster, "slow", "plain", 1);
            try (FeedDuty duty = elect(cluster, new Faults(cluster, 0))) {
                Random random = new Random(1);
                String position = "";
                for (int sequence = 0; sequence < 30; sequence++) {
                    position = push(cluster, random, 1 + 5 * sequence);
                    cluster.awaitOutputOf(position, "plain");
                }
                cluster.await(
                        "a version is durable", () -> cluster.worker(0).status().version() > 0);
                cluster.restart(0);
            }
            cluster.elect(0);
            cluster.awaitState(0, DataflowState.RUNNING);
            try (FeedDuty next = elect(cluster, new Faults(cluster, 0))) {
                Map<Long, List<String>> expected = cluster.changes("plain");
                long last = new TreeMap<>(expected).lastKey();
                while (feed(cluster, "slow").getStep() < last) {
                    cluster.await("a future is submitted", () -> !open(cluster).isEmpty());
                    assertThat(open(cluster)).hasSize(1);
                    cancel(cluster, open(cluster));
                }
                assertThat(fed(cluster, "slow")).isEqualTo(expected);
            }
        }
    }

    @Test
    void aFeedGoesOnWhereItIsWithOtherCodeAndEndsWithItsName() throws Exception {
        try (DataflowCluster cluster = new DataflowCluster(directory, 1)) {
            start(cluster);
            put(cluster, "one", "PLAIN", 10);
            assertThatThrownBy(() -> put(cluster, "one", "counts", 10))
                    .hasMessageContaining("is one of the view plain");
            assertThatThrownBy(() -> put(cluster, "two", "lost", 10))
                    .hasMessageContaining("no view 'lost'")
                    .hasMessageContaining("counts");
            FutureKeys keys = new FutureKeys(cluster.keyspace());
            byte[] digest = Digests.ofFunction(FedFutures.CODE).toByteArray();
            assertThat(uses(cluster, keys, digest)).isEqualTo(1);
            put(cluster, "one", "plain", 20);
            assertThat(uses(cluster, keys, digest)).isEqualTo(1);
            assertThat(feeds(cluster).end("one").join().getEnded()).isTrue();
            assertThat(feeds(cluster).end("one").join().getEnded()).isFalse();
            assertThat(uses(cluster, keys, digest)).isZero();
            assertThat(feeds(cluster).list().join().getFeedsList()).isEmpty();
        }
    }

    private static long uses(DataflowCluster cluster, FutureKeys keys, byte[] digest) {
        byte[] value = cluster.database()
                .read(transaction ->
                        transaction.get(keys.functionUses.key((Object) digest)).join());
        return value == null ? 0 : keys.functionUses.decode(value);
    }

    private static void start(DataflowCluster cluster) {
        cluster.configure(DataflowCluster.settings(PROGRAM));
        cluster.awaitState(0, DataflowState.RUNNING);
        cluster.await("the program is known", () -> cluster.worker(0).program().isPresent());
    }

    private Feeds feeds(DataflowCluster cluster) {
        return new Feeds(cluster.database(), cluster.keyspace(), TestCircuits.of(cluster, environment), environment);
    }

    private void put(DataflowCluster cluster, String name, String view, int pendingMax) throws Exception {
        feeds(cluster).put(FedFutures.request(name, view, pendingMax).build()).get();
    }

    private FeedDescription feed(DataflowCluster cluster, String name) {
        return feeds(cluster).list().join().getFeedsList().stream()
                .filter(feed -> feed.getName().equals(name))
                .peek(feed -> assertThat(feed.getStop()).isEmpty())
                .findFirst()
                .orElseThrow();
    }

    private FeedDuty elect(DataflowCluster cluster, Faults faults) {
        FeedDuty duty = new FeedDuty(
                cluster.database(), cluster.keyspace(), TestCircuits.of(cluster, environment), environment);
        duty.begin(faults);
        return duty;
    }

    private static String push(DataflowCluster cluster, Random random, long sequence) {
        int k = random.nextInt(3);
        String row = "{\"k\":%d,\"v\":%d}".formatted(k, sequence);
        // Large steps go in pieces.
        int copies = random.nextInt(8) == 0 && sequence % 5 == 0 ? 600 : 1;
        String[] rows = IntStream.range(0, copies).mapToObj(copy -> row).toArray(String[]::new);
        return cluster.append(0, "p", sequence, "t", rows).position();
    }

    /** What the futures of a feed are about, as {@link DataflowCluster#changes} shows it. */
    private static Map<Long, List<String>> fed(DataflowCluster cluster, String job) {
        return FedFutures.changes(futures(cluster).values(), job);
    }

    private static Map<FutureId, FutureRecord> futures(DataflowCluster cluster) {
        FutureKeys keys = new FutureKeys(cluster.keyspace());
        return cluster.database().read(transaction -> {
            Map<FutureId, FutureRecord> found = new HashMap<>();
            transaction
                    .getRange(keys.records.range())
                    .asList()
                    .join()
                    .forEach(row -> found.put(
                            new FutureId(keys.records.elements(row.getKey()).getUUID(0)),
                            keys.records.decode(row.getValue())));
            return found;
        });
    }

    private static List<FutureId> open(DataflowCluster cluster) {
        return futures(cluster).entrySet().stream()
                .filter(future -> future.getValue().getState() != State.STATE_CANCELLED)
                .map(Map.Entry::getKey)
                .toList();
    }

    private void cancel(DataflowCluster cluster, List<FutureId> open) {
        TransactionalFutures futures = new TransactionalFutures(cluster.database(), cluster.keyspace(), environment);
        for (FutureId id : open) {
            cluster.database()
                    .runAsync(transaction -> futures.cancel(transaction, id))
                    .join();
        }
    }

    /**
     * Lets some transactions fail before their commit, and some be told as failed or run again after it; among the
     * first three there is one of each.
     */
    private static final class Faults implements FencedStore {
        private final DataflowCluster cluster;
        private final Random random;
        private final List<Integer> first;
        private final boolean plants;
        private volatile int planted;

        Faults(DataflowCluster cluster, long seed) {
            this.cluster = cluster;
            this.random = new Random(seed);
            // How many transactions there are depends on how many steps are delivered together.
            this.first = new ArrayList<>(List.of(0, 1, 2));
            Collections.shuffle(first, random);
            this.plants = seed > 0;
        }

        private synchronized int next() {
            int fault = plants ? (first.isEmpty() ? random.nextInt(16) : first.removeFirst()) : 15;
            planted += fault < 3 ? 1 : 0;
            return fault;
        }

        @Override
        public <T> CompletableFuture<T> write(Function<Transaction, CompletableFuture<T>> change) {
            int fault = next();
            AtomicBoolean hasFailed = new AtomicBoolean();
            CompletableFuture<T> first = cluster.database()
                    .runAsync(transaction -> change.apply(transaction).thenApply(result -> {
                        if (fault == 0 && !hasFailed.getAndSet(true)) {
                            throw new IllegalStateException("planted before the commit");
                        }
                        return result;
                    }));
            return switch (fault) {
                case 1 ->
                    first.thenApply(result -> {
                        throw new IllegalStateException("planted after the commit");
                    });
                case 2 -> first.thenCompose(result -> cluster.database().runAsync(change));
                default -> first;
            };
        }

        @Override
        public <T> CompletableFuture<T> read(Function<ReadTransaction, CompletableFuture<T>> query) {
            return cluster.database().readAsync(query);
        }
    }
}
