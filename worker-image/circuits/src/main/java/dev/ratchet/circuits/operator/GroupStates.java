/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.BatchBuilder;
import dev.ratchet.circuits.batch.MergedCursor;
import dev.ratchet.circuits.batch.RowPredicate;
import dev.ratchet.circuits.batch.RowTable;
import dev.ratchet.circuits.batch.UnconsolidatedRows;
import dev.ratchet.circuits.circuit.CacheShares;
import dev.ratchet.circuits.trace.Trace;
import dev.ratchet.circuits.type.RowView;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * One row of state per group, in a trace, with those that changed lately written over in tables in front of it. A group
 * that is asked for moves to the younger of two generations; where that is full it becomes the older one, and what has
 * not moved by then is only in the trace from then on. So groups that change again and again, and those of windows that
 * are over before long, never reach the trace, but for commits.
 *
 * <p>A commit takes the generations as they are, however many groups they have: it alone walks through them, beside the
 * steps, and new ones begin empty. Those it took are not changed any more. Steps look into them, too, until the trace
 * has what the commit made of them, and further as long as there is room.
 *
 * <p>In a step, groups are found first and get numbers, which are valid until its end; then those that are about to
 * change are touched, and their states are changed in place. For each row that is dirty, {@link #replaced} has taken
 * back what the trace holds of the group; all other rows are what the trace holds. One thread at a time.
 */
final class GroupStates implements Trace.Front {

    /** Groups that go into the trace together: what a single step may have to bear. */
    private static final int GROUPS_TOGETHER = 1 << 13;

    /** The bytes of one column lie in one array, which has its limit. */
    private static final long ROOM_MAX = 1 << 29;

    /** Tables that commits took and that are looked into for each group that is new: four versions. */
    private static final int TAKEN_MAX = 8;

    private static final int TOUCHED_INITIAL = 16;

    private final Trace trace;
    private final Retention.@Nullable Kept bounds;
    private final @Nullable RowPredicate kept;
    private final CacheShares shares;

    /** What the trace still holds of dirty groups, to be taken back. */
    private BatchBuilder replaced;

    private final RowView initial;
    private GroupGeneration young;
    private GroupGeneration old;

    /** What commits have taken, the last first. */
    private final Deque<GroupGeneration> taken = new ArrayDeque<>();

    private long takenBytes;

    /** How many groups of the older generation were dirty when it became that. */
    private int dirtyAtTurn;

    private int[] touched = new int[TOUCHED_INITIAL];
    private int touchedCount;
    private long seeks;

    /**
     * @param initial the state of a group that has none, its columns at their places behind the key
     * @param bounds what the trace keeps; null for all
     */
    GroupStates(Trace trace, RowView initial, Retention.@Nullable Kept bounds, CacheShares shares) {
        this.trace = trace;
        this.initial = initial;
        this.bounds = bounds;
        this.kept = bounds == null ? null : bounds.predicate();
        this.shares = shares;
        this.young = new GroupGeneration(trace.schema(), initial);
        this.old = new GroupGeneration(trace.schema(), initial);
        this.replaced = new BatchBuilder(trace.schema());
        shares.add();
        trace.putBehind(this);
    }

    /** The number of the group of each row in turn, whose key is that of the groups. */
    int[] find(UnconsolidatedRows rows) {
        int[] numbers = new int[rows.rowCount()];
        int known = young.rows().size();
        young.enterAll(rows, numbers);
        recall(known);
        return numbers;
    }

    /** The number of one group. */
    int find(long hash, RowView group) {
        int known = young.rows().size();
        int number = young.enter(hash, group);
        recall(known);
        return number;
    }

    /** Looks for the states of groups that are new in the younger generation, from a number on. */
    private void recall(int from) {
        RowTable groups = young.rows();
        if (from == groups.size() || (old.rows().size() == 0 && taken.isEmpty() && trace.isEmpty())) {
            return;
        }
        MergedCursor stored = trace.probe();
        for (int number : groups.byHash(from)) {
            long hash = groups.hash(number);
            RowView group = groups.row(number);
            int before = old.rows().find(hash, group);
            if (before >= 0) {
                young.takeOver(number, old, before);
            } else if (!isTaken(number, hash, group) && stored.seekKey(hash, group)) {
                young.restore(number, stored);
            }
        }
        seeks += stored.seeks();
    }

    /** Whether a commit has taken a group, which then has here the state that it had there. */
    private boolean isTaken(int number, long hash, RowView group) {
        for (GroupGeneration generation : taken) {
            int before = generation.rows().find(hash, group);
            if (before >= 0) {
                RowView state = generation.rows().row(before);
                if (generation.isPresent(before) && (kept == null || kept.test(state))) {
                    young.restore(number, state);
                }
                return true;
            }
        }
        return false;
    }

    /** The states, of groups without one the initial one; those of touched groups may be changed. */
    RowTable rows() {
        return young.rows();
    }

    /** Whether a group has a state. */
    boolean isPresent(int number) {
        return young.isPresent(number);
    }

    /**
     * Says that a group is about to change, before it does; more than once is as once.
     *
     * @return whether it is the first time in this step
     */
    boolean touch(int number) {
        if (young.isTouched(number)) {
            return false;
        }
        young.setTouched(number, true);
        if (touchedCount == touched.length) {
            touched = Arrays.copyOf(touched, 2 * touchedCount);
        }
        touched[touchedCount++] = number;
        if (young.isClean(number)) {
            if (young.isPresent(number)) {
                replaced.addRow(young.rows().row(number), young.rows().hash(number), -1);
            }
            young.setDirty(number);
        }
        return true;
    }

    /** The groups touched since the last step ended. */
    int[] touched() {
        return Arrays.copyOf(touched, touchedCount);
    }

    /** Says whether a touched group has a state, now that it was changed; one without gets the initial one. */
    void changed(int number, boolean present) {
        young.setPresent(number, present);
    }

    /** Ends the changes of a step; returns how many single batches were sought in since the last. */
    long endStep() {
        for (int i = 0; i < touchedCount; i++) {
            young.setTouched(touched[i], false);
        }
        int changed = touchedCount;
        touchedCount = 0;
        long room = Math.min(ROOM_MAX, shares.bytesOfOne() / 2);
        trace.insertStored(changed);
        if (!trace.hasDeferred()) {
            letGo(2 * room - young.byteCount() - old.byteCount());
        }
        if (young.byteCount() >= room) {
            // What a commit took is looked for in the trace from here on.
            trace.insertDeferred();
            letGo(0);
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
        long since = seeks;
        seeks = 0;
        return since;
    }

    /** Forgets what commits have taken, which the trace has, beyond some bytes. */
    private void letGo(long bytes) {
        while (!taken.isEmpty() && (takenBytes > bytes || taken.size() > TAKEN_MAX)) {
            takenBytes -= taken.removeLast().byteCount();
        }
    }

    @Override
    public void settle() {
        young.clean(Integer.MAX_VALUE, kept, replaced);
        store(old, Integer.MAX_VALUE);
    }

    @Override
    public void freeze() {
        int dirty = young.dirtyCount() + old.dirtyCount();
        if (dirty == 0 && replaced.rowCount() == 0) {
            return;
        }
        GroupGeneration first = young;
        GroupGeneration second = old;
        BatchBuilder rows = replaced;
        RowPredicate keptNow = bounds == null ? null : bounds.now();
        take(second);
        take(first);
        young = new GroupGeneration(trace.schema(), initial);
        old = new GroupGeneration(trace.schema(), initial);
        replaced = new BatchBuilder(trace.schema());
        dirtyAtTurn = 0;
        trace.defer(dirty + rows.rowCount(), rows.byteCount(), () -> {
            first.copyDirty(keptNow, rows);
            second.copyDirty(keptNow, rows);
            return rows.build();
        });
    }

    private void take(GroupGeneration generation) {
        if (generation.rows().size() > 0) {
            taken.addFirst(generation);
            takenBytes += generation.byteCount();
        }
    }

    @Override
    public void forget() {
        young.clear();
        old.clear();
        letGo(0);
        dirtyAtTurn = 0;
    }

    @Override
    public long heldRows() {
        return young.countDirty(kept) + old.countDirty(kept);
    }

    @Override
    public long heldBytes() {
        return young.byteCount() + old.byteCount() + takenBytes;
    }

    /** Puts what a generation has that the trace does not know into it, and takes back what that replaces. */
    private void store(GroupGeneration generation, int groups) {
        generation.clean(groups, kept, replaced);
        if (replaced.rowCount() > 0) {
            trace.insert(replaced.build());
        }
    }
}
