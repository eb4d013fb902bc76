/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Owns the words about what a former cluster of the same name has left. Nothing is made while any of it is there: its
 * names are taken, and certificates of two authorities side by side would trust nobody.
 */
final class Remains {
    private static final int TOLD = 3;

    private Remains() {}

    static String explain(List<String> remains) {
        String more = remains.size() > TOLD ? " and more" : "";
        return "waiting for the garbage collector to delete what a former cluster of this name left: "
                + remains.stream().limit(TOLD).collect(Collectors.joining(", ")) + more;
    }
}
