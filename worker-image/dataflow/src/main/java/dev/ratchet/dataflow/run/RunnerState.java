/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.run;

import java.util.Map;
import java.util.Set;

/** What the process of a circuit does, and what may follow on it. */
public enum RunnerState {
    /** The cluster has no circuit, or this seat no part in it. */
    IDLE,
    /** The program is compiled and the state on this disk looked at. */
    PREPARING,
    /** It has told what it has, and waits for a run. */
    REGISTERED,
    /** It opens the version of a run. */
    OPENING,
    /** It takes steps. */
    STEPPING,
    /** It leaves a run. */
    LEAVING,
    /** It has ended. */
    CLOSED;

    private static final Map<RunnerState, Set<RunnerState>> NEXT = Map.of(
            IDLE, Set.of(PREPARING, CLOSED),
            PREPARING, Set.of(IDLE, REGISTERED, CLOSED),
            REGISTERED, Set.of(IDLE, PREPARING, OPENING, CLOSED),
            OPENING, Set.of(STEPPING, LEAVING),
            STEPPING, Set.of(LEAVING),
            LEAVING, Set.of(PREPARING, IDLE, CLOSED),
            CLOSED, Set.of());

    /**
     * The state that follows.
     *
     * @throws IllegalStateException where it can not follow on this one
     */
    RunnerState to(RunnerState next) {
        if (this != next && !NEXT.getOrDefault(this, Set.of()).contains(next)) {
            throw new IllegalStateException("A circuit's process that is " + this + " does not become " + next);
        }
        return next;
    }
}
