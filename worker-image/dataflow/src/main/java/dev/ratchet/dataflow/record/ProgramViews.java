/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.record;

import dev.ratchet.circuits.circuit.StepErrors;
import dev.ratchet.circuits.sql.CompiledProgram;
import dev.ratchet.circuits.sql.Relation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The views of a program that can be read: its own, and that of its errors. */
public final class ProgramViews {

    private ProgramViews() {}

    public static List<Relation> of(CompiledProgram program) {
        List<Relation> views = new ArrayList<>(program.views());
        if (views.stream().noneMatch(view -> view.name().equals(StepErrors.VIEW))) {
            List<Relation.Column> columns = new ArrayList<>();
            for (int column = 0; column < StepErrors.COLUMNS.size(); column++) {
                columns.add(new Relation.Column(
                        StepErrors.COLUMNS.get(column), StepErrors.types().get(column)));
            }
            views.add(new Relation(StepErrors.VIEW, columns, Map.of()));
        }
        return views;
    }

    /** A view by its name, in any case where none has it as it is written. */
    public static Optional<Relation> named(CompiledProgram program, String name) {
        return named(of(program), name);
    }

    /** A table or view by its name, in any case where none has it as it is written. */
    public static Optional<Relation> named(List<Relation> relations, String name) {
        return relations.stream()
                .filter(relation -> relation.name().equals(name))
                .findFirst()
                .or(() -> relations.stream()
                        .filter(relation -> relation.name().equalsIgnoreCase(name))
                        .findFirst());
    }
}
