/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.Cursor;
import dev.ratchet.circuits.batch.MergedCursor;
import dev.ratchet.circuits.circuit.Node;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowBuffer;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.ShownSql;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Adds to each row the session it belongs to: rows of a group whose times follow each other by at most a gap. The start
 * is the first time, the end the last plus the gap; rows without a time are left out. Of a change only the sessions
 * beside it are read.
 */
final class SessionWindows implements LocalFunction {

    private final Partition partition;
    private final int time;
    private final long gap;
    private final RowBuffer bounds = new RowBuffer(2);
    private final JoinedRow widened;

    private SessionWindows(OrderedLayout layout, List<ColumnType> columns, int time, long gap) {
        this.partition = new Partition(layout, columns);
        this.time = time;
        this.gap = gap;
        this.widened = new JoinedRow(IntStream.range(0, columns.size()).toArray(), new int[] {0, 1});
    }

    /** Adds two columns of the time's type to the rows of an arrangement that lies in the order of the time. */
    static Node of(OrderedLayout layout, List<ColumnType> columns, int time, long gap, Node arrangement) {
        List<ColumnType> output = new ArrayList<>(columns);
        output.add(columns.get(time).withNullable(false));
        output.add(columns.get(time).withNullable(false));
        return GroupOperator.of(
                        "session",
                        time + " " + gap,
                        () -> new SessionWindows(layout, columns, time, gap),
                        List.of(arrangement),
                        new RowSchema(output, List.of()))
                .shownAs(() -> "SELECT *, start and end of the session by " + ShownSql.column(time) + " with gap "
                        + ShownSql.distance(columns.get(time), gap) + " " + layout.overText(""));
    }

    @Override
    public void apply(Cursor[] inputs, RowSink out) {
        partition.read(inputs[0]);
        compute(0, out);
    }

    @Override
    public long applyNear(MergedCursor[] inputs, @Nullable Change[] changes, RowSink out) {
        MergedCursor rows = inputs[0];
        Change change = changes[0];
        if (change == null) {
            return -1;
        }
        int start = readBefore(rows, change);
        partition.add(rows, () -> !change.isBehindLast(rows));
        int behind = partition.size();
        RowView row = partition.view(rows);
        // Up to the end of the session of the row behind the change.
        partition.add(rows, () -> {
            int last = partition.size() - 1;
            boolean isFirst = last < behind || partition.row(last).isNull(time);
            return isFirst || Math.subtractExact(row.longAt(time), timeOf(last)) <= gap;
        });
        partition.close();
        compute(start, out);
        return partition.size();
    }

    /** Reads back from the change to the start of the session of the row before it, and gives that. */
    private int readBefore(MergedCursor rows, Change change) {
        for (long back = 4; ; back *= 4) {
            boolean isWhole = rows.seekBack(change.first(), change.valueColumns(), back);
            partition.clear();
            partition.add(rows, () -> change.isBeforeFirst(rows));
            int start = partition.size() - 1;
            while (start > 0 && !startsSession(start)) {
                start--;
            }
            if (isWhole || start > 0) {
                return Math.max(0, start);
            }
        }
    }

    private boolean startsSession(int row) {
        return partition.row(row - 1).isNull(time) || Math.subtractExact(timeOf(row), timeOf(row - 1)) > gap;
    }

    private void compute(int first, RowSink out) {
        int start = first;
        while (start < partition.size()) {
            if (partition.row(start).isNull(time)) {
                start++;
                continue;
            }
            int end = start + 1;
            while (end < partition.size() && !startsSession(end)) {
                end++;
            }
            bounds.setLong(0, timeOf(start));
            bounds.setLong(1, Math.addExact(timeOf(end - 1), gap));
            for (; start < end; start++) {
                out.push(widened.of(partition.row(start), bounds), 1);
            }
        }
    }

    private long timeOf(int row) {
        return partition.row(row).longAt(time);
    }
}
