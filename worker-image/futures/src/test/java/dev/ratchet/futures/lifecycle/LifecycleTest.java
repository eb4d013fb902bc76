/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.protocol.futures.v1.State;
import java.util.EnumSet;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class LifecycleTest {

    /** Every step there is, so that a change of the table has to be written down twice. */
    private static final Set<String> STEPS = Set.of(
            "[*] SUBMIT QUEUED",
            "[*] SUBMIT_WAITING WAITING",
            "[*] SUBMIT_DOOMED FAILED",
            "WAITING UPSTREAMS_DONE QUEUED",
            "WAITING CANCEL CANCELLED",
            "QUEUED CLAIM CLAIMED",
            "QUEUED CANCEL CANCELLED",
            "CLAIMED REALIZE REALIZED",
            "CLAIMED GIVE_BACK QUEUED",
            "CLAIMED AWAIT_UPSTREAM WAITING",
            "CLAIMED RETRY QUEUED",
            "CLAIMED EXHAUST FAILED",
            "CLAIMED CANCEL CANCELLED",
            "REALIZED LOSE LOST",
            "LOST RECONSTRUCT QUEUED",
            "LOST GIVE_UP FAILED",
            "LOST CANCEL CANCELLED");

    @Test
    void everyPairOfStateAndEventIsAStepOrRefused() {
        Set<String> found = new TreeSet<>();
        for (State state : states()) {
            for (Event event : Event.values()) {
                if (Lifecycle.allows(state, event)) {
                    found.add(Lifecycle.word(state) + " " + event + " " + Lifecycle.word(Lifecycle.next(state, event)));
                } else {
                    assertThatThrownBy(() -> Lifecycle.next(state, event))
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining(state.name())
                            .hasMessageContaining(event.name());
                }
            }
        }
        assertThat(found).containsExactlyInAnyOrderElementsOf(STEPS);
    }

    @Test
    void anOutcomeIsFinalExceptThatAResultMayBeLost() {
        for (State state : states()) {
            if (Lifecycle.isDone(state)) {
                EnumSet<Event> possible = EnumSet.allOf(Event.class);
                possible.removeIf(event -> !Lifecycle.allows(state, event));
                assertThat(possible).isSubsetOf(Event.LOSE);
            }
        }
    }

    private static Set<State> states() {
        EnumSet<State> states = EnumSet.allOf(State.class);
        states.remove(State.UNRECOGNIZED);
        return states;
    }
}
