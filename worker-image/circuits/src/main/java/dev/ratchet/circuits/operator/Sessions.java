/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.Cursor;
import dev.ratchet.circuits.circuit.Node;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowBuffer;
import dev.ratchet.circuits.type.RowSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Adds to each row the session it belongs to: rows of a group whose times follow each other by at most a gap. The start
 * is the first time, the end the last plus the gap; rows without a time are left out.
 */
final class Sessions implements GroupFunction {

    private final Partition partition;
    private final int time;
    private final long gap;
    private final RowBuffer bounds = new RowBuffer(2);
    private final JoinedRow widened;

    private Sessions(OrderedLayout layout, List<ColumnType> columns, int time, long gap) {
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
        return Group.of(
                "session",
                time + " " + gap,
                () -> new Sessions(layout, columns, time, gap),
                List.of(arrangement),
                new RowSchema(output, List.of()));
    }

    @Override
    public void apply(Cursor[] inputs, RowSink out) {
        partition.read(inputs[0]);
        int start = 0;
        while (start < partition.size()) {
            if (partition.row(start).isNull(time)) {
                start++;
                continue;
            }
            int end = start + 1;
            while (end < partition.size() && Math.subtractExact(timeOf(end), timeOf(end - 1)) <= gap) {
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
