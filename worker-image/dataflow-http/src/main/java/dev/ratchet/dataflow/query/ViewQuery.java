/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.query;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.BatchCursor;
import dev.ratchet.circuits.circuit.Circuit;
import dev.ratchet.circuits.circuit.CircuitOptions;
import dev.ratchet.circuits.circuit.StepErrors;
import dev.ratchet.circuits.circuit.StepFailedException;
import dev.ratchet.circuits.circuit.TableInput;
import dev.ratchet.circuits.sql.Relation;
import dev.ratchet.circuits.sql.SqlException;
import dev.ratchet.circuits.sql.SqlProgram;
import dev.ratchet.circuits.type.Storage;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;

/** One SELECT over views, run as a circuit of one step whose tables are the views. */
final class ViewQuery {

    private static final String NAME = "ratchet_query";

    private final SqlProgram program;
    private final List<String> views;

    private ViewQuery(SqlProgram program, List<String> views) {
        this.program = program;
        this.views = views;
    }

    /** The answer, whose rows are read while it is open. */
    record Answer(Relation columns, Batch rows, Circuit circuit) implements AutoCloseable {
        @Override
        public void close() {
            circuit.close();
        }
    }

    /** @throws SqlException with its place in the query */
    static ViewQuery compile(List<Relation> views, String sql) {
        StringBuilder text = new StringBuilder();
        views.forEach(view -> declare(text, view));
        int linesBefore = (int) text.chars().filter(c -> c == '\n').count() + 1;
        text.append("CREATE VIEW ").append(NAME).append(" AS\n").append(sql);
        SqlProgram program;
        try {
            program = SqlProgram.compile(text.toString());
        } catch (SqlException mistake) {
            throw moved(mistake, linesBefore);
        }
        if (program.views().size() != 1 || program.tables().size() != views.size()) {
            throw new SqlException(0, 0, "More than one statement");
        }
        String lower = sql.toLowerCase(Locale.ROOT);
        return new ViewQuery(
                program,
                views.stream()
                        .map(Relation::name)
                        .filter(name -> lower.contains(name.toLowerCase(Locale.ROOT)))
                        .toList());
    }

    private static void declare(StringBuilder text, Relation view) {
        String separator = "";
        text.append("CREATE TABLE ").append(quoted(view.name())).append(" (");
        for (Relation.Column column : view.columns()) {
            text.append(separator).append(quoted(column.name())).append(' ').append(column.type());
            separator = ", ";
        }
        text.append(");\n");
    }

    private static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    private static SqlException moved(SqlException mistake, int lines) {
        String message = String.valueOf(mistake.getMessage());
        String place = "line " + mistake.line() + ", column " + mistake.column() + ": ";
        return new SqlException(
                Math.max(0, mistake.line() - lines),
                mistake.column(),
                message.startsWith(place) ? message.substring(place.length()) : message);
    }

    /** The views that it may read. */
    List<String> views() {
        return views;
    }

    /**
     * Runs it over the rows of its views.
     *
     * @param nanos is asked before and after each operator; what it throws ends the query
     * @throws RefusedException where a row can not be computed
     */
    Answer run(Map<String, Batch> rows, LongSupplier nanos) {
        Circuit circuit = new Circuit(program.plan(), CircuitOptions.inMemory(1).withNanos(nanos));
        boolean isDone = false;
        try {
            rows.forEach((view, batch) -> add(circuit.input(view), batch));
            circuit.step();
            checkErrors(circuit.errors());
            Answer answer = new Answer(program.views().getFirst(), circuit.output(NAME), circuit);
            isDone = true;
            return answer;
        } catch (StepFailedException failed) {
            throw notComputed(String.valueOf(failed.getMessage()));
        } finally {
            if (!isDone) {
                circuit.close();
            }
        }
    }

    private static void add(TableInput input, Batch batch) {
        Storage[] storages = batch.schema().storages();
        for (BatchCursor row = batch.cursor(); row.valid(); row.next()) {
            for (int column = 0; column < storages.length; column++) {
                if (input.isWanted(column)) {
                    input.copy(column, storages[column], row, column);
                }
            }
            input.add(row.weight());
        }
    }

    private static void checkErrors(Batch errors) {
        if (!errors.isEmpty()) {
            int message = StepErrors.COLUMNS.indexOf("message");
            throw notComputed(errors.cursor().stringAt(message));
        }
    }

    private static RefusedException notComputed(String message) {
        return new RefusedException(
                RefusedException.Reason.MISTAKE,
                "A row can not be computed: " + message,
                "Leave such rows out in the query");
    }
}
