/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.environment;

import static dev.ratchet.environment.TransitionTable.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class TransitionTableTest {

    private enum Door {
        OPEN,
        SHUT
    }

    private enum Push {
        IN,
        OUT
    }

    private static final TransitionTable<Door, Push> TABLE =
            new TransitionTable<>(List.of(row(Door.SHUT, Push.IN, Door.OPEN), row(Door.OPEN, Push.OUT, Door.SHUT)));

    @Test
    void aMachineTakesTheStepsOfItsTableAndNoOthers() {
        StateMachine<Door, Push> door = TABLE.startingIn(Door.SHUT);

        assertThat(door.on(Push.OUT)).isFalse();
        assertThat(door.state()).isEqualTo(Door.SHUT);
        assertThat(door.on(Push.IN)).isTrue();
        assertThat(door.state()).isEqualTo(Door.OPEN);
        assertThat(door.must(Push.OUT)).isEqualTo(Door.OPEN);
        assertThat(door.state()).isEqualTo(Door.SHUT);
    }

    @Test
    void aStepThatMustBeInTheTableAndIsNotBreaksAnInvariant() {
        StateMachine<Door, Push> door = TABLE.startingIn(Door.SHUT);

        assertThatThrownBy(() -> door.must(Push.OUT))
                .isInstanceOf(AssertionError.class)
                .hasMessage("OUT while SHUT");
        assertThat(door.state()).isEqualTo(Door.SHUT);
    }

    @Test
    void twoRowsForOneStateAndEventAreRefused() {
        assertThatThrownBy(() -> new TransitionTable<>(
                        List.of(row(Door.SHUT, Push.IN, Door.OPEN), row(Door.SHUT, Push.IN, Door.SHUT))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Two rows for SHUT and IN");
    }
}
