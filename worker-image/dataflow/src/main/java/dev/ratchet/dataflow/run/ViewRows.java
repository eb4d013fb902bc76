/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.run;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.BatchMerge;
import dev.ratchet.circuits.batch.HashRange;
import dev.ratchet.circuits.circuit.Plan;
import dev.ratchet.circuits.circuit.StepErrors;
import dev.ratchet.circuits.sql.Relation;
import dev.ratchet.circuits.sql.SqlProgram;
import dev.ratchet.circuits.state.OpenState;
import dev.ratchet.circuits.trace.Trace;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The rows of all views that this process has put out, summed: part of each version of the state. One thread at a time.
 */
final class ViewRows {

    private static final String PREFIX = "dataflow.view.";

    private final Map<String, Trace> views = new TreeMap<>();

    ViewRows(SqlProgram program, OpenState state) {
        Map<String, Plan.View> planned = program.plan().views();
        for (Relation view : program.views()) {
            Plan.View found = Objects.requireNonNull(planned.get(view.name()));
            views.put(view.name(), state.trace(PREFIX + view.name(), found.schema(), HashRange.ALL));
        }
        views.put(StepErrors.VIEW, state.trace(PREFIX + StepErrors.VIEW, RowErrors.SCHEMA, HashRange.ALL));
    }

    void add(Map<String, Batch> changes) {
        changes.forEach(
                (view, changed) -> Objects.requireNonNull(views.get(view)).insert(changed));
    }

    /** The rows of a view as they are now. */
    Batch of(String view) {
        Trace rows = Objects.requireNonNull(views.get(view));
        return BatchMerge.merge(rows.schema(), rows.batches());
    }
}
