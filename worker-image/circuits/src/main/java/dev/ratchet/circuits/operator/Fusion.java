/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.circuit.Node;
import dev.ratchet.circuits.circuit.Recursion;
import dev.ratchet.circuits.type.RowSchema;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Lets joins give only the columns that are wanted, keyed as they are wanted, instead of whole pairs that the only
 * operator behind them takes apart again. Only stages that can not fail are moved into a join: within a step it meets
 * pairs that are gone at its end.
 */
public final class Fusion {

    /** A node that can run further stages over what it gives, into another schema. */
    @FunctionalInterface
    interface Emitter {
        Node with(List<PipeStage> stages, RowSchema target);
    }

    /** A node that does nothing but run stages. */
    record Piped(List<PipeStage> stages) {}

    private Fusion() {}

    /** Puts pipes into the joins before them, where nobody else reads these, and takes the joins off the list. */
    public static void fuse(List<Node> nodes) {
        Map<Node, Integer> readers = new HashMap<>();
        count(nodes, readers);
        for (Node node : List.copyOf(nodes)) {
            if (node.detail() instanceof Piped piped
                    && piped.stages().stream().allMatch(Fusion::isSafe)
                    && node.inputs().get(0).detail() instanceof Emitter emitter
                    && readers.getOrDefault(node.inputs().get(0), 0) == 1) {
                Node join = node.inputs().get(0);
                node.become(emitter.with(piped.stages(), node.schema()));
                nodes.remove(join);
            }
        }
    }

    private static boolean isSafe(PipeStage stage) {
        return stage instanceof PipeStage.Project || stage instanceof PipeStage.Weigh;
    }

    private static void count(List<Node> nodes, Map<Node, Integer> readers) {
        for (Node node : nodes) {
            node.inputs().forEach(input -> readers.merge(input, 1, Integer::sum));
            Recursion recursion = node.recursion();
            if (recursion != null) {
                count(recursion.nodes(), readers);
            }
        }
    }
}
