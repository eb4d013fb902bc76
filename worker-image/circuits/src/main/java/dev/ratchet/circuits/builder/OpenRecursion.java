/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.builder;

import dev.ratchet.circuits.circuit.Fixpoint;
import dev.ratchet.circuits.circuit.Node;
import dev.ratchet.circuits.circuit.Recursion;
import dev.ratchet.circuits.operator.Fusion;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowSchema;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A recursion whose body is being said. It is closed once. One thread at a time. */
public final class OpenRecursion {

    private final String name;
    private final Nodes inside;
    private final @Nullable Nodes around;
    private final List<List<ColumnType>> types;
    private final List<Node> nodes = new ArrayList<>();
    private final List<Stream> variables = new ArrayList<>();

    /** @param around what reads the fixpoints; null where the recursion is a part of the one that is inside */
    OpenRecursion(String name, Nodes inside, @Nullable Nodes around, List<List<ColumnType>> types) {
        this.name = name;
        this.inside = inside;
        this.around = around;
        this.types = List.copyOf(types);
        for (List<ColumnType> columns : types) {
            RowSchema schema = new RowSchema(columns, List.of());
            Node variable = inside.add(Fixpoint.variable(name + " " + nodes.size(), schema));
            nodes.add(variable);
            variables.add(new Stream(inside, variable, List.of(), columns));
        }
    }

    public List<Stream> variables() {
        return List.copyOf(variables);
    }

    /**
     * Ends it.
     *
     * @param derived what is derived for each variable in one iteration
     * @return the variables' fixpoints; for a recursion inside of another the variables, for the body of the other
     */
    public List<Stream> close(List<Stream> derived) {
        if (derived.size() != variables.size()) {
            throw new IllegalArgumentException("Recursion " + name + " derives " + derived.size() + " streams for "
                    + variables.size() + " variables; the body gives one for each");
        }
        List<Node> feedbacks = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            Stream result = derived.get(i).in(inside).as(types.get(i)).distinct();
            if (!result.columns().equals(types.get(i))) {
                throw new IllegalArgumentException("Recursion " + name + " derives " + result.columns()
                        + " for a variable of " + types.get(i) + "; declare the columns so that they hold it");
            }
            feedbacks.add(inside.add(Fixpoint.feedback(nodes.get(i), result.node())));
        }
        return around == null ? variables() : fixpoints(around, feedbacks);
    }

    private List<Stream> fixpoints(Nodes program, List<Node> feedbacks) {
        Fusion.fuse(inside.list());
        Node recursive = program.add(Fixpoint.recursive(new Recursion(name, inside.list()), inside.outside()));
        List<Stream> fixpoints = new ArrayList<>();
        for (int i = 0; i < feedbacks.size(); i++) {
            Node exported = program.add(Fixpoint.exported(recursive, feedbacks.get(i))
                    .placedBy(List.of(Stream.columns(types.get(i).size()))));
            fixpoints.add(new Stream(program, exported, List.of(), types.get(i)));
        }
        return fixpoints;
    }
}
