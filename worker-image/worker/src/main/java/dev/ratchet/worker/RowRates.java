/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import java.util.Map;
import java.util.TreeMap;

/**
 * How many rows a second there are by name, between two looks that lie some seconds apart: those between them see the
 * same, so that it does not matter how many look. Safe for use by several threads.
 */
final class RowRates {

    private static final long PERIOD_NANOS = 4_000_000_000L;
    private static final double NANOS_PER_SECOND = 1e9;

    private boolean begun;
    private long countedNanos;
    private Map<String, Long> counted = Map.of();
    private Map<String, Long> rates = Map.of();

    /**
     * The rates; empty before the second look.
     *
     * @param counts rows so far, which begin anew where the circuit does
     */
    synchronized Map<String, Long> of(Map<String, Long> counts, long nowNanos) {
        long nanos = nowNanos - countedNanos;
        if (begun && nanos < PERIOD_NANOS) {
            return rates;
        }
        if (begun) {
            Map<String, Long> next = new TreeMap<>();
            counts.forEach((name, rows) -> next.put(
                    name, Math.max(0, Math.round((rows - counted.getOrDefault(name, 0L)) * NANOS_PER_SECOND / nanos))));
            rates = next;
        }
        begun = true;
        countedNanos = nowNanos;
        counted = Map.copyOf(counts);
        return rates;
    }
}
