/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.Cursor;
import dev.ratchet.circuits.batch.MergedCursor;
import dev.ratchet.circuits.type.RowBuffer;
import dev.ratchet.circuits.type.RowOrder;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.RowView;
import org.jspecify.annotations.Nullable;

/**
 * What changes among the first rows of a group: walks the group as it was beside its change, numbering the rows as they
 * were and as they are, and gives only rows whose numbers differ. Ends where the last wanted number is, or where both
 * numberings go on alike. One thread at a time.
 */
final class ChangedNumbers {

    private final TopK.Spec spec;
    private final long last;
    private final OrderedLayout layout;
    private final RowSchema arranged;
    private final Numbers old;
    private final Numbers now;
    private final JoinedRow ranked;
    private final RowBuffer rank = new RowBuffer(1);
    private final Shown ofRows = new Shown();
    private final Shown ofChange = new Shown();

    /** @param ranked a row and its number */
    ChangedNumbers(TopK.Spec spec, long last, OrderedLayout layout, JoinedRow ranked) {
        this.spec = spec;
        this.last = last;
        this.layout = layout;
        this.arranged = layout.schema();
        this.ranked = ranked;
        this.old = new Numbers();
        this.now = new Numbers();
    }

    /** The view of a cursor as the layout shows it, made again where the cursor is another one. */
    private final class Shown {
        private @Nullable Cursor cursor;
        private @Nullable RowView view;

        RowView of(Cursor rows) {
            RowView shown = view;
            if (shown == null || rows != cursor) {
                cursor = rows;
                shown = layout.view(rows);
                view = shown;
            }
            return shown;
        }
    }

    /** Numbers rows in their order. */
    private final class Numbers {
        private final PeerComparison peers = new PeerComparison(layout);

        /** How many rows there were so far. */
        private long before;

        /** That of the last row, for ranks. */
        private long number;

        /**
         * The wanted numbers of the row at hand: those over the first, up to the second, and how many rows have each.
         */
        private long from;

        private long to;
        private long copies;

        void reset() {
            peers.reset();
            before = 0;
            number = 0;
        }

        void take(RowView row, long weight) {
            from = 0;
            to = 0;
            copies = 0;
            if (weight <= 0) {
                return;
            }
            long after = before > Long.MAX_VALUE - weight ? Long.MAX_VALUE : before + weight;
            if (spec.kind() == RankKind.ROW_NUMBER) {
                from = Math.max(before, spec.offset());
                to = Math.max(from, Math.min(last, after));
                copies = 1;
            } else {
                boolean isPeer = peers.isPeer(row);
                number = isPeer ? number : spec.kind() == RankKind.RANK ? before + 1 : number + 1;
                if (number > spec.offset() && number <= last) {
                    from = number - 1;
                    to = number;
                    copies = weight;
                }
            }
            before = after;
        }

        /** Whether no row behind has a wanted number. */
        boolean isAtEnd() {
            return (spec.kind() == RankKind.ROW_NUMBER ? before : number - 1) >= last;
        }

        boolean goesOnAs(Numbers other) {
            return before == other.before
                    && number == other.number
                    && (spec.kind() == RankKind.ROW_NUMBER || peers.isSame(other.peers));
        }
    }

    void give(MergedCursor rows, Cursor change, RowSink out) {
        old.reset();
        now.reset();
        while ((rows.valid() || change.valid())
                && !(old.isAtEnd() && now.isAtEnd())
                && (change.valid() || !old.goesOnAs(now))) {
            int order = !rows.valid() ? 1 : !change.valid() ? -1 : compare(rows, change);
            Cursor row = order > 0 ? change : rows;
            long was = order > 0 ? 0 : rows.weight();
            long is = order < 0 ? was : Math.addExact(was, change.weight());
            old.take(row, was);
            now.take(row, is);
            giveRow((order > 0 ? ofChange : ofRows).of(row), out);
            if (order >= 0) {
                change.next();
            }
            if (order <= 0) {
                rows.next();
            }
        }
    }

    private int compare(RowView row, RowView changed) {
        return RowOrder.compare(arranged.storages(), row, changed, arranged.keyCount(), arranged.columnCount());
    }

    private void giveRow(RowView row, RowSink out) {
        if (!spec.withRank()) {
            long weight = (now.to - now.from) * now.copies - (old.to - old.from) * old.copies;
            if (weight != 0) {
                out.push(row, weight);
            }
            return;
        }
        for (long number = old.from + 1; number <= old.to; number++) {
            boolean stays = number > now.from && number <= now.to;
            giveNumbered(row, number, (stays ? now.copies : 0) - old.copies, out);
        }
        for (long number = now.from + 1; number <= now.to; number++) {
            if (number <= old.from || number > old.to) {
                giveNumbered(row, number, now.copies, out);
            }
        }
    }

    private void giveNumbered(RowView row, long number, long weight, RowSink out) {
        if (weight != 0) {
            rank.setLong(0, number);
            out.push(ranked.of(row, rank), weight);
        }
    }
}
