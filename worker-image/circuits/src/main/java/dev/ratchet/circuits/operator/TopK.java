/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.Cursor;
import dev.ratchet.circuits.batch.MergedCursor;
import dev.ratchet.circuits.circuit.Node;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowBuffer;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.RowView;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The first rows of each group: it reads no further than the last row it wants. */
public final class TopK implements ChangeFunction {

    /**
     * Which rows are wanted.
     *
     * @param offset numbers up to this one are left out
     * @param limit this many numbers after them are wanted
     * @param withRank whether the number becomes a column behind the others
     */
    public record Spec(RankKind kind, long offset, long limit, boolean withRank) {

        /** For people: the number that rows have, and which numbers are wanted. */
        String text(OrderedLayout layout) {
            String upTo = limit > Long.MAX_VALUE - offset ? "" : " <= " + (offset + limit);
            String wanted = offset == 0
                    ? upTo
                    : upTo.isEmpty() ? " > " + offset : " BETWEEN " + (offset + 1) + " AND " + (offset + limit);
            String number = kind + "() " + layout.overText("");
            if (wanted.isEmpty()) {
                return withRank ? "SELECT *, " + number : "all rows";
            }
            return "WHERE " + number + wanted + (withRank ? "; with this number as last column" : "");
        }
    }

    private final Spec spec;
    private final long last;
    private final OrderedLayout layout;
    private final PeerComparison peers;
    private final JoinedRow ranked;
    private final RowBuffer rank = new RowBuffer(1);
    private final ChangedNumbers changed;
    private @Nullable Cursor viewed;
    private RowView view = rank;

    private TopK(Spec spec, OrderedLayout layout, int columns) {
        this.spec = spec;
        this.last = spec.limit() > Long.MAX_VALUE - spec.offset() ? Long.MAX_VALUE : spec.offset() + spec.limit();
        this.layout = layout;
        this.peers = new PeerComparison(layout);
        this.ranked = new JoinedRow(IntStream.range(0, columns).toArray(), new int[] {0});
        this.changed = new ChangedNumbers(spec, last, layout, ranked);
    }

    /** Takes the first rows of an arrangement that lies as the layout says. */
    static Node of(Spec spec, OrderedLayout layout, Node arrangement, List<ColumnType> columns) {
        return GroupOperator.of(
                        "top-k",
                        spec.toString(),
                        () -> new TopK(spec, layout, columns.size() - (spec.withRank() ? 1 : 0)),
                        List.of(arrangement),
                        new RowSchema(columns, List.of()))
                .shownAs(() -> spec.text(layout));
    }

    @Override
    public void applyChange(MergedCursor rows, Cursor change, RowSink out) {
        changed.give(rows, change, out);
    }

    @Override
    public void apply(Cursor[] inputs, RowSink out) {
        Cursor rows = inputs[0];
        if (rows != viewed) {
            viewed = rows;
            view = layout.view(rows);
        }
        peers.reset();
        long before = 0;
        long number = 0;
        for (; rows.valid() && (before < last || spec.kind() != RankKind.ROW_NUMBER); rows.next()) {
            long copies = rows.weight();
            if (copies <= 0) {
                continue;
            }
            boolean peer = peers.isPeer(rows);
            if (spec.kind() == RankKind.ROW_NUMBER) {
                emitNumbered(view, before, copies, out);
            } else {
                number = peer ? number : spec.kind() == RankKind.RANK ? before + 1 : number + 1;
                if (number > last) {
                    return;
                }
                if (number > spec.offset()) {
                    emit(view, number, copies, out);
                }
            }
            before = before > Long.MAX_VALUE - copies ? Long.MAX_VALUE : before + copies;
        }
    }

    private void emitNumbered(RowView view, long before, long copies, RowSink out) {
        long from = Math.max(before, spec.offset());
        long to = Math.min(last, before > Long.MAX_VALUE - copies ? Long.MAX_VALUE : before + copies);
        if (!spec.withRank() && to > from) {
            out.push(view, to - from);
        }
        for (long number = from + 1; spec.withRank() && number <= to; number++) {
            emit(view, number, 1, out);
        }
    }

    private void emit(RowView view, long number, long copies, RowSink out) {
        if (spec.withRank()) {
            rank.setLong(0, number);
            out.push(ranked.of(view, rank), copies);
        } else {
            out.push(view, copies);
        }
    }

    static List<ColumnType> columns(Spec spec, List<ColumnType> input, ColumnType rankType) {
        List<ColumnType> columns = new ArrayList<>(input);
        if (spec.withRank()) {
            columns.add(rankType);
        }
        return columns;
    }
}
