/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.type.RowBuffer;
import dev.ratchet.circuits.type.RowOrder;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.Storage;

/** Tells, row after row in order, whether a row is equal to the one before in the order columns. */
final class PeerComparison {

    private final Storage[] storages;
    private final int from;
    private final int to;
    private final RowBuffer last;
    private boolean any;

    PeerComparison(OrderedLayout layout) {
        this.storages = layout.schema().storages();
        this.from = layout.schema().keyCount();
        this.to = from + layout.orderColumns();
        this.last = new RowBuffer(to);
    }

    /** Before the first row of a group. */
    void reset() {
        any = false;
    }

    /** Whether this row is a peer of the one asked about before. */
    boolean isPeer(RowView arranged) {
        boolean peer = any && RowOrder.compare(storages, last, arranged, from, to) == 0;
        if (!peer) {
            for (int column = from; column < to; column++) {
                last.copy(column, storages[column], arranged, column);
            }
            any = true;
        }
        return peer;
    }

    /** Whether no row has been asked about since the reset. */
    boolean isAtStart() {
        return !any;
    }

    /** Whether any row has the same peers after these rows as after those. */
    boolean isSame(PeerComparison other) {
        return any == other.any && (!any || RowOrder.compare(storages, last, other.last, from, to) == 0);
    }
}
