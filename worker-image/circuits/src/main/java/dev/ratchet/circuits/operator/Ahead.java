/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.BatchBuilder;
import dev.ratchet.circuits.batch.BatchCursor;
import dev.ratchet.circuits.batch.MergedCursor;
import dev.ratchet.circuits.batch.RowTable;
import dev.ratchet.circuits.batch.UnconsolidatedCursor;
import dev.ratchet.circuits.batch.UnconsolidatedRows;
import dev.ratchet.circuits.circuit.Node;
import dev.ratchet.circuits.circuit.Operator;
import dev.ratchet.circuits.type.RowBuffer;
import dev.ratchet.circuits.type.RowSchema;
import java.util.List;

/**
 * Rows that a join by comparison may still need: those whose first value is at least what the one row of the other side
 * with their key has there, which never sinks. A row behind it meets nothing now and later, and taking it back changes
 * nothing, so neither need be remembered. Keeps the values of some keys of the other side, and reads the others from
 * its arrangement.
 */
public final class Ahead extends Operator {

    /** More keys than that are forgotten, to be read again. */
    private static final int KEYS_MAX = 1 << 12;

    private final UnconsolidatedInput rows;
    private final Arrange others;

    /** The first value column, of rows, of the other side and of what is kept of it. */
    private final int column;

    private final RowTable known;

    /** No value, so that all rows of a key may be needed. */
    private final RowBuffer none;

    private final BatchBuilder results;

    private Ahead(RowSchema schema, List<Operator> inputs) {
        super(schema, inputs);
        this.rows = new UnconsolidatedInput(inputs.get(0));
        this.others = (Arrange) inputs.get(1);
        this.column = schema.keyCount();
        this.known = new RowTable(new RowSchema(
                schema.key(), List.of(others.trace().schema().column(column).orNull())));
        this.none = new RowBuffer(column + 1);
        none.setNull(column);
        this.results = new BatchBuilder(schema);
    }

    /**
     * Leaves out rows of a node.
     *
     * @param others an arrangement by an equal key, with at most one row for each, whose first value never sinks; both
     *     first values are of LONG storage and of one type
     */
    public static Node of(Node rows, Node others) {
        return new Node(
                        "ahead",
                        "",
                        List.of(rows, others),
                        rows.schema(),
                        (context, inputs) -> new Ahead(rows.schema(), inputs))
                .shownAs(() -> "WHERE #" + rows.schema().keyCount() + " >= that of the other side");
    }

    @Override
    protected void evaluate() {
        if (known.size() > KEYS_MAX) {
            known.clear();
        }
        follow();
        if (!input(0).hasOutput()) {
            return;
        }
        UnconsolidatedRows changed = rows.rows();
        int[] numbers = new int[changed.rowCount()];
        int first = known.size();
        known.enterAll(changed, none, numbers);
        read(first);
        boolean[] hasNone = known.columns().nulls(column);
        long[] least = known.columns().longs(column);
        boolean[] nulls = changed.columns().nulls(column);
        long[] values = changed.columns().longs(column);
        UnconsolidatedCursor row = changed.cursor();
        for (int i = 0; i < numbers.length; i++) {
            int at = changed.from() + i;
            if (hasNone[numbers[i]] || (!nulls[at] && values[at] >= least[numbers[i]])) {
                row.show(at);
                results.addRow(row, row.hash(), row.weight());
            }
        }
        emit(results.unconsolidated());
    }

    /** Takes over what has changed on the other side. */
    private void follow() {
        for (BatchCursor row = others.output().cursor(); row.valid(); row.next()) {
            if (row.weight() > 0) {
                known.setValues(known.enter(row.hash(), row, none), row);
            }
        }
    }

    /** Reads the values of keys from a number on, which are new. */
    private void read(int first) {
        if (first == known.size()) {
            return;
        }
        MergedCursor stored = others.probeAfter();
        for (int number : known.byHash(first)) {
            if (stored.seekKey(known.hash(number), known.row(number)) && stored.weight() > 0) {
                known.setValues(number, stored);
            }
        }
        count(stored);
    }
}
