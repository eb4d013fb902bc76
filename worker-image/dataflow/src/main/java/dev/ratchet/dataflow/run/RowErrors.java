/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.run;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.BatchBuilder;
import dev.ratchet.circuits.batch.HashRanges;
import dev.ratchet.circuits.circuit.StepErrors;
import dev.ratchet.circuits.state.OpenState;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.protocol.dataflow.v1.LogRecord;
import java.util.List;

/**
 * What is wrong with the rows of a step before an operator sees them, as rows of the system view
 * {@value StepErrors#VIEW}. One thread at a time.
 */
final class RowErrors {

    private static final RowSchema SCHEMA = new RowSchema(StepErrors.types(), List.of());

    /** Where releases before this one kept the view, in the process that had found its rows. */
    private static final String FORMER_TABLE = "dataflow.view." + StepErrors.VIEW;

    /** Of rows that are shown. */
    private static final int SHOWN_LENGTH_MAX = 1_000;

    /** Stands where others name an operator. */
    private static final long NO_OPERATOR = -1;

    private final BatchBuilder rows = new BatchBuilder(SCHEMA);
    private long count;

    /** @throws IllegalStateException where the state has rows of the view that do not lie by their hashes */
    RowErrors(OpenState state) {
        if (!state.tables().contains(FORMER_TABLE)) {
            return;
        }
        if (!state.trace(FORMER_TABLE, SCHEMA, HashRanges.ALL).batches().isEmpty()) {
            throw new IllegalStateException("The state has rows of the view " + StepErrors.VIEW
                    + " where a former release found them; go on with that release, or begin anew with the input");
        }
    }

    /** A line of a request. */
    void add(LogRecord request, String table, long line, String reason, String text) {
        put("table " + table + ", " + shown(request) + ", line " + line, reason, text);
    }

    /** A whole request. */
    void add(LogRecord request, String reason) {
        put(shown(request), reason, "");
    }

    private static String shown(LogRecord request) {
        return request.getProducer().isEmpty()
                ? "a request without a producer"
                : "producer " + request.getProducer() + ", sequence " + request.getSequence();
    }

    private void put(String place, String reason, String text) {
        rows.setLong(0, NO_OPERATOR);
        rows.setString(1, place);
        rows.setString(2, reason);
        rows.setString(3, text.length() > SHOWN_LENGTH_MAX ? text.substring(0, SHOWN_LENGTH_MAX) + "…" : text);
        rows.add(1);
        count++;
    }

    /** How many were added since the last {@link #take}. */
    long count() {
        return count;
    }

    /** What was added; begins anew. */
    Batch take() {
        count = 0;
        return rows.build();
    }
}
