/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.Cursor;
import dev.ratchet.circuits.circuit.Node;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowBuffer;
import dev.ratchet.circuits.type.RowOrder;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.RowView;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Pairs each left row with the last right row of its key whose time is not after its own; of several at that time, the
 * last in the order of columns. Both sides are read once, in the order of their times.
 */
final class AsOf implements GroupFunction {

    private final OrderedLayout leftLayout;
    private final OrderedLayout rightLayout;
    private final List<ColumnType> rightColumns;
    private final int leftTime;
    private final int rightTime;
    private final boolean keepsLeft;
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
        return Group.of(
                "as-of",
                left.time() + " " + right.time() + " " + keepsLeft,
                () -> new AsOf(left, right, keepsLeft),
                List.of(left.arrangement(), right.arrangement()),
                new RowSchema(output, List.of()));
    }

    @Override
    public void apply(Cursor[] inputs, RowSink out) {
        Cursor left = inputs[0];
        Cursor right = inputs[1];
        RowView leftRow = leftLayout.view(left);
        RowView rightRow = rightLayout.view(right);
        boolean any = false;
        for (; left.valid(); left.next()) {
            boolean timed = !leftRow.isNull(leftTime);
            while (timed && right.valid() && isDue(rightRow, leftRow)) {
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
    }

    private boolean isDue(RowView right, RowView left) {
        return RowOrder.compare(rightColumns.get(rightTime).storage(), right, rightTime, left, leftTime) <= 0;
    }

    private void copy(RowView row) {
        for (int column = 0; column < rightColumns.size(); column++) {
            latest.copy(column, rightColumns.get(column).storage(), row, column);
        }
    }
}
