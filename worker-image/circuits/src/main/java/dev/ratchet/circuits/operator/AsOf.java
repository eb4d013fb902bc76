/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.Cursor;
import dev.ratchet.circuits.batch.MergedCursor;
import dev.ratchet.circuits.circuit.Node;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowBuffer;
import dev.ratchet.circuits.type.RowOrder;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.ShownSql;
import dev.ratchet.circuits.type.Storage;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Pairs each left row with the last right row of its key whose time is not after its own; of several at that time, the
 * last in the order of columns. Both sides are read in the order of their times; of a change only the left rows from
 * its time on to the next right row.
 */
final class AsOf implements LocalFunction {

    private final OrderedLayout leftLayout;
    private final OrderedLayout rightLayout;
    private final List<ColumnType> rightColumns;
    private final int leftTime;
    private final int rightTime;
    private final boolean keepsLeft;
    private final int leftKeyCount;
    private final int rightKeyCount;
    private final RowBuffer latest;
    private final RowBuffer nothing;
    private final JoinedRow joined;

    private AsOf(Side left, Side right, boolean keepsLeft) {
        this.leftLayout = left.layout();
        this.rightLayout = right.layout();
        this.rightColumns = right.columns();
        this.leftTime = left.time();
        this.rightTime = right.time();
        this.keepsLeft = keepsLeft;
        this.leftKeyCount = left.layout().schema().keyCount();
        this.rightKeyCount = right.layout().schema().keyCount();
        this.latest = new RowBuffer(rightColumns.size());
        this.nothing = new RowBuffer(rightColumns.size());
        for (int column = 0; column < rightColumns.size(); column++) {
            nothing.setNull(column);
        }
        this.joined = new JoinedRow(
                IntStream.range(0, left.columns().size()).toArray(),
                IntStream.range(0, rightColumns.size()).toArray());
    }

    /** One side: how it is arranged and which column, of rows as they were, is the time. */
    record Side(OrderedLayout layout, List<ColumnType> columns, int time, Node arrangement) {}

    /** @param keepsLeft whether left rows without a partner stay, with NULL on the right */
    static Node of(Side left, Side right, boolean keepsLeft) {
        List<ColumnType> output = new ArrayList<>(left.columns());
        right.columns().forEach(type -> output.add(keepsLeft ? type.orNull() : type));
        return GroupOperator.of(
                        "as-of",
                        left.time() + " " + right.time() + " " + keepsLeft,
                        () -> new AsOf(left, right, keepsLeft),
                        List.of(left.arrangement(), right.arrangement()),
                        new RowSchema(output, List.of()))
                .shownAs(() -> text(left, right, keepsLeft));
    }

    private static String text(Side left, Side right, boolean keepsLeft) {
        List<String> conditions = new ArrayList<>();
        List<Integer> keys = left.layout().key();
        for (int i = 0; i < keys.size(); i++) {
            conditions.add("left." + ShownSql.column(keys.get(i)) + " = right."
                    + ShownSql.column(right.layout().key().get(i)));
        }
        conditions.add("left." + ShownSql.column(left.time()) + " >= right." + ShownSql.column(right.time()));
        return (keepsLeft ? "LEFT ON " : "INNER ON ") + String.join(" AND ", conditions);
    }

    @Override
    public void apply(Cursor[] inputs, RowSink out) {
        pair(inputs[0], inputs[1], () -> true, out);
    }

    /** Pairs the left rows that follow with the right rows that follow, and gives how many were read. */
    private long pair(Cursor left, Cursor right, BooleanSupplier goesOn, RowSink out) {
        RowView leftRow = leftLayout.view(left);
        RowView rightRow = rightLayout.view(right);
        boolean any = false;
        long read = 0;
        for (; left.valid() && goesOn.getAsBoolean(); left.next()) {
            read++;
            boolean timed = !leftRow.isNull(leftTime);
            while (timed && right.valid() && isDue(rightRow, leftRow)) {
                read++;
                if (right.weight() > 0 && !rightRow.isNull(rightTime)) {
                    copy(rightRow);
                    any = true;
                }
                right.next();
            }
            if (left.weight() > 0 && (keepsLeft || (any && timed))) {
                out.push(joined.of(leftRow, any && timed ? latest : nothing), left.weight());
            }
        }
        return read;
    }

