/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.builder;

import dev.ratchet.circuits.circuit.Exchange;
import dev.ratchet.circuits.circuit.Fixpoint;
import dev.ratchet.circuits.circuit.Node;
import dev.ratchet.circuits.operator.NamedByAuthor;
import dev.ratchet.circuits.type.RowSchema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Where nodes are collected: the program itself, or the inside of one recursion of it. */
final class Nodes {

    private final @Nullable String recursion;
    private final Nodes program;
    private String place = "";
    private final boolean namesFunctions;

    /** What has each name of a function, in the nodes of the program itself. */
    private final Map<String, Class<?>> functions = new HashMap<>();

    private final List<Node> list = new ArrayList<>();
    private final Map<Stream, Stream> imports = new HashMap<>();
    private final List<Node> outside = new ArrayList<>();

    /**
     * Those of the program itself.
     *
     * @param namesFunctions whether functions without a name are refused
     */
    Nodes(boolean namesFunctions) {
        this.recursion = null;
        this.program = this;
        this.namesFunctions = namesFunctions;
    }

    /** Those inside of a recursion of that name. */
    Nodes(String recursion, Nodes program) {
        this.recursion = recursion;
        this.program = program;
        this.namesFunctions = program.namesFunctions;
    }

    /**
     * Lets a function pass that has a name of its own, where names are asked for.
     *
     * @param function that the author of the program gave, null for none
     * @param use what it is given to
     */
    void checkNamed(@Nullable Object function, String name, String use) {
        if (!namesFunctions || function == null) {
            return;
        }
        String type = use.equals("map") ? "RowMapper" : use.equals("flatMap") ? "RowExpander" : "RowFilter";
        if (name.isBlank()) {
            throw new IllegalArgumentException("The function of " + use + " has no name, so nobody can tell whether"
                    + " state is that of its results; give " + type + ".named(\"what it does\", function)");
        }
        if (function instanceof NamedByAuthor named) {
            Class<?> given = named.function().getClass();
            Class<?> other = program.functions.putIfAbsent(type + " " + name, given);
            if (other != null && other != given) {
                throw new IllegalArgumentException("Two functions have the name '" + name
                        + "', of which each must have its own: use one of them twice, or name the other what it does");
            }
        }
    }

    /** Says where the program has what the nodes compute that follow, also inside of recursions. */
    void at(String placeInProgram) {
        place = placeInProgram;
    }

    List<Node> list() {
        return list;
    }

    /** What a recursion reads of the program around it. */
    List<Node> outside() {
        return outside;
    }

    boolean isRecursion() {
        return recursion != null;
    }

    Node add(Node node) {
        list.add(node.at(program.place));
        return node;
    }

    /** The rows of a node in the worker threads that own their keys. */
    Node exchange(Node keyed) {
        return add(Exchange.receive(add(Exchange.send(keyed))));
    }

    /**
     * What stands for rows, in the worker threads that own their keys. Ids tell the rows.
     *
     * @param standing is no part of ids
     * @param rows the schema of the rows
     */
    Node exchange(Node standing, RowSchema rows) {
        return add(Exchange.receive(add(Exchange.send(add(standing)).namedBy(rows)))
                .namedBy(rows));
    }

    /**
     * The rows of a node in the worker threads that put them out: as they lie, where that depends on them alone, and
     * those of one key all in one.
     *
     * @param key columns that rows of one key have in common; empty for none
     */
    Node placed(Node wholeRows, List<Integer> key) {
        int columns = wholeRows.schema().columnCount();
        Set<Integer> inKey = new TreeSet<>(key);
        // What lies by some columns of a key lies by the whole key as well: rows of one key have those in common.
        if (wholeRows.placements().stream().anyMatch(by -> key.isEmpty() || inKey.containsAll(by))) {
            return wholeRows;
        }
        boolean isWholeRow = key.isEmpty() || inKey.size() == columns;
        List<Node> placing = Exchange.placing(wholeRows, isWholeRow ? Stream.columns(columns) : List.copyOf(inKey));
        placing.forEach(this::add);
        return placing.get(1);
    }

    /** Where what reads streams of both belongs. */
    Nodes with(Nodes other) {
        if (this == other || !other.isRecursion()) {
            return this;
        }
        if (isRecursion()) {
            throw new IllegalArgumentException("A stream of recursion " + recursion + " was used with one of recursion "
                    + other.recursion + "; a recursion can not lie in another, so let one end first");
        }
        return other;
    }

    /** A stream of the program as the recursion sees it. */
    Stream importOf(Stream stream) {
        return imports.computeIfAbsent(stream, wanted -> {
            Node node = wanted.node();
            outside.add(node);
            return new Stream(this, add(Fixpoint.imported(node)), List.of(), wanted.columns())
                    .appendOnly(wanted.isAppendOnly());
        });
    }
}
