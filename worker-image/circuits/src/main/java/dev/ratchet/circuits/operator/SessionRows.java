/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.BatchBuilder;
import dev.ratchet.circuits.batch.MergedCursor;
import dev.ratchet.circuits.batch.RowWalk;
import dev.ratchet.circuits.circuit.WorkerThreadContext;
import dev.ratchet.circuits.trace.Trace;
import dev.ratchet.circuits.type.RowBuffer;
import dev.ratchet.circuits.type.RowOrder;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.RowView;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The remembered rows of sessions whose rows may be taken back, and what the changes of one session mean for its
 * bounds. Only where a time has no row any more can a session end sooner, begin later or fall apart, so only the
 * neighbours of such times are read. A session is read as a whole where it falls apart, and where sums do not tell what
 * is left: an extreme lost a row, or a row has a negative weight, with which it is in no session. Rows with negative
 * weights are remembered by themselves, so that rows that come are not looked up where, as almost always, there are
 * none.
 */
final class SessionRows {

    private final Arrange arrange;
    private final RowSchema schema;
    private final int time;
    private final boolean isLinear;
    private final RowBuffer bound;
    private final Trace negative;
    private final BatchBuilder negativeChanges;
    private MergedCursor rows;
    private long hash;
    private @Nullable RowView key;
    private long[] emptied = new long[8];
    private int emptiedCount;
    private boolean isDoubtful;
    private long first;
    private long last;
    private long read;

    /**
     * @param arrange rows by key, and in a key by time, the first column of their values
     * @param isLinear whether sums over the rows can be taken back
     */
    SessionRows(Arrange arrange, boolean isLinear, WorkerThreadContext context) {
        this.arrange = arrange;
        this.schema = arrange.trace().schema();
        this.time = schema.keyCount();
        this.isLinear = isLinear;
        this.bound = new RowBuffer(schema.columnCount());
        this.rows = arrange.probeAfter();
        this.negative = context.trace("negative rows", schema);
        this.negativeChanges = new BatchBuilder(schema);
        arrange.retainAlso(negative);
    }

    /** Before the first key of a step. */
    void beginStep() {
        rows = arrange.probeAfter();
    }

    /** Behind the last key of a step; gives how many rows were read, and sought, in it. */
    long endStep() {
        negative.insert(negativeChanges.build());
        long all = read + rows.seeks();
        read = 0;
        return all;
    }

    /** Goes to a key, which stays as it is until the next. */
    void beginKey(long hashOfKey, RowView newKey) {
        hash = hashOfKey;
        key = newKey;
    }

    private MergedCursor sought() {
        if (key != null) {
            rows.seekKey(hash, key);
            key = null;
        }
        return rows;
    }

    /** Notes a changed row of the session; they come in their order. */
    void change(RowWalk row) {
        if (row.weight() > 0 && negative.isEmpty()) {
            return;
        }
        sought().seekValue(row, schema.columnCount() - time);
        boolean isThere =
                rows.valid() && RowOrder.compare(schema.storages(), rows, row, time, schema.columnCount()) == 0;
        long after = isThere ? rows.weight() : 0;
        long before = Math.subtractExact(after, row.weight());
        long negatives = Math.min(after, 0) - Math.min(before, 0);
        if (negatives != 0) {
            negativeChanges.addRow(row, row.hash(), negatives);
        }
        isDoubtful |= before < 0 || after < 0 || (row.weight() < 0 && !isLinear);
        if (after == 0) {
            emptied = emptiedCount == emptied.length ? Arrays.copyOf(emptied, 2 * emptiedCount) : emptied;
            emptied[emptiedCount++] = row.longAt(time);
        }
    }

    /** Forgets the changes of the session: another begins. */
    void endSession() {
        emptiedCount = 0;
        isDoubtful = false;
    }

    /**
     * Finds the first and the last time that have rows, of a session that had rows at both of these.
     *
     * @return false where the rows that are left must be read to tell: {@link #from}
     */
    boolean narrow(long from, long to, long gap) {
        first = from;
        last = to;
        for (int i = 0; i < emptiedCount && !isDoubtful && first <= last; i++) {
            narrowAround(emptied[i], from, to, gap);
        }
        return !isDoubtful;
    }

    private void narrowAround(long at, long from, long to, long gap) {
        bound.setLong(time, at);
        long before = 0;
        boolean hasBefore = false;
        boolean isWhole = false;
        for (long back = 2; !hasBefore && !isWhole; back *= 4) {
            isWhole = sought().seekBack(bound, 1, back);
            for (; rows.valid() && rows.longAt(time) < at; rows.next()) {
                read++;
                hasBefore |= rows.weight() > 0;
                before = rows.weight() > 0 ? rows.longAt(time) : before;
            }
        }

        hasBefore &= before >= from;
        boolean hasBehind = settled().valid() && rows.longAt(time) <= to;
        if (hasBefore && hasBehind) {
            isDoubtful = Math.subtractExact(rows.longAt(time), before) > gap;
        } else if (hasBefore) {
            last = before;
        } else if (hasBehind) {
            first = rows.longAt(time);
        } else {
            first = 1;
            last = 0;
        }
    }

    /** Whether no row is left, after {@link #narrow}. */
    boolean isEmpty() {
        return first > last;
    }

    long first() {
        return first;
    }

    long last() {
        return last;
    }

    /** Walks to the first row of the key from a time on that is in a session. */
    MergedCursor from(long start) {
        bound.setLong(time, start);
        sought().seekBack(bound, 1, 0);
        return settled();
    }

    /** Walks on to the next. */
    void next() {
        rows.next();
        settled();
    }

    private MergedCursor settled() {
        read++;
        while (rows.valid() && rows.weight() < 0) {
            read++;
            rows.next();
        }
        return rows;
    }
}
