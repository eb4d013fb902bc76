/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.Locality;
import dev.ratchet.client.Requirements;
import dev.ratchet.client.SubmitOptions;
import java.time.Duration;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** What of a future has no value before it is recorded is refused when it is asked for, whichever is said first. */
class SpeculativeOptionsTest {

    private static final Map<String, UnaryOperator<SubmitOptions>> AGAINST = Map.of(
            "withKey", options -> options.withKey("invoice-7"),
            "withRequirements", options -> options.withRequirements(Requirements.cpus(2)),
            "withMaxRetries(0)", options -> options.withMaxRetries(0),
            "withLocality", options -> options.withLocality(Locality.onSeat("orders-w-0")),
            "withDelay", options -> options.withDelay(Duration.ofSeconds(1)),
            "withAttemptTimeout", options -> options.withAttemptTimeout(Duration.ofSeconds(1)),
            "withIsolation", SubmitOptions::withIsolation,
            "withExternalEffects", SubmitOptions::withExternalEffects);

    @Test
    void aSpeculativeValueIsThatOfAShortTask() {
        SubmitOptions options = SubmitOptions.defaults().withSpeculativeValue();

        assertThat(options.shortTask()).isTrue();
        assertThat(options.speculativeValue()).isTrue();
        assertThat(options.withJob("other").withPriority(3).withTenant("team").speculativeValue())
                .isTrue();
        assertThat(SubmitOptions.defaults().withShortTask().speculativeValue()).isFalse();
    }

    @Test
    void whatNeverRunsBeforeItIsRecordedIsRefusedByName() {
        AGAINST.forEach((name, with) -> {
            assertThatThrownBy(() -> with.apply(SubmitOptions.defaults()).withSpeculativeValue())
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("withSpeculativeValue()")
                    .hasMessageContaining(name);
            assertThatThrownBy(() -> with.apply(SubmitOptions.defaults().withSpeculativeValue()))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining(name);
        });
    }
}
