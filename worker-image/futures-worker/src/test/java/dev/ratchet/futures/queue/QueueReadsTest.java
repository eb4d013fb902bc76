/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.queue;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.ReadTransaction;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.store.fixture.StoreUnderTest;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What is known of the beginning of a queue answers as the store does. */
class QueueReadsTest {

    private static final int QUEUES = 60;
    private static final int READS = 200;
    private static final int ENTRIES_MAX = 80;
    private static final Range ALL = new Range(new byte[] {10}, new byte[] {20});

    @Test
    void whatIsReadAfterTheBeginningIsWhatTheStoreHas() {
        long seed = new Random().nextLong();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        try (SystemEnvironment environment = new SystemEnvironment()) {
            Database database = StoreUnderTest.open(environment);
            for (int queue = 0; queue < QUEUES; queue++) {
                int entries = random.nextInt(ENTRIES_MAX);
                database.run(transaction -> {
                    transaction.clear(ALL);
                    transaction.set(ALL.end, new byte[0]);
                    for (int entry = 0; entry < entries; entry++) {
                        transaction.set(key(random), new byte[] {(byte) entry});
                    }
                    return null;
                });
                database.run(transaction -> {
                    compare(transaction.snapshot(), random);
                    return null;
                });
            }
        }
    }

    private static void compare(ReadTransaction transaction, Random random) {
        QueueReads known = QueueReads.fromBeginning(transaction, ALL).join();
        QueueReads plain = new QueueReads(transaction);
        for (int read = 0; read < READS; read++) {
            byte[] from = random.nextInt(4) == 0 ? ALL.begin : key(random);
            byte[] end = random.nextInt(4) == 0 ? ALL.end : key(random);
            int limit = 1 + random.nextInt(random.nextBoolean() ? 4 : ENTRIES_MAX);
            assertThat(keys(known.read(from, end, limit).join()))
                    .containsExactlyElementsOf(keys(plain.read(from, end, limit).join()));
        }
    }

    private static byte[] key(Random random) {
        return new byte[] {(byte) (10 + random.nextInt(10)), (byte) random.nextInt(256)};
    }

    private static List<List<Byte>> keys(List<KeyValue> pairs) {
        return pairs.stream()
                .map(pair -> List.of(pair.getKey()[0], pair.getKey()[1], pair.getValue()[0]))
                .toList();
    }
}
