/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.environment.Steps;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ClaimPhaseTest {

    /** Every step there is, so that a change of the tables has to be written down twice. */
    private static final Set<String> STEPS = Set.of(
            "RESTING BEGIN CLAIMING",
            "RESTING WITHDRAW CLAIMING",
            "RESTING WAKE WOKEN",
            "WOKEN BEGIN CLAIMING",
            "WOKEN WITHDRAW CLAIMING_AND_WOKEN",
            "CLAIMING WAKE CLAIMING_AND_WOKEN",
            "CLAIMING FREE CLAIMING_AND_FREED",
            "CLAIMING END RESTING",
            "CLAIMING_AND_FREED WAKE CLAIMING_AND_WOKEN",
            "CLAIMING_AND_FREED END RESTING",
            "CLAIMING_AND_WOKEN END WOKEN");

    private static final Set<String> STEPS_OF_INTAKE =
            Set.of("OPEN CLOSE CLOSED", "OPEN ABANDON ABANDONED", "CLOSED REOPEN OPEN", "CLOSED ABANDON ABANDONED");

    @Test
    void everyPairOfPhaseAndEventIsAStepOrChangesNothing() {
        assertThat(Steps.of(ClaimPhase.TABLE, ClaimPhase.class, ClaimPhase.Event.class))
                .isEqualTo(STEPS);
    }

    @Test
    void everyPairOfIntakeAndEventIsAStepOrChangesNothing() {
        assertThat(Steps.of(Intake.TABLE, Intake.class, Intake.Event.class)).isEqualTo(STEPS_OF_INTAKE);
    }

    /** What begins and ends a flight, and nothing else does. */
    @Test
    void atMostOneIsInFlight() {
        for (ClaimPhase phase : ClaimPhase.values()) {
            for (ClaimPhase.Event event : ClaimPhase.Event.values()) {
                ClaimPhase next = ClaimPhase.TABLE.next(phase, event);
                boolean inFlight =
                        switch (event) {
                            case BEGIN, WITHDRAW -> true;
                            case END -> false;
                            case WAKE, FREE -> phase.isInFlight();
                        };
                if (next != null) {
                    assertThat(next.isInFlight())
                            .as("%s while %s", event, phase)
                            .isEqualTo(inFlight);
                } else if (event == ClaimPhase.Event.BEGIN || event == ClaimPhase.Event.WITHDRAW) {
                    assertThat(phase.isInFlight())
                            .as("%s while %s", event, phase)
                            .isTrue();
                }
            }
        }
    }
}
