/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.store.transaction.Keys;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The interval structure answers as a plain list of all writes does. */
class IntervalVersionsTest {

    private record Write(byte[] begin, byte[] end, long version) {}

    private static byte[] key(Random random) {
        byte[] key = new byte[random.nextInt(4)];
        for (int i = 0; i < key.length; i++) {
            key[i] = (byte) random.nextInt(5);
        }
        return key;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void itKnowsTheNewestVersionOfEveryRange(long seed) {
        Random random = new Random(seed);
        IntervalVersions versions = new IntervalVersions(0);
        List<Write> writes = new ArrayList<>();
        for (int step = 1; step <= 3000; step++) {
            byte[] begin = key(random);
            byte[] end = random.nextBoolean() ? Keys.after(begin) : key(random);
            if (Keys.compare(begin, end) >= 0) {
                continue;
            }
            if (random.nextInt(3) > 0) {
                versions.write(begin, end, step);
                writes.add(new Write(begin, end, step));
            } else {
                long expected = writes.stream()
                        .filter(write -> Keys.compare(write.begin, end) < 0 && Keys.compare(begin, write.end) < 0)
                        .mapToLong(Write::version)
                        .max()
                        .orElse(0);
                assertThat(versions.max(begin, end))
                        .as("seed %d step %d", seed, step)
                        .isEqualTo(expected);
            }
        }
    }

    private static byte[] number(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }

    /** Nodes that a thousand questions and writes look at when so many keys were written before. */
    private static long visitedNodes(int written, boolean ranges) {
        Random random = new Random(9);
        IntervalVersions versions = new IntervalVersions(0);
        for (int i = 1; i <= written; i++) {
            byte[] key = number(random.nextLong() >>> 1);
            versions.write(key, Keys.after(key), i);
        }
        long before = versions.visitedNodes();
        for (int i = 0; i < 1_000; i++) {
            long from = random.nextLong() >>> 2;
            byte[] begin = number(from);
            // About a quarter of all that was written.
            byte[] end = ranges ? number(from + (random.nextLong() >>> 2)) : Keys.after(begin);
            versions.max(begin, end);
            versions.write(begin, Keys.after(begin), written + i + 1L);
        }
        return versions.visitedNodes() - before;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aHundredTimesAsManyWritesCostPathsThatAreTwoNodesLonger(boolean ranges) {
        long few = visitedNodes(2_000, ranges);
        long many = visitedNodes(200_000, ranges);
        assertThat(few).as("a path to write, two to ask").isLessThan(1_000 * 12);
        assertThat(many - few).isLessThanOrEqualTo(1_000 * 3 * 2);
    }
}
