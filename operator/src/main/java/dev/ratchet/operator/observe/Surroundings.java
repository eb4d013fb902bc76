/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.observe;

import java.util.Set;

/**
 * What is known of the world around a cluster.
 *
 * @param namespaceEnds whether the namespace is being deleted: nothing can be made in it any more
 * @param lostNodes nodes of pods that do not end, which are gone or have not been ready for long
 */
public record Surroundings(boolean namespaceEnds, Set<String> lostNodes) {
    public static final Surroundings NORMAL = new Surroundings(false, Set.of());

    public Surroundings {
        lostNodes = Set.copyOf(lostNodes);
    }
}
