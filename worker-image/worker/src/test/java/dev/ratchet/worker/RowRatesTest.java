/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RowRatesTest {

    private final RowRates rates = new RowRates();

    @Test
    void ratesAreThoseBetweenTwoLooksSomeSecondsApart() {
        assertThat(at(0, Map.of("orders", 100L))).isEmpty();
        assertThat(at(1, Map.of("orders", 900L))).isEmpty();
        assertThat(at(5, Map.of("orders", 1_100L, "returns", 10L))).isEqualTo(Map.of("orders", 200L, "returns", 2L));
        assertThat(at(6, Map.of("orders", 9_000L))).isEqualTo(Map.of("orders", 200L, "returns", 2L));
        assertThat(at(10, Map.of("orders", 1_100L, "returns", 10L))).isEqualTo(Map.of("orders", 0L, "returns", 0L));
    }

    @Test
    void aCircuitThatBeginsAnewHasNoNegativeRate() {
        at(0, Map.of("orders", 100L));
        assertThat(at(4, Map.of("orders", 40L))).isEqualTo(Map.of("orders", 0L));
        assertThat(at(8, Map.of("orders", 80L))).isEqualTo(Map.of("orders", 10L));
    }

    private Map<String, Long> at(long seconds, Map<String, Long> counts) {
        return rates.of(counts, TimeUnit.SECONDS.toNanos(seconds));
    }
}
