/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.http;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.OrderedRows;
import dev.ratchet.circuits.run.RowText;
import dev.ratchet.circuits.sql.Relation;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;

/** Writes rows as a list, ordered by their columns: lines of JSON, a JSON array, or CSV. */
final class RowLists {

    static final String NDJSON = "application/x-ndjson";
    static final String JSON = "application/json";
    static final String CSV = "text/csv";
    static final List<String> TYPES = List.of(NDJSON, JSON, CSV);

    private static final int FLUSH_BYTES = 1 << 16;

    private RowLists() {}

    /** @param type one of {@link #TYPES} */
    static void write(Relation relation, Batch rows, String type, OutputStream out) throws IOException {
        RowText text = new RowText(relation);
        String[] separator = {""};
        if (type.equals(JSON)) {
            text.append("[");
        } else if (type.equals(CSV)) {
            text.csvHeader().append("\n");
        }
        try {
            OrderedRows.visit(rows, relation.key(), (row, weight) -> {
                for (long i = 0; i < weight; i++) {
                    switch (type) {
                        case JSON -> text.append(separator[0]).json(row);
                        case CSV -> text.csv(row).append("\n");
                        default -> text.json(row).append("\n");
                    }
                    separator[0] = ",\n";
                    if (text.length() > FLUSH_BYTES) {
                        drain(text, out);
                    }
                }
            });
        } catch (UncheckedIOException gone) {
            throw new IOException(gone);
        }
        text.append(type.equals(JSON) ? "]\n" : "").drainTo(out);
    }

    private static void drain(RowText text, OutputStream out) {
        try {
            text.drainTo(out);
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }
}
