/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

/** Percentiles of buckets are those of the values, to 3 %. */
class LatenciesTest {

    @Test
    void percentilesAreThoseOfTheSortedValues() {
        long seed = 42;
        Random random = new Random(seed);
        Latencies latencies = new Latencies();
        long[] values = new long[10_000];
        for (int i = 0; i < values.length; i++) {
            values[i] = (long) Math.exp(random.nextDouble() * 25);
            latencies.add(values[i]);
        }
        Arrays.sort(values);
        assertThat(latencies.count()).isEqualTo(values.length);
        for (double share : new double[] {0.01, 0.5, 0.9, 0.99, 1}) {
            long exact = values[(int) Math.ceil(share * values.length) - 1];
            assertThat(latencies.percentileNanos(share))
                    .as("percentile %s of seed %d", share, seed)
                    .isCloseTo(exact, Percentage.withPercentage(3.2));
        }
    }

    @Test
    void smallAndHugeValuesHaveTheirPlace() {
        Latencies latencies = new Latencies();
        assertThat(latencies.percentileNanos(0.5)).isZero();
        latencies.add(0);
        assertThat(latencies.percentileNanos(1)).isZero();
        latencies.add(Long.MAX_VALUE);
        assertThat((double) latencies.percentileNanos(1)).isCloseTo(Long.MAX_VALUE, within(Long.MAX_VALUE * 0.04));
    }
}
