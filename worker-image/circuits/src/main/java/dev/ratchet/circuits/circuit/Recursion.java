/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.circuit;

import java.util.List;

/**
 * The inside of a recursive node: operators that are run iteration by iteration within a step until nothing changes.
 *
 * @param name what errors call it
 * @param nodes of the inside, inputs before what reads them
 */
public record Recursion(String name, List<Node> nodes) {

    /** More iterations within one step are taken for a recursion that does not end. */
    public static final int ITERATIONS_MAX = 100_000;

    public Recursion {
        nodes = List.copyOf(nodes);
    }
}
