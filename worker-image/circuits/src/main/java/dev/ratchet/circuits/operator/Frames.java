/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.type.RowView;

/** Finds the frame of each row of a partition, row after row; both ends only move on. */
final class Frames {

    private final WindowFrame frame;
    private final Partition partition;
    private final SortColumn[] order;
    private int start;
    private int end;

    /** @param order of the partition; RANGE with a distance reads its one column */
    Frames(WindowFrame frame, Partition partition, SortColumn[] order) {
        this.frame = frame;
        this.partition = partition;
        this.order = order;
        if (frame.byValue() && (hasDistance(frame.from()) || hasDistance(frame.to())) && order.length != 1) {
            throw new IllegalArgumentException("A RANGE with a distance over " + order.length
                    + " order columns; order by exactly one, or use ROWS");
        }
    }

    private static boolean hasDistance(long bound) {
        return bound != WindowFrame.UNBOUNDED_PRECEDING && bound != WindowFrame.UNBOUNDED_FOLLOWING && bound != 0;
    }

    void reset() {
        start = 0;
        end = 0;
    }

    /** Goes to the frame of a row, the next or the first. */
    void moveTo(int row) {
        start = Math.max(start, startOf(row));
        end = Math.max(end, endOf(row));
    }

    /** The first row of the frame. */
    int start() {
        return start;
    }

    /** The number behind the last row of the frame; at or below the start where it is empty. */
    int end() {
        return end;
    }

    private int startOf(int row) {
        long from = frame.from();
        if (from == WindowFrame.UNBOUNDED_PRECEDING) {
            return 0;
        }
        if (!frame.byValue()) {
            return (int) Math.max(0, Math.min(partition.size(), row + from));
        }
        if (from == 0 || isNull(row)) {
            return partition.peerStart(row);
        }
        long value = value(row);
        int at = start;
        while (at < partition.size() && (isNull(at) ? at < row : compare(value(at), value, from) < 0)) {
            at++;
        }
        return at;
    }

    private int endOf(int row) {
        long to = frame.to();
        if (to == WindowFrame.UNBOUNDED_FOLLOWING) {
            return partition.size();
        }
        if (!frame.byValue()) {
            return (int) Math.max(0, Math.min(partition.size(), row + to + 1));
        }
        if (to == 0 || isNull(row)) {
            return partition.peerEnd(row);
        }
        long value = value(row);
        int at = end;
        while (at < partition.size() && (isNull(at) ? at < row : compare(value(at), value, to) <= 0)) {
            at++;
        }
        return at;
    }

    private boolean isNull(int row) {
        return partition.row(row).isNull(order[0].column());
    }

    private long value(int row) {
        return value(partition.row(row), order[0]);
    }

    /** A column of order as a number that rises with the order. */
    static long value(RowView row, SortColumn order) {
        long value = row.longAt(order.column());
        return order.descending() ? ~value : value;
    }

    /** A value against another and a distance, whose sum may lie beyond all values. */
    private static int compare(long value, long other, long distance) {
        long sum = other + distance;
        boolean over = ((other ^ sum) & (distance ^ sum)) < 0;
        return over ? Long.signum(-distance) : Long.compare(value, sum);
    }
}
