/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.circuit.Node;
import dev.ratchet.circuits.circuit.Recursion;
import dev.ratchet.circuits.type.RowSchema;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is done to a plan before it runs: what nobody reads is left out, and joins give only the columns that are
 * wanted, keyed as they are wanted, instead of whole pairs that the only operator behind them takes apart again. Only
 * stages that can not fail are moved into a join: within a step it meets pairs that are gone at its end.
 */
public final class Fusion {

    /** A node that can run further stages over what it gives, into another schema. */
    @FunctionalInterface
    interface Emitter extends Node.Detail {
        Node with(List<PipeStage> stages, RowSchema target);
    }

    /** A node that does nothing but run stages. */
    static final class Piped implements Node.Detail {
        private final List<PipeStage> stages;
        private boolean runBefore;

        Piped(List<PipeStage> stages) {
            this.stages = stages;
        }

        /** Whether its stages run in the operator before it; complete when the circuit is made. */
        boolean isRunBefore() {
            return runBefore;
        }
    }

    private Fusion() {}

    /** Puts pipes into the joins before them, where nobody else reads these, and takes the joins off the list. */
    public static void fuse(List<Node> nodes) {
        Map<Node, Integer> readers = new HashMap<>();
        count(nodes, readers);
        for (Node node : List.copyOf(nodes)) {
            if (node.detail() instanceof Piped piped
                    && piped.stages.stream().allMatch(Fusion::isSafe)
                    && node.inputs().get(0).detail() instanceof Emitter emitter
                    && readers.getOrDefault(node.inputs().get(0), 0) == 1) {
                Node join = node.inputs().get(0);
                node.become(emitter.with(piped.stages, node.schema()));
                nodes.remove(join);
            }
        }
    }

    /** Lets arrangements outside of recursions hold recent rows unsorted where nobody but joins reads them. */
    public static void holdRecent(List<Node> nodes) {
        for (Node node : nodes) {
            if (node.detail() instanceof Arrange.Readers readers) {
                List<Node> reading = nodes.stream()
                        .filter(reader -> reader.inputs().contains(node))
                        .toList();
                if (reading.stream().allMatch(reader -> reader.detail() instanceof Join.Joined)) {
                    readers.lookUpAlone(reading.stream()
                            .anyMatch(reader -> reader.detail() instanceof Join.Joined joined && joined.isRanged()));
                }
            }
        }
    }

    /** Takes nodes off the list that none of these reads, not even through others. */
    public static void dropUnread(List<Node> nodes, Set<Node> wanted) {
        Set<Node> read = new HashSet<>(wanted);
        for (Node node : nodes.reversed()) {
            if (node.isChecked() || read.contains(node)) {
                read.add(node);
                read.addAll(node.inputs());
            }
        }
        nodes.retainAll(read);
    }

    /** The columns of a node that others read; all of them where that is not known. */
    public static BitSet columnsRead(Node of, List<Node> nodes) {
        BitSet all = new BitSet();
        all.set(0, of.schema().columnCount());
        BitSet read = new BitSet();
        for (Node node : nodes) {
            if (node.inputs().contains(of)) {
                BitSet columns = node.detail() instanceof Piped piped ? columnsRead(piped.stages) : null;
                read.or(columns == null ? all : columns);
            }
        }
        return read;
    }

    /** The columns that stages read of their input; null for all. */
    static @Nullable BitSet columnsRead(List<PipeStage> stages) {
        BitSet wanted = null;
        for (PipeStage stage : stages.reversed()) {
            wanted = switch (stage) {
                case PipeStage.Weigh weigh -> wanted;
                case PipeStage.Map map -> map.mapper().columnsRead();
                case PipeStage.Expand expand -> expand.expander().columnsRead();
                case PipeStage.Project project -> selected(project.columns(), wanted);
                case PipeStage.Filter filter -> either(filter.filter().columnsRead(), wanted);
            };
        }
        return wanted;
    }

    private static BitSet selected(List<Integer> columns, @Nullable BitSet wanted) {
        BitSet selected = new BitSet();
        for (int column = 0; column < columns.size(); column++) {
            if (wanted == null || wanted.get(column)) {
                selected.set(columns.get(column));
            }
        }
        return selected;
    }

    private static @Nullable BitSet either(@Nullable BitSet one, @Nullable BitSet two) {
        if (one == null || two == null) {
            return null;
        }
        BitSet both = (BitSet) one.clone();
        both.or(two);
        return both;
    }

    /**
     * Lets joins outside of recursions run the pipes behind them that nobody else reads, where these fail on no pair: a
     * pair is copied once, as it is wanted. The nodes stay what they are, and so do their ids.
     */
    public static void runInJoins(List<Node> nodes) {
        Map<Node, Integer> readers = new HashMap<>();
        count(nodes, readers);
        for (Node node : nodes) {
            if (node.detail() instanceof Piped piped
                    && node.inputs().get(0).detail() instanceof Join.Joined joined
                    && readers.getOrDefault(node.inputs().get(0), 0) == 1
                    && piped.stages.stream().allMatch(PipeStage::isTotal)) {
                joined.runAlso(piped.stages, node.schema());
                piped.runBefore = true;
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
