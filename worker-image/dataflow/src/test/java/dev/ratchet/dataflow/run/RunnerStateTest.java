/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class RunnerStateTest {

    /** Every step there is, so that a change of the table has to be written down twice. */
    private static final Set<String> STEPS = Set.of(
            "IDLE PREPARING",
            "IDLE CLOSED",
            "PREPARING IDLE",
            "PREPARING REGISTERED",
            "PREPARING CLOSED",
            "REGISTERED IDLE",
            "REGISTERED PREPARING",
            "REGISTERED OPENING",
            "REGISTERED CLOSED",
            "OPENING STEPPING",
            "OPENING LEAVING",
            "STEPPING LEAVING",
            "LEAVING PREPARING",
            "LEAVING IDLE",
            "LEAVING CLOSED");

    @Test
    void everyPairOfStatesIsAStepOrRefused() {
        Set<String> found = new TreeSet<>();
        for (RunnerState from : RunnerState.values()) {
            assertThat(from.to(from)).isEqualTo(from);
            for (RunnerState to : RunnerState.values()) {
                String step = from + " " + to;
                if (STEPS.contains(step)) {
                    assertThat(from.to(to)).as(step).isEqualTo(to);
                    found.add(step);
                } else if (from != to) {
                    assertThatThrownBy(() -> from.to(to))
                            .as(step)
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining(from.toString())
                            .hasMessageContaining(to.toString());
                }
            }
        }
        assertThat(found).isEqualTo(STEPS);
    }
}
