/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.BatchBuilder;
import dev.ratchet.circuits.batch.MergedCursor;
import dev.ratchet.circuits.batch.RowPredicate;
import dev.ratchet.circuits.circuit.CacheShares;
import dev.ratchet.circuits.trace.Trace;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.RowWriter;
import org.jspecify.annotations.Nullable;

/**
 * One row of state per group, in a trace, with those that changed lately written over in tables in front of it. A group
 * that is asked for moves to the younger of two generations; where that is full it becomes the older one, and what has
 * not moved by then is only in the trace from then on. So groups that change again and again, and those of windows that
 * are over before long, never reach the trace, but for commits.
 *
 * <p>For each row that is dirty, {@link #replaced} has taken back what the trace holds of the group; all other rows are
 * what the trace holds. One thread at a time.
 */
final class GroupStates implements Trace.Front {

    /** Groups that go into the trace together: what a single step may have to bear. */
    private static final int GROUPS_TOGETHER = 1 << 13;

    private final Trace trace;
    private final @Nullable RowPredicate kept;
    private final CacheShares shares;

    /** What the trace still holds of dirty groups, to be taken back. */
    private final BatchBuilder replaced;

    private GroupGeneration young;
    private GroupGeneration old;

    /** How many groups of the older generation were dirty when it became that. */
    private int dirtyAtTurn;

    private @Nullable MergedCursor stored;
    private long seeks;
    private int current = -1;
    private long hash;

    /** @param kept what the trace keeps; null for all */
    GroupStates(Trace trace, @Nullable RowPredicate kept, CacheShares shares) {
        this.trace = trace;
        this.kept = kept;
        this.shares = shares;
        this.young = new GroupGeneration(trace.schema());
        this.old = new GroupGeneration(trace.schema());
        this.replaced = new BatchBuilder(trace.schema());
        shares.add();
        trace.putBehind(this);
    }

    /** The state of a group that is about to be written, or null where it has none; valid until {@link #write}. */
    @Nullable
    RowView find(long groupHash, RowView group) {
        hash = groupHash;
        current = young.find(groupHash, group);
        if (current < 0) {
            int before = old.find(groupHash, group);
            if (before < 0) {
                return findStored(groupHash, group);
            }
            current = young.takeOver(old, before);
        }
        RowView row = young.row(current);
        if (young.isClean(current)) {
            if (young.isPresent(current)) {
                replaced.addRow(row, groupHash, -1);
            }
            young.setDirty(current);
        }
        return young.isPresent(current) ? row : null;
    }

    private @Nullable RowView findStored(long groupHash, RowView group) {
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

    /** Whether the key of the group last found is to be written, too; else it is there. */
    boolean isNew() {
        return current < 0;
    }

    /** Where the new state of the group last found is to be set, followed by {@link #written}. */
    RowWriter write() {
        return young.write(current);
    }

    /** @param present whether the group has a state from now on */
    void written(boolean present) {
        young.written(current, hash, present);
    }

    /** Ends the changes of a step; returns how many single batches were sought in since the last. */
    long endStep() {
        long room = shares.bytesOfOne() / 2;
        if (young.byteCount() >= room) {
            store(old, Integer.MAX_VALUE);
            old.clear();
            GroupGeneration empty = old;
            old = young;
            young = empty;
            dirtyAtTurn = old.dirtyCount();
        } else {
            // The older generation is stored piece by piece while the younger one fills.
            long due = (long) ((double) dirtyAtTurn * young.byteCount() / room);
            long ahead = due - (dirtyAtTurn - old.dirtyCount());
            if (ahead >= GROUPS_TOGETHER) {
                store(old, GROUPS_TOGETHER);
            }
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

    @Override
    public void settle() {
        young.clean(Integer.MAX_VALUE, kept, replaced);
        store(old, Integer.MAX_VALUE);
    }

    @Override
    public void forget() {
        young.clear();
        old.clear();
        dirtyAtTurn = 0;
        closeCursor();
    }

    /** Puts what a generation has that the trace does not know into it, and takes back what that replaces. */
    private void store(GroupGeneration generation, int groups) {
        generation.clean(groups, kept, replaced);
        if (replaced.rowCount() > 0) {
            trace.insert(replaced.build());
            closeCursor();
        }
    }
}
