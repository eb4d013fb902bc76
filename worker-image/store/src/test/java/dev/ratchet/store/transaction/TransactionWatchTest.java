/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A watch and the writes of its own transaction, which may come before the value that it was set at is known: it fires
 * as soon as the key has held two different values.
 */
class TransactionWatchTest {

    private static final int HISTORIES = 1_000;
    private static final int STEPS = 4;

    private static byte @Nullable [] value(int number) {
        return number == 0 ? null : new byte[] {(byte) number};
    }

    @Test
    void itFiresAsSoonAsItsKeyHasHeldTwoDifferentValues() {
        for (long seed = 0; seed < HISTORIES; seed++) {
            Random random = new Random(seed);
            TransactionWatch watch = new TransactionWatch(new byte[] {1});
            int readAt = random.nextInt(STEPS + 1);
            Set<Integer> held = new HashSet<>();
            List<String> history = new ArrayList<>();
            int newest = -1;
            boolean written = false;
            for (int step = 0; step < STEPS; step++) {
                int number = random.nextInt(3);
                held.add(number);
                boolean fired;
                if (step == readAt) {
                    history.add("read " + number);
                    fired = watch.readValue(value(number));
                    newest = written ? newest : number;
                } else {
                    history.add("write " + number);
                    fired = watch.set(value(number));
                    newest = number;
                    written = true;
                }
                assertThat(fired).as("seed %d: %s", seed, history).isEqualTo(held.size() > 1);
                assertThat(watch.isFired()).isEqualTo(fired);
                assertThat(Arrays.equals(watch.expected(), value(newest)))
                        .as("seed %d: %s, what it waits to change from", seed, history)
                        .isTrue();
            }
        }
    }
}
