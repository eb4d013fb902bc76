/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.apple.foundationdb.Transaction;
import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.FutureCancelledException;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.Locality;
import dev.ratchet.client.NamedTask;
import dev.ratchet.client.PreparedFuture;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SerializableCallable;
import dev.ratchet.client.SerializableFunction;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.futures.submit.TransactionalFutures;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Futures that begin and end with a transaction of their user. */
@OnCluster(threads = 1)
class TransactionalFuturesTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final SubmitOptions JOB = SubmitOptions.ofJob("transactional");
    private static final byte[] ORDER = "order-1".getBytes(StandardCharsets.UTF_8);
    /** Far more than share one of 65,536 numbers by chance. */
    private static final int MANY = 1_500;

    private static final NamedTask TASK = new NamedTask("java.lang.String", "valueOf", "shipped");

    private final TestCluster cluster;
    private final Ratchet ratchet;

    TransactionalFuturesTest(TestCluster cluster, Ratchet ratchet) {
        this.cluster = cluster;
        this.ratchet = ratchet;
    }

    private TransactionalFutures futures() {
        return new TransactionalFutures(cluster.database(), cluster.keyspace(), cluster.environment());
    }

    @Test
    void aFutureExistsExactlyIfTheTransactionCommits() throws Exception {
        TransactionalFutures futures = futures();
        FutureId undone = FutureId.random();
        FutureId cancelled = FutureId.random();
        FutureId delayed = FutureId.random();
        try (Transaction transaction = cluster.database().createTransaction()) {
            transaction.set(ORDER, ORDER);
            futures.submit(transaction, undone, JOB, List.of(), TASK).join();
        }
        assertThat(ratchet.summary("transactional").total())
                .as("never committed")
                .isZero();

        cluster.database().run(transaction -> {
            transaction.set(ORDER, ORDER);
            return futures.submit(transaction, delayed, JOB.withDelay(Duration.ofDays(1)), List.of(), TASK)
                    .thenCompose(unused ->
                            futures.submit(transaction, cancelled, JOB.withDelay(Duration.ofDays(1)), List.of(), TASK))
                    .join();
        });
        assertThat(ratchet.summary("transactional").total()).isEqualTo(2);

        boolean ended = cluster.database()
                .run(transaction -> futures.cancel(transaction, cancelled).join());
        assertThat(ended).isTrue();
        assertThatThrownBy(() -> ratchet.future(cancelled).get(LIMIT)).isInstanceOf(FutureCancelledException.class);
        assertThat(cluster.record(delayed).getName()).isEmpty();
    }

    @Test
    void aWorkerRunsWhatATransactionHasSubmitted() throws Exception {
        TransactionalFutures futures = futures();
        FutureId id = FutureId.random();

        SubmitOptions job = SubmitOptions.ofJob("run");
        cluster.database().run(transaction -> futures.submit(
                        transaction, id, job, List.of(), new NamedTask("java.lang.System", "getenv", "NONE"))
                .join());

        assertThat(ratchet.<Object>future(id).get(LIMIT)).isNull();
    }

    /** Tasks are classes of their own: a worker that loads this one would need the transactions of its tests. */
    record Product(int factor, DurableFuture<Integer> value) implements SerializableCallable<Integer> {
        @Override
        public Integer call() throws Exception {
            return factor * value.get();
        }
    }

    record ScenarioRun() implements SerializableFunction<List<Integer>, String> {
        @Override
        public String apply(List<Integer> values) {
            return "of " + values;
        }
    }

    record Preparing() implements SerializableCallable<String> {
        @Override
        public String call() {
            return Ratchet.current()
                    .prepare(SubmitOptions.defaults(), new Preparing())
                    .toString();
        }
    }

    @Test
    void anyCodeIsSubmittedWithItsUpstreams() throws Exception {
        SubmitOptions job = SubmitOptions.ofJob("prepared");
        TransactionalFutures futures = futures();
        DurableFuture<Integer> before = ratchet.put(job, 3);
        PreparedFuture product = ratchet.prepare(job, new Product(7, before));
        PreparedFuture text = ratchet.prepare(job, List.of(before.id(), product.id()), new ScenarioRun());
        PreparedFuture undone = ratchet.prepare(job, new Preparing());

        try (Transaction transaction = cluster.database().createTransaction()) {
            futures.submit(transaction, undone).join();
        }
        cluster.database().run(transaction -> {
            transaction.set(ORDER, ORDER);
            return futures.submit(transaction, product)
                    .thenCompose(unused -> futures.submit(transaction, text))
                    .join();
        });

        assertThat(ratchet.<String>future(text.id()).get(LIMIT)).isEqualTo("of [3, 21]");
        assertThat(ratchet.<Integer>future(product.id()).get(LIMIT)).isEqualTo(21);
        assertThat(ratchet.describe(undone.id())).as("never committed").isEmpty();
        assertThatThrownBy(() ->
                        ratchet.submit(job.withMaxRetries(0), new Preparing()).get(LIMIT))
                .hasMessageContaining("A task has no transaction of its own");
    }

    @Test
    void noneOfManyOfOneTransactionIsLost() throws Exception {
        TransactionalFutures futures = futures();
        SubmitOptions onOneSeat = SubmitOptions.ofJob("many").withLocality(Locality.onSeat("orders-w-0"));
        List<FutureId> ids =
                IntStream.range(0, MANY).mapToObj(i -> FutureId.random()).toList();

        cluster.database().run(transaction -> {
            ids.forEach(id -> futures.submit(
                            transaction, id, onOneSeat, List.of(), new NamedTask("java.lang.Integer", "parseInt", "7"))
                    .join());
            return null;
        });

        for (FutureId id : ids) {
            assertThat(ratchet.<Integer>future(id).get(LIMIT)).isEqualTo(7);
        }
    }
}
