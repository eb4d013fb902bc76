/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.circuit;

import dev.ratchet.circuits.type.RowSchema;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A whole program: its operators, inputs before what reads them, its tables and views. It says nothing about threads;
 * every worker thread runs the same plan. Immutable.
 */
public final class Plan {

    /**
     * A table. The number is its index in {@link #tables}; {@code lateness} is null where no bound was promised, of one
     * that is append-only no row is ever taken back, and of a constant one all rows come in the first step. One with an
     * {@code upsertKey}, by which a row takes the place of another, has a column behind those of its rows, the position
     * of each in its step. Columns not in {@code columnsRead} make no difference to any view and are not kept.
     */
    public record Table(
            String name,
            RowSchema schema,
            Node source,
            @Nullable Lateness lateness,
            boolean appendOnly,
            boolean constant,
            List<Integer> upsertKey,
            BitSet columnsRead) {

        /** Whether a row takes the place of the one with its key. */
        public boolean takesUpserts() {
            return !upsertKey.isEmpty();
        }

        /** The same where these columns are read. */
        public Table readBy(BitSet columns) {
            return new Table(name, schema, source, lateness, appendOnly, constant, upsertKey, columns);
        }
    }

    /**
     * The promise that a row comes at most so much later than the largest value seen before its step; later rows are
     * dropped.
     *
     * @param column of LONG storage, its value the time
     * @param delay in the unit of the column, at least 0
     */
    public record Lateness(int column, long delay) {}

    /** A result that is read after each step. */
    public record View(String name, RowSchema schema, Node sink) {

        /** The columns, in this order, whose hash says which worker thread of all processes puts a row out. */
        public List<Integer> placedBy() {
            return sink.placements().get(0);
        }
    }

    private final List<Node> nodes;
    private final List<Node> all = new ArrayList<>();
    private final List<Node> ofErrors;
    private final View errors;
    private final Map<String, Table> tables = new LinkedHashMap<>();
    private final Map<String, View> views = new LinkedHashMap<>();
    private final List<String> ids;
    private final BitSet[] readers;

    /**
     * A plan of these nodes.
     *
     * @param nodes outside of recursions, inputs before what reads them
     */
    public Plan(List<Node> nodes, List<Table> tables, List<View> views) {
        this.nodes = List.copyOf(nodes);
        nodes.forEach(this::add);
        tables.forEach(table -> this.tables.put(table.name(), table));
        views.forEach(view -> this.views.put(view.name(), view));
        this.ofErrors = StepErrors.nodes(nodes.stream().filter(Node::isFailing).toList());
        this.errors = new View(StepErrors.VIEW, StepErrors.SCHEMA, ofErrors.getLast());
        for (Node node : ofErrors) {
            node.number(all.size() + ofErrors.indexOf(node));
        }
        this.ids = NodeIds.of(withErrors(all));
        this.readers = readers();
    }

    private void add(Node node) {
        Recursion recursion = node.recursion();
        if (recursion != null) {
            recursion.nodes().forEach(this::add);
        }
        node.number(all.size());
        all.add(node);
    }

    private List<Node> withErrors(List<Node> others) {
        return Stream.concat(others.stream(), ofErrors.stream()).toList();
    }

    /** For each node the nodes that a change of it may change, itself included. */
    private BitSet[] readers() {
        List<Node> every = withErrors(all);
        BitSet[] reach = new BitSet[every.size()];
        for (int i = 0; i < reach.length; i++) {
            reach[i] = new BitSet();
            reach[i].set(i);
        }
        for (int i = reach.length - 1; i >= 0; i--) {
            for (Node input : every.get(i).inputs()) {
                reach[input.number()].or(reach[i]);
            }
            for (Node before : every.get(i).behind()) {
                reach[before.number()].or(reach[i]);
            }
        }
        return reach;
    }

    BitSet reach(Node node) {
        return readers[node.number()];
    }

    /** The names of the views that a change of a node may change. */
    List<String> viewsOf(Node node) {
        return views.values().stream()
                .filter(view -> reach(node).get(view.sink().number()))
                .map(View::name)
                .toList();
    }

    /** The nodes outside of recursions, inputs before what reads them. */
    public List<Node> nodes() {
        return nodes;
    }

    /** Those that run in a circuit of so many processes: of the program, then of the view of errors. */
    List<Node> nodes(int processes) {
        return withErrors(nodes).stream()
                .filter(node -> processes > 1 || !node.isPlacing())
                .toList();
    }

    /** The nodes of {@link #errors}. */
    List<Node> ofErrors() {
        return ofErrors;
    }

    /** How many nodes there are, those of the view of errors included, which have the last numbers. */
    int nodeCount() {
        return readers.length;
    }

    /** All nodes by their numbers, those inside of recursions before the recursive node. */
    public List<Node> allNodes() {
        return all;
    }

    /** Names a node and its state for as long as the program says the same at its place and above it. */
    public String idOf(Node node) {
        return ids.get(node.number());
    }

    /** Says which program this is: equal for programs of equal operators over tables of equal promises. */
    public String fingerprint() {
        return NodeIds.fingerprint(identity());
    }

    /** What the fingerprint is of: the ids of operators, then the promises of tables. */
    public List<String> identity() {
        List<String> told = new ArrayList<>();
        all.stream().filter(node -> !node.isUnnamed()).forEach(node -> told.add(idOf(node)));
        // A program without promises is what it was before they were told.
        tables.values().stream()
                .filter(table -> table.lateness() != null || table.appendOnly() || table.constant())
                .forEach(table -> told.add(table.name() + " " + table.lateness() + " " + table.appendOnly()
                        + (table.constant() ? " constant" : "")));
        return told;
    }

    public Map<String, Table> tables() {
        return tables;
    }

    /** What the program names; {@link #errors} is none of them. */
    public Map<String, View> views() {
        return views;
    }

    /** The system view {@value StepErrors#VIEW}, which every program has. */
    public View errors() {
        return errors;
    }
}
