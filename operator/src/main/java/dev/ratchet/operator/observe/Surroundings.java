/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.observe;

import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * What is known of the world around a cluster.
 *
 * @param namespaceEnds whether the namespace is being deleted: nothing can be made in it any more
 * @param lostNodes nodes of pods that do not end, which are gone or have not been ready for long
 * @param silenceTold from when on it is told that workers are ready and no coordinator is heard; empty while one is
 *     heard
 */
public record Surroundings(boolean namespaceEnds, Set<String> lostNodes, Optional<Instant> silenceTold) {
    public static final Surroundings NORMAL = new Surroundings(false, Set.of(), Optional.empty());

    public Surroundings {
        lostNodes = Set.copyOf(lostNodes);
    }
}
