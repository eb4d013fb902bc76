/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import dev.ratchet.crds.layout.UpgradeProgress;
import dev.ratchet.operator.status.Reason;
import java.time.Instant;
import java.util.NavigableMap;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What should be in force next.
 *
 * @param members revision of each seat
 * @param progress what the layout must carry; null for nothing
 * @param walks whether the layout is a step of an upgrade
 * @param instead why a layout that is open is given up for this one
 * @param waiting why more or fewer workers can not be had
 * @param lookAt when time alone may change the wish
 * @param proving whether what is in force ends an upgrade and has not passed its gate yet
 */
record LayoutWish(
        NavigableMap<String, String> members,
        @Nullable UpgradeProgress progress,
        boolean walks,
        Obstacle instead,
        Optional<Reason> waiting,
        Upgrade upgrade,
        Optional<Instant> lookAt,
        boolean proving) {
    /** Why a layout is given up if nothing else is known. */
    static final Obstacle OTHERS_WANTED = new Obstacle(Reason.SUPERSEDED, "other workers are wanted now");
}
