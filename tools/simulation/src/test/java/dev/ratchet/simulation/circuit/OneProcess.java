/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.circuit;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.BatchBuilder;
import dev.ratchet.circuits.batch.OrderedRows;
import dev.ratchet.circuits.circuit.Circuit;
import dev.ratchet.circuits.circuit.CircuitOptions;
import dev.ratchet.circuits.circuit.StepErrors;
import dev.ratchet.circuits.run.RowText;
import dev.ratchet.circuits.run.TableText;
import dev.ratchet.circuits.sql.Relation;
import dev.ratchet.circuits.sql.SqlProgram;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.dataflow.InputRequest;
import dev.ratchet.dataflow.ShownRows;
import dev.ratchet.dataflow.TableRows;
import dev.ratchet.dataflow.record.ProgramViews;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What one process of one thread puts out of a program. */
final class OneProcess {

    private OneProcess() {}

    /**
     * What a step changes in a view.
     *
     * @param rows with their weights
     * @param file as an output writes it
     */
    record Change(List<String> rows, String file) {}

    /** The changes of each view, and of errors, by step. */
    static Map<String, Map<Long, Change>> changes(SqlProgram program, Map<Long, List<InputRequest>> steps) {
        Map<String, Map<Long, Change>> changes = new HashMap<>();
        try (Circuit circuit = new Circuit(program.plan(), CircuitOptions.inMemory(1))) {
            Map<String, TableText> tables = new HashMap<>();
            program.tables()
                    .forEach(table -> tables.put(table.name(), new TableText(table, circuit.input(table.name()))));
            steps.forEach((step, taken) -> {
                BatchBuilder errors = new BatchBuilder(new RowSchema(StepErrors.types(), List.of()));
                taken.forEach(request -> add(request, tables, errors));
                circuit.addErrors(errors.build());
                circuit.step();
                for (Relation view : ProgramViews.of(program)) {
                    boolean isErrors = view.name().equals(StepErrors.VIEW);
                    Batch changed = isErrors ? circuit.errors() : circuit.output(view.name());
                    Map<Long, Change> ofView = changes.computeIfAbsent(view.name(), name -> new TreeMap<>());
                    if (!changed.isEmpty()) {
                        ofView.put(step, change(view, step, changed));
                    }
                }
            });
        }
        return changes;
    }

    private static void add(InputRequest request, Map<String, TableText> tables, BatchBuilder errors) {
        for (TableRows rows : request.tables()) {
            tables.get(rows.table()).addNdjson(rows.rows(), 0, rows.rows().length, (line, reason, row) -> {
                errors.setLong(0, -1);
                errors.setString(
                        1,
                        "table %s, producer %s, sequence %d, line %d"
                                .formatted(rows.table(), request.producer(), request.sequence(), line));
                errors.setString(2, reason);
                errors.setString(3, row);
                errors.add(1);
            });
        }
    }

    private static Change change(Relation view, long step, Batch changed) {
        RowText file = new RowText(view);
        OrderedRows.visit(
                changed, (row, weight) -> file.append("{\"step\":" + step + ",\"weight\":" + weight + ",\"row\":")
                        .json(row)
                        .append("}\n"));
        return new Change(
                ShownRows.of(changed),
                file.append("{\"step\":" + step + ",\"complete\":true}\n").take());
    }
}
