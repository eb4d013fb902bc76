/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ages read as kubectl writes them. */
class HumanDurationTest {

    @ParameterizedTest
    @CsvSource({
        "-5, <invalid>",
        "-1, 0s",
        "0, 0s",
        "119, 119s",
        "120, 2m",
        "125, 2m5s",
        "599, 9m59s",
        "600, 10m",
        "10799, 179m",
        "10800, 3h",
        "11700, 3h15m",
        "28800, 8h",
        "172799, 47h",
        "172800, 2d",
        "176400, 2d1h",
        "691200, 8d",
        "63071999, 729d",
        "63072000, 2y",
        "70000000, 2y80d",
        "252288000, 8y"
    })
    void anAgeHasTheUnitsThatMatter(long seconds, String expected) {
        assertThat(HumanDuration.of(Duration.ofSeconds(seconds))).isEqualTo(expected);
    }
}
