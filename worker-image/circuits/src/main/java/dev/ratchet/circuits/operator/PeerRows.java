/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.MergedCursor;
import dev.ratchet.circuits.type.RowBuffer;
import dev.ratchet.circuits.type.RowHash;
import dev.ratchet.circuits.type.RowOrder;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.RowView;
import java.util.ArrayList;
import java.util.List;

/** Rows of a group that are looked at together: one, or all that are equal in the order columns. */
final class PeerRows {

    /** One row in so many is a mark, by its hash. */
    private static final long MARK_MASK = (1 << 6) - 1;

    private final OrderedLayout layout;
    private final RowSchema schema;
    private final boolean wholePeers;
    private final List<Entry> entries = new ArrayList<>();
    private int size;

    private static final class Entry {
        final RowBuffer row;
        final RowView view;
        long weight;

        Entry(OrderedLayout layout) {
            row = new RowBuffer(layout.schema().columnCount());
            view = layout.view(row);
        }
    }

    /** @param wholePeers whether peers are taken together */
    PeerRows(OrderedLayout layout, boolean wholePeers) {
        this.layout = layout;
        this.schema = layout.schema();
        this.wholePeers = wholePeers;
    }

    /** Takes the rows that come next, as far as they are there; false where none is. */
    boolean read(MergedCursor rows) {
        size = 0;
        for (skipAbsent(rows); rows.valid(); skipAbsent(rows)) {
            if (size > 0 && !(wholePeers && isPeer(rows))) {
                return true;
            }
            if (size == entries.size()) {
                entries.add(new Entry(layout));
            }
            Entry entry = entries.get(size++);
            for (int column = 0; column < schema.columnCount(); column++) {
                entry.row.copy(column, schema.storages()[column], rows, column);
            }
            entry.weight = rows.weight();
            rows.next();
        }
        return size > 0;
    }

    /** Goes to a row that is there at least once. */
    static void skipAbsent(MergedCursor rows) {
        while (rows.valid() && rows.weight() <= 0) {
            rows.next();
        }
    }

    private boolean isPeer(RowView row) {
        int from = schema.keyCount();
        return RowOrder.compare(schema.storages(), row, entries.get(0).row, from, from + layout.orderColumns()) == 0;
    }

    int size() {
        return size;
    }

    /** A row as it was before it was rearranged. */
    RowView row(int number) {
        return entries.get(number).view;
    }

    RowView arranged(int number) {
        return entries.get(number).row;
    }

    long weight(int number) {
        return entries.get(number).weight;
    }

    /** Whether what is known behind these rows is to be remembered: it depends on the rows alone. */
    boolean isMark() {
        for (int i = 0; i < size; i++) {
            long state = RowHash.start();
            for (int column = schema.keyCount(); column < schema.columnCount(); column++) {
                state = RowHash.column(state, schema.column(column), entries.get(i).row, column);
            }
            if ((RowHash.finish(state) & MARK_MASK) == 0) {
                return true;
            }
        }
        return false;
    }
}
