/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class LeaseSettingsTest {

    @Test
    void aWorkerThatMayOutliveItsObserversIsRefusedWithTheSum() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LeaseSettings(2_000, 10_000, 5_000, 2_000, 1_000, 18_000, 10, 30_000))
                .withMessageContaining("= 18100 ms")
                .withMessageContaining("= 17820 ms")
                .withMessageContaining("raise observerTtlMillis");
    }

    @Test
    void theExactEqualityIsRefusedToo() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LeaseSettings(2_000, 10_000, 5_000, 2_000, 1_000, 18_000, 0, 30_000));
        assertThat(new LeaseSettings(2_000, 10_000, 5_000, 2_000, 1_000, 18_001, 0, 30_000))
                .isNotNull();
    }

    @Test
    void aHeartbeatThatMayNotBeMissedOnceIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LeaseSettings(2_501, 10_000, 5_000, 2_000, 1_000, 60_000, 10, 30_000))
                .withMessageContaining("beatMillis 2501 must be at most a quarter of workerTtlMillis 10000");
    }

    @Test
    void aSettingOutOfRangeIsNamedWithItsRange() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LeaseSettings(0, 10_000, 5_000, 2_000, 1_000, 60_000, 10, 30_000))
                .withMessage("Lease setting beatMillis is 0, must be 1 to 3600000");
    }

    @Test
    void whatAWorkerDemandsOfObserversIsJustEnough() {
        long demanded = LeaseSettings.DEFAULT.demandedObserverTtlMillis();
        assertThat(new LeaseSettings(2_000, 10_000, 5_000, 2_000, 1_000, demanded, 10, 30_000))
                .isNotNull();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LeaseSettings(2_000, 10_000, 5_000, 2_000, 1_000, demanded - 5, 10, 30_000));
    }
}
