/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import dev.ratchet.crds.cluster.ComputeClusterSpec;
import dev.ratchet.operator.status.Reason;
import java.util.Optional;

/**
 * Owns what became of the newest spec.
 *
 * @param spec the spec in effect: the newest if it is accepted, else the one accepted last
 * @param revision name of the ControllerRevision that keeps {@code spec}; empty for none
 * @param generation generation at which {@code spec} was accepted; 0 for none
 * @param reason {@link Reason#ACCEPTED}, or why the newest spec is not accepted
 */
public record Acceptance(
        Optional<ComputeClusterSpec> spec, String revision, long generation, Reason reason, String message) {
    public boolean isAccepted() {
        return reason == Reason.ACCEPTED;
    }
}
