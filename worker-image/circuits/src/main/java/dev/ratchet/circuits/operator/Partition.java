/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.Cursor;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowBuffer;
import dev.ratchet.circuits.type.RowView;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * The rows of one group in their order, or some that follow each other, each as often as its weight says, and which of
 * them are peers.
 */
final class Partition {

    private final OrderedLayout layout;
    private final List<ColumnType> columns;
    private final PeerComparison peers;
    private final List<RowBuffer> rows = new ArrayList<>();
    private final List<Integer> peerStarts = new ArrayList<>();
    private int[] peerEnds = {};

    Partition(OrderedLayout layout, List<ColumnType> columns) {
        this.layout = layout;
        this.columns = columns;
        this.peers = new PeerComparison(layout);
    }

    /** Reads a whole group anew. */
    void read(Cursor arranged) {
        clear();
        add(arranged, () -> true);
        close();
    }

    /** Forgets all rows; to be followed by {@link #add} and, before peers are asked for, {@link #close}. */
    void clear() {
        rows.clear();
        peerStarts.clear();
        peers.reset();
    }

    /**
     * Adds the rows that follow.
     *
     * @param goesOn asked before each row
     */
    void add(Cursor arranged, BooleanSupplier goesOn) {
        RowView view = layout.view(arranged);
        for (; arranged.valid() && goesOn.getAsBoolean(); arranged.next()) {
            if (arranged.weight() <= 0) {
                continue;
            }
            int start = peers.isPeer(arranged) ? peerStarts.getLast() : rows.size();
            RowBuffer row = new RowBuffer(columns.size());
            for (int column = 0; column < columns.size(); column++) {
                row.copy(column, columns.get(column).storage(), view, column);
            }
            for (long copy = 0; copy < arranged.weight(); copy++) {
                rows.add(row);
                peerStarts.add(start);
            }
        }
    }

    /** Says that no row follows. */
    void close() {
        peerEnds = new int[rows.size()];
        int end = rows.size();
        for (int i = rows.size() - 1; i >= 0; i--) {
            peerEnds[i] = end;
            end = peerStarts.get(i) == i ? i : end;
        }
    }

    /** A view of an arranged row as it was. */
    RowView view(RowView arranged) {
        return layout.view(arranged);
    }

    int size() {
        return rows.size();
    }

    RowView row(int number) {
        return rows.get(number);
    }

    /** The first peer of a row. */
    int peerStart(int number) {
        return peerStarts.get(number);
    }

    /** The number behind the last peer of a row. */
    int peerEnd(int number) {
        return peerEnds[number];
    }
}
