/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.builder;

import dev.ratchet.circuits.circuit.Exchange;
import dev.ratchet.circuits.circuit.Fixpoint;
import dev.ratchet.circuits.circuit.Node;
import dev.ratchet.circuits.type.RowSchema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where nodes are collected: the program itself, or the inside of one recursion of it. */
final class Nodes {

    private final @Nullable String recursion;
    private final Nodes program;
    private String place = "";
    private final List<Node> list = new ArrayList<>();
    private final Map<Stream, Stream> imports = new HashMap<>();
    private final List<Node> outside = new ArrayList<>();

    /** Those of the program itself. */
    Nodes() {
        this.recursion = null;
        this.program = this;
    }

    /** Those inside of a recursion of that name. */
    Nodes(String recursion, Nodes program) {
        this.recursion = recursion;
        this.program = program;
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

    /** The rows of a node in the worker threads that put them out: as they lie, where that depends on them alone. */
    Node placed(Node wholeRows) {
        if (!wholeRows.placements().isEmpty()) {
            return wholeRows;
        }
        List<Node> placing = Exchange.placing(wholeRows);
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
