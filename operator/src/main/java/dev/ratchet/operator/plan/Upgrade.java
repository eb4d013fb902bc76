/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import dev.ratchet.crds.layout.UpgradeProgress;
import java.util.Optional;

/**
 * Owns where an upgrade stands.
 *
 * @param current revision that all workers had last; "" for none
 * @param update revision that the spec asks for; "" for none
 * @param progress what the newest layout carries; empty if none is under way
 * @param blocked why it does not go on, and what a person can do
 */
public record Upgrade(String current, String update, Optional<UpgradeProgress> progress, Optional<Obstacle> blocked) {
    /** Nothing runs. */
    public static final Upgrade NONE = new Upgrade("", "", Optional.empty(), Optional.empty());

    /** Whether workers are being replaced. */
    public boolean isUnderWay() {
        return progress.isPresent();
    }
}
