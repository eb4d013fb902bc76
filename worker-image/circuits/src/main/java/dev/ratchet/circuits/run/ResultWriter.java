/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.run;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.BatchCursor;
import dev.ratchet.circuits.circuit.Circuit;
import dev.ratchet.circuits.sql.Relation;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.Storage;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Writes what steps change in views, one line per row: views in the order of the program, rows by their columns
 * ascending, NULL first. The text depends on nothing but the input. One thread at a time.
 */
final class ResultWriter {

    private static final int FLUSH_CHARACTERS = 1 << 16;

    private final List<Relation> views;
    private final OutputStream out;
    private final StringBuilder text = new StringBuilder();
    private long rows;

    ResultWriter(List<Relation> views, OutputStream out) {
        this.views = views;
        this.out = out;
    }

    /** Rows written so far. */
    long rows() {
        return rows;
    }

    /** Writes the changes of the step that the circuit has just run. */
    void write(long step, Circuit circuit) throws IOException {
        for (Relation view : views) {
            Batch change = circuit.output(view.name());
            if (!change.isEmpty()) {
                write(step, view, change);
            }
        }
        flush();
    }

    private void write(long step, Relation view, Batch change) {
        Storage[] storages = change.schema().storages();
        RowTable table = new RowTable(storages);
        for (BatchCursor row = change.cursor(); row.valid(); row.next()) {
            table.add(row, row.weight());
        }
        StringBuilder head = new StringBuilder("{\"step\":").append(step).append(",\"view\":");
        JsonText.quote(head, view.name()).append(",\"weight\":");
        String[] names = new String[storages.length];
        for (int column = 0; column < names.length; column++) {
            StringBuilder name = new StringBuilder(column == 0 ? "" : ",");
            names[column] = JsonText.quote(name, view.columns().get(column).name())
                    .append(':')
                    .toString();
        }
        table.drain((row, weight) -> write(head, view, names, row, weight));
    }

    private void write(StringBuilder head, Relation view, String[] names, RowView row, long weight) {
        text.append(head).append(weight).append(",\"row\":{");
        for (int column = 0; column < names.length; column++) {
            text.append(names[column]);
            JsonText.append(text, view.columns().get(column).type(), row, column);
        }
        text.append("}}\n");
        rows++;
        if (text.length() > FLUSH_CHARACTERS) {
            try {
                flush();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private void flush() throws IOException {
        out.write(text.toString().getBytes(StandardCharsets.UTF_8));
        text.setLength(0);
    }
}
