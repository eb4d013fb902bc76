/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.MutationType;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.tuple.Tuple;
import dev.ratchet.store.keyspace.Versionstamps;
import dev.ratchet.store.transaction.ConnectionDatabase;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What users of a store see of one that is in another process: FoundationDB's interfaces, over a network that breaks.
 */
@Timeout(60)
class RemoteDatabaseTest {

    private static final byte[] COUNTER = Tuple.from("counter").pack();

    private ServedEngine store;
    private Database database;

    @BeforeEach
    void start() {
        store = new ServedEngine();
        database = new ConnectionDatabase(store.connect(), store.environment);
    }

    @AfterEach
    void stop() {
        database.close();
        store.close();
    }

    @Test
    void aTransactionReadsItsOwnWritesAndOthersReadThemAfterCommit() {
        byte[] stamp = database.run(transaction -> {
                    transaction.set(key("a"), key("1"));
                    assertThat(transaction.get(key("a")).join()).isEqualTo(key("1"));
                    transaction.mutate(
                            MutationType.SET_VERSIONSTAMPED_KEY,
                            Versionstamps.operand(key("log"), new Tuple(), 0, new Tuple()),
                            key("entry"));
                    return transaction.getVersionstamp();
                })
                .join();
        List<KeyValue> rows = database.read(transaction ->
                transaction.getRange(Range.startsWith(key("log"))).asList().join());
        assertThat(rows).hasSize(1);
        assertThat(Tuple.fromBytes(rows.get(0).getKey(), key("log").length, 13)
                        .getVersionstamp(0)
                        .getTransactionVersion())
                .isEqualTo(stamp);
    }

    @Test
    void aWatchSetJustBeforeTheCommitWaitsForTheNextChange() throws Exception {
        database.run(transaction -> {
            transaction.set(key("watched"), key("1"));
            return null;
        });
        CompletableFuture<Void> watch = database.run(transaction -> transaction.watch(key("watched")));
        for (int i = 0; i < 20; i++) {
            database.runAsync(this::increment).get(40, TimeUnit.SECONDS);
        }
        assertThat(watch).isNotDone();
        database.run(transaction -> {
            transaction.set(key("watched"), key("2"));
            return null;
        });
        watch.get(40, TimeUnit.SECONDS);
    }

    @Test
    void hundredConcurrentTransactionsOnOneCounterLoseNothing() throws Exception {
        List<CompletableFuture<?>> increments = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            increments.add(database.runAsync(this::increment));
        }
        for (CompletableFuture<?> increment : increments) {
            increment.get(40, TimeUnit.SECONDS);
        }
        assertThat(counter()).isEqualTo(100);
    }

    @Test
    void incrementsNamedInTheSameTransactionAreExactWhileConnectionsBreak() throws Exception {
        long seed = new Random().nextLong();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        List<CompletableFuture<?>> increments = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            byte[] name = Tuple.from("done", i).pack();
            increments.add(
                    database.runAsync(transaction -> transaction.get(name).thenCompose(done -> {
                        transaction.set(name, new byte[0]);
                        return done == null ? increment(transaction) : CompletableFuture.completedFuture(null);
                    })));
            if (random.nextInt(10) == 0) {
                if (random.nextBoolean()) {
                    store.proxy.loseAnswers();
                }
                store.proxy.cut();
            }
        }
        for (CompletableFuture<?> increment : increments) {
            increment.get(40, TimeUnit.SECONDS);
        }
        assertThat(counter()).isEqualTo(60);
    }

    @Test
    void twoClientsSeeEachOthersCommitsAtOnce() {
        try (Database other = new ConnectionDatabase(store.connect(), store.environment)) {
            for (int i = 0; i < 50; i++) {
                byte[] value = Tuple.from(i).pack();
                database.run(transaction -> {
                    transaction.set(key("shared"), value);
                    return null;
                });
                byte[] seen =
                        other.read(transaction -> transaction.get(key("shared")).join());
                assertThat(seen).isEqualTo(value);
            }
        }
    }

    @Test
    void aWatchTellsOfAnotherClientsWrite() throws Exception {
        CompletableFuture<Void> changed = database.run(transaction -> transaction.watch(key("w")));
        try (Database other = new ConnectionDatabase(store.connect(), store.environment)) {
            other.run(transaction -> {
                transaction.set(key("w"), key("1"));
                return null;
            });
        }
        changed.get(20, TimeUnit.SECONDS);
    }

    @Test
    void manyRowsAreReadInOneTransaction() {
        int rows = 5_000;
        for (int from = 0; from < rows; from += 1_000) {
            int begin = from;
            database.run(transaction -> {
                for (int i = begin; i < begin + 1_000; i++) {
                    transaction.set(Tuple.from("row", i).pack(), new byte[500]);
                }
                return null;
            });
        }
        AtomicInteger seen = new AtomicInteger();
        database.read(transaction -> {
            for (KeyValue row : transaction.getRange(Tuple.from("row").range())) {
                assertThat(Tuple.fromBytes(row.getKey()).getLong(1)).isEqualTo(seen.getAndIncrement());
            }
            return null;
        });
        assertThat(seen).hasValue(rows);
    }

    @Test
    void aTimeoutEndsAWaitForAnAbsentStore() {
        store.proxy.down();
        assertThatThrownBy(() -> database.read(transaction -> {
                    ((Transaction) transaction).options().setTimeout(300);
                    return transaction.get(key("a")).join();
                }))
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOfSatisfying(FDBException.class, failure -> assertThat(failure.getCode())
                        .isEqualTo(1031));
    }

    private CompletableFuture<Void> increment(Transaction transaction) {
        return transaction.get(COUNTER).thenAccept(value -> {
            long former = value == null ? 0 : ByteBuffer.wrap(value).getLong();
            transaction.set(
                    COUNTER, ByteBuffer.allocate(Long.BYTES).putLong(former + 1).array());
        });
    }

    private long counter() {
        return database.read(
                transaction -> ByteBuffer.wrap(transaction.get(COUNTER).join()).getLong());
    }

    private static byte[] key(String name) {
        return name.getBytes(java.nio.charset.StandardCharsets.UTF_8);
    }
}
