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
            "[*] SUBMIT READY",
            "[*] SUBMIT_WAITING WAITING",
            "[*] SUBMIT_DOOMED FAILED",
            "[*] SUBMIT_REALIZED REALIZED",
            "WAITING UPSTREAMS_DONE READY",
            "WAITING CANCEL CANCELLED",
            "DELAYED DUE READY",
            "DELAYED MOVE READY",
            "DELAYED CANCEL CANCELLED",
            "QUEUED CLAIM CLAIMED",
            "QUEUED MOVE READY",
            "QUEUED FORSAKE FAILED",
            "QUEUED CANCEL CANCELLED",
            "ASSIGNED CLAIM CLAIMED",
            "ASSIGNED MOVE READY",
            "ASSIGNED FORSAKE FAILED",
            "ASSIGNED CANCEL CANCELLED",
            "CLAIMED REALIZE REALIZED",
            "CLAIMED GIVE_BACK READY",
            "CLAIMED AWAIT_UPSTREAM WAITING",
            "CLAIMED RETRY READY",
            "CLAIMED EXHAUST FAILED",
            "CLAIMED CANCEL CANCELLED",
            "REALIZED LOSE LOST",
            "REALIZED DELETE DELETED",
            "FAILED DELETE DELETED",
            "CANCELLED DELETE DELETED",
            "LOST RECONSTRUCT READY",
            "LOST GIVE_UP FAILED",
            "LOST CANCEL CANCELLED",
            "LOST DELETE DELETED");

    private static final Set<State> READY = EnumSet.of(State.STATE_QUEUED, State.STATE_ASSIGNED, State.STATE_DELAYED);

    @Test
    void everyPairOfStateAndEventIsAStepOrRefused() {
        Set<String> found = new TreeSet<>();
        for (State state : states()) {
            for (Event event : Event.values()) {
                Set<State> targets = targets(state, event);
                assertThat(Lifecycle.allows(state, event)).isEqualTo(!targets.isEmpty());
                if (targets.equals(READY)) {
                    found.add(Lifecycle.word(state) + " " + event + " READY");
                } else if (!targets.isEmpty()) {
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
    void anOutcomeIsFinalExceptThatAResultMayBeLostOrDeleted() {
        for (State state : states()) {
            if (Lifecycle.isDone(state)) {
                EnumSet<Event> possible = EnumSet.allOf(Event.class);
                possible.removeIf(event -> !Lifecycle.allows(state, event));
                assertThat(possible).isSubsetOf(Event.LOSE, Event.DELETE);
            }
        }
    }

    private static Set<State> targets(State state, Event event) {
        Set<State> targets = EnumSet.noneOf(State.class);
        for (State to : states()) {
            try {
                targets.add(Lifecycle.next(state, event, to));
            } catch (IllegalStateException refused) {
                assertThat(refused).hasMessageContaining(state.name());
            }
        }
        return targets;
    }

    private static Set<State> states() {
        EnumSet<State> states = EnumSet.allOf(State.class);
        states.remove(State.UNRECOGNIZED);
        return states;
    }
}
