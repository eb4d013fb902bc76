/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.circuit.Node;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowSchema;
import java.util.List;

/**
 * Rows remembered by key in a wanted order, and the operators that read them so. The builder arranges by {@link #stage}
 * and {@link #schema} and hands the arrangement back.
 */
public final class Ordered {

    private final OrderedLayout layout;
    private final List<ColumnType> columns;
    private final List<SortColumn> order;

    /** Rows of these columns, by some of them, in an order. */
    public Ordered(List<ColumnType> columns, List<Integer> key, List<SortColumn> order) {
        this.layout = new OrderedLayout(columns, key, order);
        this.columns = columns;
        this.order = order;
    }

    /** Rearranges the rows. */
    public PipeStage stage() {
        return layout.stage();
    }

    /** Of the rearranged rows. */
    public RowSchema schema() {
        return layout.schema();
    }

    /** The first rows of each key. */
    public Node topK(Node arrangement, TopK.Spec spec, ColumnType rankType) {
        return TopK.of(spec, layout, arrangement, TopK.columns(spec, columns, rankType));
    }

    /** The first rows of each key of rearranged rows that only come; only these are remembered. */
    public Node keptTopK(Node rows, Retention retention, TopK.Spec spec, ColumnType rankType) {
        return KeptTopK.of(spec, layout, rows, retention, TopK.columns(spec, columns, rankType));
    }

    /** Each row with one more column per call. */
    public Node window(Node arrangement, List<WindowCall> calls) {
        return Windows.of(layout, columns, order, calls, arrangement);
    }

    /** Each row with the bounds of its session; the order is by the time column. */
    public Node sessions(Node arrangement, int time, long gap) {
        return SessionWindows.of(layout, columns, time, gap, arrangement);
    }

    /** Each row with the last row of another arrangement that is not later; both orders are by the time column. */
    public Node asOf(Node arrangement, Ordered other, Node otherArrangement, boolean keepsLeft) {
        return AsOf.of(
                new AsOf.Side(layout, columns, order.get(0).column(), arrangement),
                new AsOf.Side(other.layout, other.columns, other.order.get(0).column(), otherArrangement),
                keepsLeft);
    }
}
