/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import dev.ratchet.operator.status.Reason;

/**
 * What stands in the way of a plan.
 *
 * @param message what it is and what a person can do about it
 */
public record Obstacle(Reason reason, String message) {
    /** Whether nothing at all can be done or said about the workers while it is there. */
    public boolean stopsEverything() {
        return reason == Reason.WRONG_STORE
                || reason == Reason.NAMESPACE_TERMINATING
                || reason == Reason.FORMER_CLUSTER_REMAINS;
    }
}
