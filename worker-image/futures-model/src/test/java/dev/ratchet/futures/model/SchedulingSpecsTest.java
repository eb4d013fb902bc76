/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.SubmitOptions;
import org.junit.jupiter.api.Test;

/** What options mean for the record of a future. */
class SchedulingSpecsTest {

    private static final SubmitOptions EFFECTS = SubmitOptions.ofJob("payments").withExternalEffects();

    @Test
    void aResultIsNotComputedAgainWhereTheEffectsOfItsTaskMustNotBeRepeated() {
        assertThat(SchedulingSpecs.of(EFFECTS.withMaxRetries(0)).getNoReconstruction())
                .isTrue();
        assertThat(SchedulingSpecs.of(EFFECTS).getNoReconstruction()).isFalse();
        assertThat(SchedulingSpecs.of(SubmitOptions.ofJob("sums").withMaxRetries(0))
                        .getNoReconstruction())
                .isFalse();
    }
}
