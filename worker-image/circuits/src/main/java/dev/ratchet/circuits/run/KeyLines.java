/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.run;

import dev.ratchet.circuits.circuit.StepRejectedException;
import dev.ratchet.circuits.sql.Relation;
import dev.ratchet.circuits.type.ObjectValues;
import dev.ratchet.circuits.type.RowBuffer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds the lines of the input whose rows have the primary key for which a step was refused. Rows do not carry their
 * lines, so the input is read once more, which only a run that ends does. One use by one thread.
 */
final class KeyLines {

    private static final int NAMED_MAX = 5;

    private final List<Relation> relations;
    private final StepRejectedException rejected;
    private final Map<String, TextRowReader> tables = new HashMap<>();
    private final List<String> named = new ArrayList<>();
    private long found;

    /** What the row belongs to that is read. */
    private Path file = Path.of("");

    private LongSupplier line = () -> 0;

    KeyLines(List<Relation> relations, StepRejectedException rejected) {
        this.relations = relations;
        this.rejected = rejected;
    }

    /**
     * The lines as the end of a message; nothing where none are found, as in a file that can be read only once.
     *
     * @param csv files of tables that are part of the step, by the names of the tables
     * @param changes has lines of the step, if there is such a file
     */
    String in(Map<String, Path> csv, @Nullable Path changes, long step) {
        for (Relation table : relations) {
            RowBuffer row = new RowBuffer(table.columns().size());
            boolean isRejected = table.name().equals(rejected.table());
            LongConsumer adder = isRejected ? weight -> compare(table, row) : weight -> {};
            tables.put(table.name().toLowerCase(Locale.ROOT), new TextRowReader(table, row, adder));
        }
        try {
            for (Map.Entry<String, Path> entry : csv.entrySet()) {
                readCsv(entry.getKey().toLowerCase(Locale.ROOT), entry.getValue());
            }
            if (changes != null && Files.isRegularFile(changes)) {
                readChanges(changes, step);
            }
        } catch (IOException | InputException e) {
            // What could be read is not as it was; the refusal itself is told all the same.
        }
        long more = found - named.size();
        return named.isEmpty()
                ? ""
                : "; this step has the key in " + String.join(", ", named)
                        + (more == 0 ? "" : " and " + more + " more");
    }

    private void readCsv(String table, Path from) throws IOException {
        TextRowReader rows = tables.get(table);
        if (rows != null && table.equals(rejected.table().toLowerCase(Locale.ROOT)) && Files.isRegularFile(from)) {
            try (CsvReader reader = new CsvReader(from)) {
                file = from;
                line = reader::line;
                reader.readAll(rows);
            }
        }
    }

    private void readChanges(Path from, long step) throws IOException {
        try (ChangeReader reader = new ChangeReader(from, tables)) {
            file = from;
            line = reader::line;
            while (reader.hasStep() && reader.step() < step) {
                reader.skipStep();
            }
            if (reader.hasStep() && reader.step() == step) {
                reader.readStep();
            }
        }
    }

    private void compare(Relation table, RowBuffer row) {
        List<Integer> columns = rejected.keyColumns();
        for (int i = 0; i < columns.size(); i++) {
            int column = columns.get(i);
            Object value = ObjectValues.read(table.columns().get(column).type(), row, column);
            if (!Objects.deepEquals(value, rejected.key().get(i))) {
                return;
            }
        }
        found++;
        if (named.size() < NAMED_MAX) {
            named.add(file + " line " + line.getAsLong());
        }
    }
}
