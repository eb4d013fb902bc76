/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.environment.Steps;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RoundPhaseTest {

    /** Every step there is, so that a change of the tables has to be written down twice. */
    private static final Set<String> STEPS = Set.of(
            "NEW START RESTING",
            "NEW END ENDED",
            "RESTING BEGIN LOOKING",
            "RESTING END ENDED",
            "LOOKING OVER RESTING",
            "LOOKING END ENDING",
            "ENDING OVER ENDED");

    private static final Set<String> STEPS_OF_DRAIN = Set.of(
            "GRANTING DRAIN DRAINING",
            "GRANTING PARK PARKING",
            "GRANTING EXPIRE ENDING",
            "DRAINING PARK PARKING",
            "DRAINING EXPIRE ENDING",
            "DRAINING REOPEN GRANTING",
            "PARKING DRAIN DRAINING",
            "PARKING EXPIRE ENDING_PARKED",
            "PARKING REOPEN GRANTING",
            "ENDING PARK ENDING_PARKED",
            "ENDING REOPEN GRANTING",
            "ENDING_PARKED DRAIN ENDING",
            "ENDING_PARKED REOPEN GRANTING");

    @Test
    void everyPairOfPhaseAndEventIsAStepOrChangesNothing() {
        assertThat(Steps.of(RoundPhase.TABLE, RoundPhase.class, RoundPhase.Event.class))
                .isEqualTo(STEPS);
    }

    @Test
    void everyPairOfDrainAndEventIsAStepOrChangesNothing() {
        assertThat(Steps.of(HolderDrain.TABLE, HolderDrain.class, HolderDrain.Event.class))
                .isEqualTo(STEPS_OF_DRAIN);
    }

    @Test
    void atMostOneRoundIsInFlight() {
        for (RoundPhase phase : RoundPhase.values()) {
            RoundPhase begun = RoundPhase.TABLE.next(phase, RoundPhase.Event.BEGIN);
            RoundPhase over = RoundPhase.TABLE.next(phase, RoundPhase.Event.OVER);
            assertThat(begun != null)
                    .as("a round begins while %s", phase)
                    .isEqualTo(phase.looks() && !phase.isInFlight());
            assertThat(over != null).as("a round is over while %s", phase).isEqualTo(phase.isInFlight());
        }
    }
}
