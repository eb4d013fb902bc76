/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.log;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.MutationType;
import com.apple.foundationdb.Transaction;
import dev.ratchet.store.engine.EngineSettings;
import dev.ratchet.store.transaction.ConnectionDatabase;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * A small operation on a large value is a small record of the log: what a transaction writes there is bounded by its
 * own size, whatever the values are that it changes. One of 10 MB could otherwise make a record that no start can read.
 */
class AppendedValuesTest {

    private static final int KEYS = 8;
    private static final int VALUE_BYTES = 90_000;
    /** Together with the values more than a frame of the log may hold. */
    private static final int APPENDS = 100;

    private static final MutationType[] KEEPING = {
        MutationType.BYTE_MIN, MutationType.BYTE_MAX, MutationType.COMPARE_AND_CLEAR, MutationType.APPEND_IF_FITS
    };

    private final CrashingDisk disk = new CrashingDisk(1);
    private SteppedEnvironment environment = new SteppedEnvironment(1);
    private Database database = open(disk);

    private Database open(CrashingDisk on) {
        environment = new SteppedEnvironment(1);
        StoreDirectory store = StoreDirectory.open(on, environment.executor(), environment, EngineSettings.DEFAULT);
        return new ConnectionDatabase(store.engine(), environment);
    }

    private static byte[] key(int number) {
        return new byte[] {1, (byte) number};
    }

    /** As what stays when the smaller and the greater of it and of {@code 0} and {@code 9} are taken. */
    private static byte[] value() {
        byte[] value = new byte[VALUE_BYTES];
        Arrays.fill(value, (byte) 5);
        return value;
    }

    private void commit(Consumer<Transaction> writes) {
        Transaction tr = database.createTransaction();
        writes.accept(tr);
        CompletableFuture<Void> committed = tr.commit();
        environment.runAll();
        assertThat(committed).isCompleted();
    }

    private long logBytes() {
        return disk.list().stream()
                .filter(name -> name.endsWith(".log"))
                .mapToLong(disk::length)
                .sum();
    }

    private byte[] get(int number) {
        CompletableFuture<byte[]> value = database.createTransaction().get(key(number));
        environment.runAll();
        return value.join();
    }

    @Test
    void appendsToLargeValuesTakeTheirOwnBytesOfTheLogAndAreFoundAgain() {
        for (int i = 0; i < KEYS; i++) {
            byte[] key = key(i);
            commit(tr -> tr.set(key, value()));
        }
        long before = logBytes();
        commit(tr -> {
            // Else appends to one key become one.
            tr.options().setReadYourWritesDisable();
            for (int i = 0; i < KEYS * APPENDS; i++) {
                tr.mutate(MutationType.APPEND_IF_FITS, key(i % KEYS), new byte[] {(byte) (i / KEYS)});
            }
        });
        assertThat(logBytes() - before).isLessThan(KEYS * APPENDS * 50L);
        database = open(disk.afterCrash());
        byte[] expected = Arrays.copyOf(value(), VALUE_BYTES + APPENDS);
        for (int i = 0; i < APPENDS; i++) {
            expected[VALUE_BYTES + i] = (byte) i;
        }
        for (int i = 0; i < KEYS; i++) {
            assertThat(get(i)).as("key %d", i).isEqualTo(expected);
        }
    }

    @Test
    void whatAnOperationLeavesAsItIsTakesNothingOfTheLog() {
        commit(tr -> tr.set(key(1), value()));
        long before = logBytes();
        for (MutationType type : KEEPING) {
            byte[] param =
                    switch (type) {
                        case BYTE_MIN -> new byte[] {9};
                        case APPEND_IF_FITS -> new byte[100_000];
                        default -> new byte[] {0};
                    };
            commit(tr -> tr.mutate(type, key(1), param));
        }
        assertThat(logBytes() - before).isLessThan(KEEPING.length * 100L);
        database = open(disk.afterCrash());
        assertThat(get(1)).isEqualTo(value());
    }
}
