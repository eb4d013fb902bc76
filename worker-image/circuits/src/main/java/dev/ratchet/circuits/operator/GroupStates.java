/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.BatchBuilder;
import dev.ratchet.circuits.batch.MergedCursor;
import dev.ratchet.circuits.batch.RowPredicate;
import dev.ratchet.circuits.batch.RowTable;
import dev.ratchet.circuits.trace.Trace;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.RowWriter;
import org.jspecify.annotations.Nullable;

/**
 * One row of state per group, in a trace, with those that changed lately written over in a table in front of it: a
 * group that changes in every step is sought in the trace once and written to it once in thousands of changes. The
 * table goes into the trace where it is full, and before anybody else reads the trace. One thread at a time.
 */
final class GroupStates {

    /** What it costs to move so many groups is what a single step may have to bear. */
    private static final int GROUPS_MAX = 1 << 13;

    private static final long BYTES_MAX = 1 << 20;

    private final Trace trace;
    private final @Nullable RowPredicate kept;
    private final RowTable recent;

    /** What the trace still holds of recent groups, to be taken back. */
    private final BatchBuilder replaced;

    private @Nullable MergedCursor stored;
    private long seeks;
    private int current = -1;
    private long hash;

    /** @param kept what the trace keeps; null for all */
    GroupStates(Trace trace, @Nullable RowPredicate kept) {
        this.trace = trace;
        this.kept = kept;
        this.recent = new RowTable(trace.schema());
        this.replaced = new BatchBuilder(trace.schema());
        trace.settleBy(this::settle);
    }

    /** The state of a group, or null where it has none; valid until {@link #write}. */
    @Nullable
    RowView find(long groupHash, RowView group) {
        hash = groupHash;
        current = recent.find(groupHash, group);
        if (current >= 0) {
            return recent.isPresent(current) ? recent.row(current) : null;
        }
        MergedCursor rows = stored;
        if (rows == null) {
            rows = trace.probe();
            stored = rows;
        }
        if (!rows.seekKey(groupHash, group)) {
            return null;
        }
        replaced.addRow(rows, groupHash, -1);
        return rows;
    }

    /** Where the new state of the group last found is to be set, followed by {@link #written}. */
    RowWriter write() {
        return recent.write(current);
    }

    /** @param present whether the group has a state from now on */
    void written(boolean present) {
        recent.written(current, hash, present);
    }

    /** Ends the changes of a step; returns how many single batches were sought in since the last. */
    long endStep() {
        if (recent.size() >= GROUPS_MAX || recent.byteCount() >= BYTES_MAX) {
            settle();
        }
        closeCursor();
        long since = seeks;
        seeks = 0;
        return since;
    }

    private void closeCursor() {
        MergedCursor rows = stored;
        seeks += rows == null ? 0 : rows.seeks();
        stored = null;
    }

    private void settle() {
        if (recent.size() == 0) {
            return;
        }
        for (int row = 0; row < recent.size(); row++) {
            if (recent.isPresent(row) && (kept == null || kept.test(recent.row(row)))) {
                replaced.addRow(recent.row(row), recent.hash(row), 1);
            }
        }
        recent.clear();
        trace.insert(replaced.build());
        closeCursor();
    }
}
