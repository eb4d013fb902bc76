/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.environment.Steps;
import dev.ratchet.futures.claim.Idleness.Event;
import dev.ratchet.futures.claim.Idleness.State;
import dev.ratchet.futures.queue.Room;
import dev.ratchet.futures.worker.StoreFixture;
import java.util.Set;
import org.junit.jupiter.api.Test;

class IdlenessTest {

    /** Every step there is, so that a change of the table has to be written down twice. */
    private static final Set<String> STEPS = Set.of(
            "BUSY DECLARE DECLARING",
            "BUSY WITHDRAW UNSURE",
            "DECLARING ACCEPT IDLE",
            "DECLARING REFUSE BUSY",
            "DECLARING FAIL UNSURE",
            "UNSURE ACCEPT IDLE",
            "UNSURE TAKE BUSY",
            "UNSURE WITHDRAWN BUSY",
            "IDLE DECLARE UNSURE",
            "IDLE TAKE BUSY",
            "IDLE WAKE UNSURE",
            "IDLE WITHDRAW UNSURE");

    @Test
    void everyPairOfStateAndEventIsAStepOrChangesNothing() {
        assertThat(Steps.of(Idleness.TABLE, State.class, Event.class)).isEqualTo(STEPS);
    }

    @Test
    void theRoomOfADeclarationIsKnownUntilSomebodyMayHaveWokenTheWorker() {
        Room room = StoreFixture.room(2);
        Idleness idle = Idleness.BUSY.on(Event.DECLARE).accepted(room);

        assertThat(idle.willWakeFor(room)).isTrue();
        assertThat(idle.on(Event.ACCEPT)).as("no such step").isEqualTo(idle);
        assertThat(idle.on(Event.WAKE).willWakeFor(room)).isFalse();
        assertThat(idle.on(Event.WAKE).mayWakeFor(room)).isFalse();
    }

    @Test
    void whatWasNotDeclaredIsNotAccepted() {
        assertThatThrownBy(() -> Idleness.BUSY.accepted(StoreFixture.room(2)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("BUSY");
    }
}
