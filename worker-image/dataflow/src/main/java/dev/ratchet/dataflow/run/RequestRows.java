/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.run;

import dev.ratchet.circuits.circuit.Circuit;
import dev.ratchet.circuits.run.TableText;
import dev.ratchet.circuits.sql.CompiledProgram;
import dev.ratchet.circuits.sql.Relation;
import dev.ratchet.dataflow.RowFormat;
import dev.ratchet.protocol.dataflow.v1.LoggedRows;
import java.util.HashMap;
import java.util.Map;

/** Adds the rows of requests to the tables of a circuit. One thread at a time. */
final class RequestRows {

    private final Map<String, TableText> tables = new HashMap<>();

    RequestRows(CompiledProgram program, Circuit circuit) {
        for (Relation table : program.tables()) {
            tables.put(table.name(), new TableText(table, circuit.input(table.name())));
        }
    }

    /**
     * Adds the rows of a request.
     *
     * @param errors gets those that are none
     * @param received counts, by table, those that are added
     */
    void add(LoggedRequest request, RowErrors errors, Map<String, Long> received) {
        int from = 0;
        for (LoggedRows rows : request.head().getTablesList()) {
            int length = (int) rows.getBytes();
            String table = rows.getTable();
            TableText text = tables.get(table);
            if (text == null) {
                errors.add(request.head(), "there is no table '" + table + "'");
            } else {
                TableText.Failures failures = (line, reason, shown) ->
                        errors.add(request.head(), table, rows.getLinesBefore() + line, reason, shown);
                long added =
                        switch (RowFormat.valueOf(rows.getFormat())) {
                            case NDJSON -> text.addNdjson(request.rows(), from, length, failures);
                            case CSV -> text.addCsv(request.rows(), from, length, failures);
                        };
                received.merge(table, added, Long::sum);
            }
            from += length;
        }
    }
}
