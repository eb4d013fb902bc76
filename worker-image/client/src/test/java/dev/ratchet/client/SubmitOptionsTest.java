/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class SubmitOptionsTest {

    /** Each change, and which option it is about. */
    private static final Map<String, UnaryOperator<SubmitOptions>> CHANGES = Map.ofEntries(
            Map.entry("name", options -> options.withName("report")),
            Map.entry("job", options -> options.withJob("nightly")),
            Map.entry("tenant", options -> options.withTenant("sales")),
            Map.entry("key", options -> options.withKey("2024-01")),
            Map.entry("priority", options -> options.withPriority(3)),
            Map.entry(
                    "requirements",
                    options -> options.withRequirements(Requirements.defaults().withCpus(2))),
            Map.entry("retries", options -> options.withMaxRetries(7)),
            Map.entry("locality", options -> options.withLocality(Locality.onSeat("orders-w-1"))),
            Map.entry("delay", options -> options.withDelay(Duration.ofSeconds(1))),
            Map.entry("attemptTimeout", options -> options.withAttemptTimeout(Duration.ofSeconds(2))),
            Map.entry("retention", options -> options.withRetention(Duration.ofSeconds(3))),
            Map.entry("allowReconstruction", SubmitOptions::withoutReconstruction),
            Map.entry("isolated", SubmitOptions::withIsolation),
            Map.entry("externalEffects", SubmitOptions::withExternalEffects));

    @Test
    void aChangeOfOneOptionLeavesAllOthersAsTheyWere() {
        SubmitOptions all = SubmitOptions.defaults();
        for (UnaryOperator<SubmitOptions> change : CHANGES.values()) {
            assertThat(change.apply(all)).isNotEqualTo(all);
            all = change.apply(all);
        }
        for (Map.Entry<String, UnaryOperator<SubmitOptions>> change : new TreeMap<>(CHANGES).entrySet()) {
            assertThat(change.getValue().apply(all))
                    .as(change.getKey())
                    .isEqualTo(all)
                    .hasSameHashCodeAs(all);
        }
        assertThat(all.name()).isEqualTo("report");
        assertThat(all.retries().maxRetries()).isEqualTo(7);
        assertThat(all.allowReconstruction()).isFalse();
        assertThat(SubmitOptions.defaults().name()).isEmpty();
    }

    @Test
    void whatIsOutsideOfItsLimitsIsRefusedWithTheValue() {
        assertThatThrownBy(() -> SubmitOptions.defaults().withPriority(11))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("-10 to 10, and not 11");
        assertThatThrownBy(() -> SubmitOptions.defaults().withShortTask().withExternalEffects())
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("withShortTask()");
    }
}
