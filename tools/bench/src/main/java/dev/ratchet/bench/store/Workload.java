/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.store;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.MutationType;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.tuple.ByteArrayUtil;
import com.apple.foundationdb.tuple.Tuple;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;

/** The transactions that are measured, over keys 0 to n − 1 with values of {@value #VALUE_BYTES} bytes. */
enum Workload {
    /** Reads one key. */
    READ("read") {
        @Override
        CompletableFuture<?> run(Database database, long keys) {
            return database.readAsync(transaction -> transaction.get(randomKey(keys)));
        }
    },
    /** Reads one key and sets it. */
    UPDATE("update") {
        @Override
        CompletableFuture<?> run(Database database, long keys) {
            return database.runAsync(transaction -> update(transaction, randomKey(keys)));
        }
    },
    /** Sets one key without reading. */
    SET("blind set") {
        @Override
        CompletableFuture<?> run(Database database, long keys) {
            return database.runAsync(transaction -> {
                transaction.set(randomKey(keys), randomValue());
                return CompletableFuture.completedFuture(null);
            });
        }
    },
    /** Reads ten keys and sets them. */
    UPDATE_TEN("update of 10 keys") {
        @Override
        CompletableFuture<?> run(Database database, long keys) {
            return database.runAsync(transaction -> {
                CompletableFuture<?>[] updates = new CompletableFuture<?>[10];
                for (int i = 0; i < updates.length; i++) {
                    updates[i] = update(transaction, randomKey(keys));
                }
                return CompletableFuture.allOf(updates);
            });
        }
    },
    /** All read and set the same key: conflicts and retries. */
    HOT_UPDATE("hot key update") {
        @Override
        CompletableFuture<?> run(Database database, long keys) {
            return database.runAsync(transaction -> update(transaction, key(0)));
        }
    },
    /** All add to the same key: no conflicts. */
    HOT_ADD("hot key add") {
        @Override
        CompletableFuture<?> run(Database database, long keys) {
            return database.runAsync(transaction -> {
                transaction.mutate(MutationType.ADD, COUNTER, ONE);
                return CompletableFuture.completedFuture(null);
            });
        }
    },
    /** Reads 1,000 rows. */
    RANGE("range of 1,000") {
        @Override
        CompletableFuture<?> run(Database database, long keys) {
            long from = ThreadLocalRandom.current().nextLong(Math.max(1, keys - 1_000));
            return database.readAsync((ReadTransaction transaction) -> transaction
                    .getRange(key(from), END, 1_000, false, StreamingMode.WANT_ALL)
                    .asList());
        }
    };

    static final int VALUE_BYTES = 100;
    private static final byte[] PREFIX = Tuple.from("bench").pack();
    private static final byte[] END = ByteArrayUtil.strinc(PREFIX);
    private static final byte[] COUNTER = Tuple.from("counter").pack();
    private static final byte[] ONE = {1, 0, 0, 0, 0, 0, 0, 0};

    /** As it stands in reports. */
    final String title;

    Workload(String title) {
        this.title = title;
    }

    /** Begins one transaction. */
    abstract CompletableFuture<?> run(Database database, long keys);

    static byte[] key(long number) {
        byte[] key = Arrays.copyOf(PREFIX, PREFIX.length + Long.BYTES);
        for (int i = 0; i < Long.BYTES; i++) {
            key[PREFIX.length + i] = (byte) (number >>> (56 - 8 * i));
        }
        return key;
    }

    private static byte[] randomKey(long keys) {
        return key(ThreadLocalRandom.current().nextLong(keys));
    }

    static byte[] randomValue() {
        byte[] value = new byte[VALUE_BYTES];
        ThreadLocalRandom.current().nextBytes(value);
        return value;
    }

    private static CompletableFuture<?> update(Transaction transaction, byte[] key) {
        return transaction.get(key).thenAccept(before -> transaction.set(key, randomValue()));
    }
}
