/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.BatchCursor;
import dev.ratchet.circuits.circuit.Circuit;
import dev.ratchet.circuits.circuit.CircuitOptions;
import dev.ratchet.circuits.circuit.TableInput;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.ObjectValues;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A program that runs by its recorded plan, and what its views hold: the sum of all their changes. */
public final class ViewContents implements AutoCloseable {

    private final SqlProgram program;
    private final Circuit circuit;
    private final Map<String, Map<String, Long>> contents = new HashMap<>();

    public ViewContents(String text, int threads) {
        this.program = RecordedPlans.throughBytes(SqlProgram.compile(text));
        this.circuit =
                new Circuit(program.plan(), CircuitOptions.inMemory(threads).withSmallStepRows(0));
        program.views().forEach(view -> contents.put(view.name(), new TreeMap<>()));
    }

    public void change(Relation table, List<? extends @Nullable Object> row, long weight) {
        TableInput input = circuit.input(table.name());
        for (int column = 0; column < row.size(); column++) {
            ObjectValues.write(table.columns().get(column).type(), row.get(column), input, column);
        }
        input.add(weight);
    }

    public SqlProgram program() {
        return program;
    }

    public void step() {
        circuit.step();
        for (Relation view : program.views()) {
            Map<String, Long> content = contents.get(view.name());
            Batch change = circuit.output(view.name());
            for (BatchCursor row = change.cursor(); row.valid(); row.next()) {
                content.merge(text(view, row), row.weight(), Long::sum);
            }
            content.values().removeIf(weight -> weight == 0);
        }
    }

    private static String text(Relation view, BatchCursor row) {
        List<String> values = new ArrayList<>();
        List<ColumnType> types = view.types();
        for (int column = 0; column < types.size(); column++) {
            values.add(DuckTables.text(ObjectValues.read(types.get(column), row, column)));
        }
        return values.toString();
    }

    /** The rows of a view with how often each is there. */
    public Map<String, Long> content(String view) {
        return contents.get(view);
    }

    @Override
    public void close() {
        circuit.close();
    }
}
