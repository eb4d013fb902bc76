/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.source;

import dev.ratchet.circuits.sql.CompiledProgram;
import dev.ratchet.circuits.sql.Relation;
import dev.ratchet.circuits.type.TypeKind;
import java.util.List;

/** The tables of the program that a source brings rows for. */
final class SourceTables {

    private SourceTables() {}

    /** @throws IllegalArgumentException where the program has no such table */
    static Relation named(CompiledProgram program, String name) {
        List<Relation> tables = program.tables();
        return tables.stream()
                .filter(table -> table.name().equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("the program has no table '" + name
                        + "'; name the input after one of "
                        + tables.stream().map(Relation::name).toList()));
    }

    /** @throws IllegalArgumentException where the table has no such column */
    static void requireColumn(Relation table, String name, TypeKind kind) {
        if (table.columns().stream()
                .noneMatch(column ->
                        column.name().equalsIgnoreCase(name) && column.type().kind() == kind)) {
            throw new IllegalArgumentException(
                    "table " + table.name() + " has no column " + name + " " + kind + "; add it to the program");
        }
    }
}
