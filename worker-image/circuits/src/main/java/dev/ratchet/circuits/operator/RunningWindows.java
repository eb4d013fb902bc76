/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.BatchBuilder;
import dev.ratchet.circuits.batch.BatchCursor;
import dev.ratchet.circuits.batch.MergedCursor;
import dev.ratchet.circuits.circuit.Operator;
import dev.ratchet.circuits.circuit.WorkerThreadContext;
import dev.ratchet.circuits.trace.Trace;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowBuffer;
import dev.ratchet.circuits.type.RowOrder;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.RowView;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Window functions that see a group from its start to the row: numbers, ranks, running sums. What they know behind some
 * of the rows, the marks, is remembered. A change is computed from the mark in front of it on, as it was and as it is,
 * and no further than where both know the same again: behind that no row can see it. Which rows are marks depends on
 * the rows alone, so that marks come and go with what is computed anew, and what is remembered does not depend on the
 * steps in which rows came.
 */
final class RunningWindows extends Operator {

    private final Arrange arrange;
    private final RowSchema schema;
    private final Trace trace;
    private final Running before;
    private final Running now;
    private final PeerRows unit;

    /** By so many columns of the value a change is placed among units. */
    private final int boundColumns;

    private final BatchBuilder marks;
    private final RowBuffer mark;
    private final JoinedRow widened;
    private final RowPipe pipe;

    private final RowSink given = new RowSink() {
        @Override
        public void push(RowView row, long weight) {
            pipe.push(row, weight);
        }

        @Override
        public void fail(RuntimeException failure, String row, long weight) {
            RunningWindows.this.fail(failure, row, weight);
        }
    };

    private long rowsRead;

    RunningWindows(
            OrderedLayout layout,
            List<ColumnType> columns,
            List<WindowCall> calls,
            WorkerThreadContext context,
            RowSchema target,
            List<Operator> inputs) {
        super(target, inputs);
        this.arrange = (Arrange) inputs.get(0);
        this.schema = layout.schema();
        this.before = new Running(layout, columns, calls);
        this.now = new Running(layout, columns, calls);
        boolean seesPeers = Running.seesPeers(calls);
        this.unit = new PeerRows(layout, seesPeers);
        this.boundColumns = seesPeers ? layout.orderColumns() : schema.value().size();
        List<ColumnType> marked = new ArrayList<>(schema.value());
        marked.addAll(now.columns());
        RowSchema markSchema = new RowSchema(schema.key(), marked);
        this.trace = context.trace("marks", markSchema);
        arrange.retainAlso(trace);
        this.marks = new BatchBuilder(markSchema);
        this.mark = new RowBuffer(markSchema.columnCount());
        this.widened = new JoinedRow(
                IntStream.range(0, columns.size()).toArray(),
                IntStream.range(0, calls.size()).toArray());
        this.pipe = new RowPipe(List.of(), target);
    }

    @Override
    protected void evaluate() {
        MergedCursor known = trace.probe();
        MergedCursor rowsBefore = arrange.probeBefore();
        MergedCursor rows = arrange.probeAfter();
        BatchCursor changes = arrange.output().probe();
        KeyWalk keys = new KeyWalk(arrange.output());
        while (keys.next()) {
            changes.seekKey(keys.hash(), keys.key());
            Change change = Change.of(schema, changes);
            rowsBefore.seekKey(keys.hash(), keys.key());
            rows.seekKey(keys.hash(), keys.key());
            goTo(change, known.seekKey(keys.hash(), keys.key()) && findMark(known, change), rowsBefore);
            give(before, rowsBefore, change, keys.hash(), -1);
            rows.seekValue(change.first(), boundColumns);
            give(now, rows, change, keys.hash(), 1);
            while (!before.agrees(now) && read(rows)) {
                give(before, keys.hash(), -1);
                give(now, keys.hash(), 1);
            }
        }
        count(known);
        count(rowsBefore);
        count(rows);
        count(rowsRead);
        rowsRead = 0;
        trace.insert(marks.build());
        emit(pipe.give());
    }

    /** Copies the last mark in front of a change; false where there is none. */
    private boolean findMark(MergedCursor known, Change change) {
        for (long back = 1; ; back = 4 * back + 4) {
            boolean isWhole = known.seekBack(change.first(), boundColumns, back);
            boolean found = false;
            for (; known.valid() && compare(known, change.first()) < 0; known.next()) {
                if (known.weight() > 0) {
                    found = true;
                    RowSchema marked = trace.schema();
                    for (int column = 0; column < marked.columnCount(); column++) {
                        mark.copy(column, marked.storages()[column], known, column);
                    }
                }
            }
            if (found || isWhole) {
                return found;
            }
        }
    }

    /** Takes up what was known at the mark, or at the start, and goes on to the first row that may see the change. */
    private void goTo(Change change, boolean isMarked, MergedCursor rows) {
        if (isMarked) {
            before.restore(mark, schema.columnCount());
            now.restore(mark, schema.columnCount());
            rows.seekValue(mark, schema.value().size());
            if (rows.valid() && compare(rows, mark, schema.value().size()) == 0) {
                rows.next();
            }
        } else {
            before.clear();
            now.clear();
        }
        for (PeerRows.skipAbsent(rows); rows.valid() && compare(rows, change.first()) < 0; PeerRows.skipAbsent(rows)) {
            read(rows);
            before.pass(unit);
            now.pass(unit);
        }
    }

    /** Gives the rows up to the last changed one and its peers. */
    private void give(Running running, MergedCursor rows, Change change, long hash, int sign) {
        for (PeerRows.skipAbsent(rows); rows.valid() && compare(rows, change.last()) <= 0; PeerRows.skipAbsent(rows)) {
            read(rows);
            give(running, hash, sign);
        }
    }

    private void give(Running running, long hash, int sign) {
        running.give(unit, widened, sign, given);
        if (unit.isMark()) {
            RowView last = unit.arranged(unit.size() - 1);
            for (int column = 0; column < schema.columnCount(); column++) {
                marks.copy(column, schema.storages()[column], last, column);
            }
            running.store(marks, schema.columnCount());
            marks.add(sign, hash);
        }
    }

    private boolean read(MergedCursor rows) {
        boolean any = unit.read(rows);
        rowsRead += unit.size();
        return any;
    }

    private int compare(RowView row, RowView other) {
        return compare(row, other, boundColumns);
    }

    private int compare(RowView row, RowView other, int columns) {
        return RowOrder.compare(schema.storages(), row, other, schema.keyCount(), schema.keyCount() + columns);
    }
}
