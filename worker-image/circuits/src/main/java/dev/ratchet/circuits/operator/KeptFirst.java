/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.UnconsolidatedCursor;
import dev.ratchet.circuits.batch.UnconsolidatedRows;
import dev.ratchet.circuits.circuit.Operator;
import dev.ratchet.circuits.circuit.WorkerThreadContext;
import dev.ratchet.circuits.trace.Trace;
import dev.ratchet.circuits.type.RowBuffer;
import dev.ratchet.circuits.type.RowOrder;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.RowView;
import java.util.List;

/**
 * The first row of each group of rows that only come: as {@link KeptTopK}, whose case of one row it is, but a row is
 * looked up and written over where the group lies, without the rows of a step being sorted.
 */
final class KeptFirst extends Operator {

    private final UnconsolidatedInput rows;
    private final OrderedLayout layout;
    private final RowSchema arranged;
    private final GroupStates firsts;
    private final Retention.Kept kept;
    private final NumberedRows results;

    KeptFirst(
            TopK.Spec spec,
            OrderedLayout layout,
            Retention retention,
            WorkerThreadContext context,
            RowSchema target,
            List<Operator> inputs) {
        super(target, inputs);
        this.rows = new UnconsolidatedInput(inputs.get(0));
        this.layout = layout;
        this.arranged = layout.schema();
        Trace trace = context.trace(KeptTopK.TRACE, arranged);
        this.kept = retention.of(trace, context.watermarks());
        RowBuffer none = new RowBuffer(arranged.columnCount());
        for (int column = arranged.keyCount(); column < arranged.columnCount(); column++) {
            none.setNull(column);
        }
        this.firsts = new GroupStates(trace, none, kept, context.cache());
        this.results = new NumberedRows(target, spec.withRank());
    }

    /** Whether it is one row that is wanted. */
    static boolean isFor(TopK.Spec spec) {
        return spec.offset() == 0 && spec.limit() == 1;
    }

    @Override
    protected void evaluate() {
        kept.advance();
        UnconsolidatedRows changed = rows.rows();
        int[] groups = firsts.find(changed);
        UnconsolidatedCursor row = changed.cursor();
        // One view for all groups: a table shows one row at a time.
        RowView result = layout.view(firsts.rows().row(0));
        for (int i = 0; i < groups.length; i++) {
            row.show(changed.from() + i);
            int group = groups[i];
            boolean isPresent = firsts.isPresent(group);
            if (isPresent && !isBefore(row, firsts.rows().row(group))) {
                continue;
            }
            if (firsts.touch(group) && isPresent) {
                firsts.rows().row(group);
                results.add(result, 1, -1);
            }
            firsts.rows().setValues(group, row);
            firsts.changed(group, true);
        }
        for (int group : firsts.touched()) {
            firsts.rows().row(group);
            results.add(result, 1, 1);
        }
        count(firsts.endStep());
        emit(results.unconsolidated());
    }

    private boolean isBefore(RowView row, RowView first) {
        return RowOrder.compare(arranged.storages(), row, first, arranged.keyCount(), arranged.columnCount()) < 0;
    }
}
