/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.run;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.BatchCursor;
import dev.ratchet.circuits.batch.OrderedRows;
import dev.ratchet.circuits.circuit.Circuit;
import dev.ratchet.circuits.circuit.StepErrors;
import dev.ratchet.circuits.sql.Relation;
import dev.ratchet.circuits.type.RowView;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Writes what steps change in views, one line per row: views in the order of the program, the errors behind them, rows
 * by their columns ascending, NULL first. The text depends on nothing but the input. One thread at a time.
 */
final class ResultWriter {

    private static final int FLUSH_BYTES = 1 << 16;

    private static final Relation ERRORS = new Relation(
            StepErrors.VIEW,
            IntStream.range(0, StepErrors.COLUMNS.size())
                    .mapToObj(column -> new Relation.Column(
                            StepErrors.COLUMNS.get(column), StepErrors.types().get(column)))
                    .toList(),
            Map.of());

    private final List<Relation> views;
    private final OutputStream out;
    private final Utf8Buffer text = new Utf8Buffer();
    private long rows;
    private long errors;

    ResultWriter(List<Relation> views, OutputStream out) {
        this.views = views;
        this.out = out;
    }

    /** Rows written so far. */
    long rows() {
        return rows;
    }

    /** How many more rows can not be computed than before the first step written. */
    long errors() {
        return errors;
    }

    /** Writes the changes of the step that the circuit has just run. */
    void write(long step, Circuit circuit) throws IOException {
        for (Relation view : views) {
            Batch change = circuit.output(view.name());
            if (!change.isEmpty()) {
                write(step, view, change);
            }
        }
        Batch failed = circuit.errors();
        if (!failed.isEmpty()) {
            write(step, ERRORS, failed);
            for (BatchCursor row = failed.cursor(); row.valid(); row.next()) {
                errors += row.weight();
            }
        }
        flush();
    }

    private void write(long step, Relation view, Batch change) {
        Utf8Buffer head = new Utf8Buffer()
                .append("{\"step\":")
                .append(step)
                .append(",\"view\":")
                .quote(view.name())
                .append(",\"weight\":");
        Utf8Buffer[] names = new Utf8Buffer[view.columns().size()];
        for (int column = 0; column < names.length; column++) {
            names[column] = new Utf8Buffer()
                    .append(column == 0 ? "" : ",")
                    .quote(view.columns().get(column).name())
                    .append(':');
        }
        OrderedRows.visit(change, view.key(), (row, weight) -> write(head, view, names, row, weight));
    }

    private void write(Utf8Buffer head, Relation view, Utf8Buffer[] names, RowView row, long weight) {
        text.append(head).append(weight).append(",\"row\":{");
        for (int column = 0; column < names.length; column++) {
            text.append(names[column]);
            JsonText.append(text, view.columns().get(column).type(), row, column);
        }
        text.append("}}\n");
        rows++;
        if (text.length() > FLUSH_BYTES) {
            try {
                flush();
            } catch (IOException e) {
                throw new UncheckedIOException(e.getMessage(), e);
            }
        }
    }

    private void flush() throws IOException {
        text.drainTo(out);
    }
}