    @Override
    public long applyNear(MergedCursor[] inputs, @Nullable Change[] changes, RowSink out) {
        Change left = changes[0];
        Change right = changes[1];
        boolean hasTimes = (left == null || !leftLayout.view(left.first()).isNull(leftTime))
                && (right == null || !rightLayout.view(right.first()).isNull(rightTime));
        if (!hasTimes) {
            return -1;
        }
        MergedCursor leftRows = inputs[0];
        MergedCursor rightRows = inputs[1];
        RowView from = earliest(left, right);
        RowBuffer until = new RowBuffer(1);
        boolean hasNext = right != null && nextAfter(rightRows, right, until);
        leftRows.seekBack(at(leftKeyCount, from), 1, 0);
        seekLastBefore(rightRows, at(rightKeyCount, from));
        RowView leftRow = leftLayout.view(leftRows);
        return pair(
                leftRows,
                rightRows,
                () -> (left != null && !left.isBehindLast(leftRows))
                        || (right != null && (!hasNext || compareTimes(leftRow, leftTime, until, 0) < 0)),
                out);
    }

    /** The earliest time of what changed, as a row of one column. */
    private RowView earliest(@Nullable Change left, @Nullable Change right) {
        RowBuffer one = new RowBuffer(1);
        if (left != null) {
            one.copy(0, timeStorage(), leftLayout.view(left.first()), leftTime);
        }
        if (right != null) {
            RowView first = rightLayout.view(right.first());
            if (left == null || compareTimes(first, rightTime, one, 0) < 0) {
                one.copy(0, timeStorage(), first, rightTime);
            }
        }
        return one;
    }

    /** Takes the time of the first right row behind the change, where there is one. */
    private boolean nextAfter(MergedCursor rows, Change change, RowBuffer until) {
        RowView row = rightLayout.view(rows);
        for (rows.seekBack(change.last(), change.valueColumns(), 0); rows.valid(); rows.next()) {
            if (change.isBehindLast(rows) && rows.weight() > 0) {
                until.copy(0, timeStorage(), row, rightTime);
                return true;
            }
        }
        return false;
    }

    /** Goes to a row that is there, before those at a time; to the first where there is none. */
    private void seekLastBefore(MergedCursor rows, RowView time) {
        RowView row = rightLayout.view(rows);
        int key = rightKeyCount;
        for (long back = 1; !rows.seekBack(time, 1, back); back *= 4) {
            boolean isThere = rows.valid()
                    && rows.weight() > 0
                    && !row.isNull(rightTime)
                    && compareTimes(row, rightTime, time, key) < 0;
            if (isThere) {
                return;
            }
        }
    }

    /** A bound for the first value column of an arrangement, which is its time. */
    private RowView at(int keyCount, RowView time) {
        RowBuffer bound = new RowBuffer(keyCount + 1);
        bound.copy(keyCount, timeStorage(), time, 0);
        return bound;
    }

    private Storage timeStorage() {
        return rightColumns.get(rightTime).storage();
    }

    private int compareTimes(RowView one, int column, RowView other, int otherColumn) {
        return RowOrder.compare(timeStorage(), one, column, other, otherColumn);
    }

    private boolean isDue(RowView right, RowView left) {
        return compareTimes(right, rightTime, left, leftTime) <= 0;
    }

    private void copy(RowView row) {
        for (int column = 0; column < rightColumns.size(); column++) {
            latest.copy(column, rightColumns.get(column).storage(), row, column);
        }
    }
}
