/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.sink;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.OrderedRows;
import dev.ratchet.circuits.run.RowText;
import dev.ratchet.circuits.sql.Relation;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.dataflow.RowFormat;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/** Writes what a step changed in a view: as lines that a reader over HTTP is told, or as CSV with the weights first. */
final class StepFile {

    private static final int FLUSH_BYTES = 1 << 16;

    private final Relation view;
    private final RowText text;
    private final RowFormat format;
    private final OutputStream out;

    StepFile(Relation view, RowFormat format, OutputStream out) {
        this.view = view;
        this.text = new RowText(view);
        this.format = format;
        this.out = out;
    }

    void write(long step, Batch rows) throws IOException {
        if (format == RowFormat.CSV) {
            text.append("weight,").csvHeader().append("\n");
        }
        try {
            OrderedRows.visit(rows, view.key(), (row, weight) -> {
                append(step, row, weight);
                if (text.length() > FLUSH_BYTES) {
                    drain();
                }
            });
        } catch (UncheckedIOException full) {
            throw full.getCause();
        }
        if (format == RowFormat.NDJSON) {
            text.append("{\"step\":").append(step).append(",\"complete\":true}\n");
        }
        text.drainTo(out);
    }

    private void append(long step, RowView row, long weight) {
        if (format == RowFormat.CSV) {
            text.append(weight).append(",").csv(row).append("\n");
        } else {
            text.append("{\"step\":")
                    .append(step)
                    .append(",\"weight\":")
                    .append(weight)
                    .append(",\"row\":")
                    .json(row)
                    .append("}\n");
        }
    }

    private void drain() {
        try {
            text.drainTo(out);
        } catch (IOException full) {
            throw new UncheckedIOException(full);
        }
    }
}
