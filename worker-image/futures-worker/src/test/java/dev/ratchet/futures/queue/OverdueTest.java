/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.queue;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.tuple.Tuple;
import dev.ratchet.client.FutureId;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What others let lie may be taken, what they are about to take may not. */
class OverdueTest {

    private static final Tuple PARTITION = Tuple.from("class", 0, "tenant");
    private static final long PATIENCE_NANOS = Overdue.PATIENCE_MILLIS * 1_000_000;

    private final Overdue overdue = new Overdue();

    @Test
    void whatStillLiesThereIsOverdueOnceTheTimeIsOver() {
        overdue.see(PARTITION, entries(0, 10), 5);

        assertThat(overdue.isTooEarly(PARTITION, 5 + PATIENCE_NANOS - 1)).isTrue();
        assertThat(overdue.isTooEarly(PARTITION, 5 + PATIENCE_NANOS)).isFalse();
        assertThat(overdueOf(0, 12)).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    }

    @Test
    void whereMoreThanHalfIsGoneSomebodyElseGoesOn() {
        overdue.see(PARTITION, entries(0, 10), 5);

        assertThat(overdueOf(5, 12)).containsExactly(5, 6, 7, 8, 9);
        assertThat(overdueOf(6, 12)).isEmpty();
    }

    @Test
    void whatTheReaderTakesItselfSaysNothingOfOthers() {
        overdue.see(PARTITION, entries(0, 10), 5);
        overdue.taken(PARTITION, entries(0, 6));

        assertThat(overdueOf(6, 12)).containsExactly(6, 7, 8, 9);
    }

    @Test
    void whatIsTakenOrForgottenIsToBeSeenAgain() {
        overdue.see(PARTITION, entries(0, 10), 5);
        overdue.taken(PARTITION, entries(0, 10));
        assertThat(overdue.range(PARTITION)).isEmpty();

        overdue.see(PARTITION, entries(0, 10), 5);
        overdue.forget();
        assertThat(overdue.range(PARTITION)).isEmpty();
        assertThat(overdue.isTooEarly(PARTITION, 5)).isFalse();
    }

    private List<Integer> overdueOf(int from, int end) {
        return overdue.overdue(PARTITION, entries(from, end)).stream()
                .map(entry -> (int) entry.key()[0])
                .toList();
    }

    private static List<QueueEntry> entries(int from, int end) {
        return IntStream.range(from, end)
                .mapToObj(number -> new QueueEntry(new byte[] {(byte) number}, FutureId.ofRandom(0, number), 1))
                .toList();
    }
}
