/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.BatchBuilder;
import dev.ratchet.circuits.batch.MergedCursor;
import dev.ratchet.circuits.batch.UnconsolidatedCursor;
import dev.ratchet.circuits.circuit.Node;
import dev.ratchet.circuits.circuit.Operator;
import dev.ratchet.circuits.circuit.WorkerThreadContext;
import dev.ratchet.circuits.trace.Trace;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowOrder;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.Storage;
import java.util.ArrayList;
import java.util.List;

/**
 * The first rows of each group of rows that only come, by number. A row that is not among them will never be, so they
 * are all that is remembered, and a row behind them costs one comparison. Gives only what changes among them.
 */
public final class KeptTopK extends Operator {

    /** The name of what is remembered. */
    static final String TRACE = "first rows";

    /** More first rows than that are read from an arrangement of the whole group. */
    private static final int ROWS_MAX = 1_000;

    private final UnconsolidatedInput rows;
    private final TopK.Spec spec;
    private final int last;
    private final OrderedLayout layout;
    private final RowSchema arranged;
    private final Storage[] storages;
    private final Trace trace;
    private final Retention.Kept kept;
    private final BatchBuilder states;
    private final NumberedRows results;

    /** Of the group at hand: its first rows as they were, and as they are. */
    private final List<Entry> before = new ArrayList<>();

    private final List<Entry> now = new ArrayList<>();

    private KeptTopK(
            TopK.Spec spec,
            OrderedLayout layout,
            Retention retention,
            WorkerThreadContext context,
            RowSchema target,
            List<Operator> inputs) {
        super(target, inputs);
        this.rows = new UnconsolidatedInput(inputs.get(0));
        this.spec = spec;
        this.last = (int) (spec.offset() + spec.limit());
        this.layout = layout;
        this.arranged = layout.schema();
        this.storages = arranged.storages();
        this.trace = context.trace(TRACE, arranged);
        this.kept = retention.of(trace, context.watermarks());
        this.states = new BatchBuilder(arranged);
        this.results = new NumberedRows(target, spec.withRank());
    }

    /** A row among the first where it lies. */
    private static final class Entry {
        final RowView row;
        final boolean wasThere;
        boolean isThere = true;

        Entry(RowView row, boolean wasThere) {
            this.row = row;
            this.wasThere = wasThere;
        }
    }

    /** Whether first rows of this kind can be kept without the others. */
    public static boolean isFor(TopK.Spec spec) {
        return spec.kind() == RankKind.ROW_NUMBER
                && spec.limit() > 0
                && spec.offset() <= ROWS_MAX
                && spec.limit() <= ROWS_MAX - spec.offset();
    }

    static Node of(TopK.Spec spec, OrderedLayout layout, Node rows, Retention retention, List<ColumnType> columns) {
        RowSchema target = new RowSchema(columns, List.of());
        return new Node(
                        "top-k",
                        spec + " of rows that only come",
                        List.of(rows),
                        target,
                        (context, inputs) -> KeptFirst.isFor(spec)
                                ? new KeptFirst(spec, layout, retention, context, target, inputs)
                                : new KeptTopK(spec, layout, retention, context, target, inputs))
                .keepsState()
                .shownAs(() -> spec.text(layout) + "; keeps only these rows" + retention.text());
    }

    @Override
    protected void evaluate() {
        kept.advance();
        MergedCursor known = trace.probe();
        UnconsolidatedCursor changes = rows.rows().byKey();
        while (changes.valid()) {
            regroup(changes, known);
        }
        count(known);
        trace.insert(states.build());
        emit(results.unconsolidated());
    }

    /** Brings one group up to date with the rows from where the walk stands to the next group. */
    private void regroup(UnconsolidatedCursor changes, MergedCursor known) {
        long hash = changes.hash();
        RowView group = changes.here();
        for (known.seekKey(hash, group); known.valid(); known.next()) {
            for (long copy = known.weight(); copy > 0; copy--) {
                Entry entry = new Entry(known.here(), true);
                before.add(entry);
                now.add(entry);
            }
        }
        while (changes.valid() && changes.hash() == hash && Rows.sameKey(arranged, changes, group)) {
            offer(changes);
            changes.next();
        }
        writeState(hash);
        writeResults();
        before.clear();
        now.clear();
    }

    /** Puts a row where it belongs among the first, where it does, as often as its weight says. */
    private void offer(UnconsolidatedCursor row) {
        int at = now.size();
        while (at > 0 && isBefore(row, now.get(at - 1).row)) {
            at--;
        }
        for (long copy = row.weight(); copy > 0 && at < last; copy--) {
            now.add(at++, new Entry(row.here(), false));
            if (now.size() > last) {
                now.removeLast().isThere = false;
            }
        }
    }

    private boolean isBefore(RowView row, RowView other) {
        return RowOrder.compare(storages, row, other, arranged.keyCount(), storages.length) < 0;
    }

    /** Writes in the order of the trace: rows that come are before those that they drive out. */
    private void writeState(long hash) {
        for (Entry entry : now) {
            writeState(entry, hash, entry.wasThere ? 0 : 1);
        }
        for (Entry entry : before) {
            writeState(entry, hash, entry.isThere ? 0 : -1);
        }
    }

    private void writeState(Entry entry, long hash, long weight) {
        if (weight != 0) {
            states.addRow(entry.row, hash, weight);
        }
    }

    private void writeResults() {
        boolean anywhere = spec.offset() == 0 && !spec.withRank();
        for (int place = (int) spec.offset(); place < Math.max(before.size(), now.size()); place++) {
            Entry old = place < before.size() ? before.get(place) : null;
            Entry current = place < now.size() ? now.get(place) : null;
            if (old != null && (anywhere ? !old.isThere : old != current)) {
                results.add(layout.view(old.row), place + 1L, -1);
            }
            if (current != null && (anywhere ? !current.wasThere : old != current)) {
                results.add(layout.view(current.row), place + 1L, 1);
            }
        }
    }
}
