/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.circuit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/** The rows of a clock, whoever read it by whichever wall clock: one for each interval, in order. */
final class CircuitClock {

    /** What the clock has rows of. */
    static final String TABLE = "c";

    /** Shows them. */
    static final String VIEW = "ticks";

    private static final long MICROS_PER_MILLI = 1_000;

    private CircuitClock() {}

    /** @param told what each step has added to the view */
    static void check(Map<Long, List<String>> told, long intervalMillis) {
        List<Long> ticks = new ArrayList<>();
        told.forEach((step, rows) -> rows.stream()
                .map(row -> Long.parseLong(row.replace(" x1", "")))
                .sorted()
                .forEach(ticks::add));
        long interval = intervalMillis * MICROS_PER_MILLI;
        assertThat(ticks).as("ticks").isNotEmpty();
        assertThat(ticks.getFirst() % interval).as("first tick").isZero();
        assertThat(ticks)
                .as("ticks of each " + intervalMillis + " ms")
                .isEqualTo(LongStream.range(0, ticks.size())
                        .mapToObj(number -> ticks.getFirst() + number * interval)
                        .toList());
    }
}
