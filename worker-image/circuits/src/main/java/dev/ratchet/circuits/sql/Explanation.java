/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import dev.ratchet.circuits.circuit.Node;
import dev.ratchet.circuits.circuit.Plan;
import dev.ratchet.circuits.circuit.Recursion;
import dev.ratchet.circuits.type.ShownSql;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;

/** Text for people about what a query becomes: its relational plan, and the operators that compute it. */
final class Explanation {

    private Explanation() {}

    static String plan(String name, RelNode plan) {
        return name + ":\n" + RelOptUtil.toString(plan);
    }

    /** A line per operator: its number, kind, inputs and what else there is to say. */
    static String operators(Collection<Node> nodes) {
        StringBuilder lines = new StringBuilder();
        for (Node node : nodes) {
            String inputs = node.inputs().stream()
                    .map(input -> Integer.toString(input.number()))
                    .collect(Collectors.joining(", "));
            lines.append(node.number())
                    .append(' ')
                    .append(node.kind())
                    .append(inputs.isEmpty() ? "" : " of " + inputs)
                    .append(node.text().isEmpty() ? "" : ": " + node.text())
                    .append('\n');
        }
        return lines.toString();
    }

    /** Says at tables and views which columns the numbers are. */
    static void nameColumns(Plan plan, List<Relation> tables, List<Relation> outputs) {
        plan.tables().values().forEach(table -> nameColumns(table.source(), table.name(), tables));
        plan.views().values().forEach(view -> nameColumns(view.sink(), view.name(), outputs));
    }

    private static void nameColumns(Node node, String name, List<Relation> relations) {
        String said = node.text();
        for (Relation relation : relations) {
            if (relation.name().equals(name)) {
                String columns = IntStream.range(0, relation.columns().size())
                        .mapToObj(column -> ShownSql.column(column) + " "
                                + relation.columns().get(column).name())
                        .collect(Collectors.joining(", "));
                node.shownAs(() -> said + "; " + columns);
            }
        }
    }

    /** The operators that one reads, over any number of others, in the order of the plan. */
    static List<Node> above(Node node, List<Node> plan) {
        Set<Node> reached = new LinkedHashSet<>();
        collect(node, reached);
        return plan.stream().filter(reached::contains).toList();
    }

    private static void collect(Node node, Set<Node> reached) {
        if (reached.add(node)) {
            node.inputs().forEach(input -> collect(input, reached));
            Recursion recursion = node.recursion();
            if (recursion != null) {
                recursion.nodes().forEach(inside -> collect(inside, reached));
            }
        }
    }
}
