/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.Transaction;
import dev.ratchet.client.FutureCancelledException;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.NamedTask;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.futures.work.TransactionalFutures;
import dev.ratchet.store.environment.SystemEnvironment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Futures that begin and end with a transaction of their user. */
class TransactionalFuturesTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final SubmitOptions JOB = SubmitOptions.ofJob("transactional");
    private static final byte[] ORDER = "order-1".getBytes(StandardCharsets.UTF_8);
    private static final NamedTask TASK = new NamedTask("java.lang.String", "valueOf", "shipped");

    @TempDir
    Path directory;

    @Test
    void aFutureExistsExactlyIfTheTransactionCommits() throws Exception {
        AtomicReference<Database> store = new AtomicReference<>();
        UnaryOperator<Database> keep = real -> {
            store.set(real);
            return real;
        };
        try (TestCluster cluster = new TestCluster(directory, keep);
                SystemEnvironment environment = new SystemEnvironment()) {
            cluster.start(0, 1);
            Ratchet ratchet = cluster.connect();
            TransactionalFutures futures = new TransactionalFutures(store.get(), cluster.keyspace(), environment);
            FutureId undone = FutureId.random();
            FutureId cancelled = FutureId.random();
            FutureId delayed = FutureId.random();
            try (Transaction transaction = store.get().createTransaction()) {
                transaction.set(ORDER, ORDER);
                futures.submit(transaction, undone, JOB, List.of(), TASK).join();
            }
            assertThat(ratchet.summary("transactional").total())
                    .as("never committed")
                    .isZero();

            store.get().run(transaction -> {
                transaction.set(ORDER, ORDER);
                return futures.submit(transaction, delayed, JOB.withDelay(Duration.ofDays(1)), List.of(), TASK)
                        .thenCompose(unused -> futures.submit(
                                transaction, cancelled, JOB.withDelay(Duration.ofDays(1)), List.of(), TASK))
                        .join();
            });
            assertThat(ratchet.summary("transactional").total()).isEqualTo(2);

            boolean ended = store.get()
                    .run(transaction -> futures.cancel(transaction, cancelled).join());
            assertThat(ended).isTrue();
            assertThatThrownBy(() -> ratchet.future(cancelled).get(LIMIT)).isInstanceOf(FutureCancelledException.class);
            assertThat(cluster.record(delayed).getName()).isEmpty();
        }
    }

    @Test
    void aWorkerRunsWhatATransactionHasSubmitted() throws Exception {
        AtomicReference<Database> store = new AtomicReference<>();
        UnaryOperator<Database> keep = real -> {
            store.set(real);
            return real;
        };
        try (TestCluster cluster = new TestCluster(directory, keep);
                SystemEnvironment environment = new SystemEnvironment()) {
            cluster.start(0, 1);
            Ratchet ratchet = cluster.connect();
            TransactionalFutures futures = new TransactionalFutures(store.get(), cluster.keyspace(), environment);
            FutureId id = FutureId.random();

            store.get().run(transaction -> futures.submit(
                            transaction, id, JOB, List.of(), new NamedTask("java.lang.System", "getenv", "NONE"))
                    .join());

            assertThat(ratchet.<Object>future(id).get(LIMIT)).isNull();
        }
    }
}
