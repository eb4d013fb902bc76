/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import dev.ratchet.circuits.circuit.Plan;
import java.util.ArrayList;
import java.util.List;

/** What a program is to those who run, feed and read it, whatever it was written in. Immutable. */
public interface CompiledProgram {

    /** Its tables and views under the names of the relations. */
    Plan plan();

    /** In the order of the program. */
    List<Relation> tables();

    /** Those whose changes are output, in the order of the program. */
    List<Relation> views();

    /** Names everything of a program that its state depends on: equal where one goes on from the state of the other. */
    String fingerprint();

    /** What the fingerprint is of, to tell what differs: a line for each operator, table and view. */
    default List<String> listing() {
        List<String> lines = new ArrayList<>();
        tables().forEach(table -> lines.add("table " + table.name() + " " + table.columns()));
        views().forEach(view -> lines.add("view " + view.name() + " " + view.columns()));
        plan().identity().forEach(id -> lines.add("operator " + id));
        return lines;
    }
}
