/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.start;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/**
 * Equal starts one after the other.
 *
 * @param what the process and what it was waited for
 * @param options of its JVM beside those of its launcher; empty for none
 * @param starts at least one
 */
record Series(String what, String options, List<Start> starts) {

    static final String HEAD = String.format(
            Locale.ROOT, "%-24s %18s %18s  %s", "seconds (min median max)", "elapsed", "processor", "JVM options");

    /**
     * One start.
     *
     * @param elapsedMillis until what was waited for had happened
     * @param processorMillis what the process had used by then, in user and system mode
     */
    record Start(long elapsedMillis, long processorMillis) {
        static Start of(long elapsedNanos, Duration processor) {
            return new Start(Duration.ofNanos(elapsedNanos).toMillis(), processor.toMillis());
        }
    }

    String line() {
        return String.format(
                Locale.ROOT,
                "%-24s %18s %18s  %s",
                what,
                range(Start::elapsedMillis),
                range(Start::processorMillis),
                options);
    }

    private String range(ToLongFunction<Start> figure) {
        long[] sorted = starts.stream().mapToLong(figure).toArray();
        Arrays.sort(sorted);
        double median = (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2.0;
        return String.format(
                Locale.ROOT, "%.2f  %.2f  %.2f", sorted[0] / 1e3, median / 1e3, sorted[sorted.length - 1] / 1e3);
    }
}
