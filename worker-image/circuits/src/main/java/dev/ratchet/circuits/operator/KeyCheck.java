/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.BatchCursor;
import dev.ratchet.circuits.batch.MergedCursor;
import dev.ratchet.circuits.circuit.StepRejectedException;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.ObjectValues;
import dev.ratchet.circuits.type.RowBuffer;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.RowView;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Looks whether a change leaves a table in which each key has at most one row, and each row is there once or not. */
final class KeyCheck {

    /**
     * What a table promises.
     *
     * @param key the columns that no two rows share, by their numbers in the table and in the order of the schema
     */
    record Promise(String table, List<Integer> key) {}

    private KeyCheck() {}

    /**
     * Checks the change of a table against what it holds.
     *
     * @throws StepRejectedException naming table, key and what is wrong
     */
    static void check(Promise promise, MergedCursor held, Batch change) {
        RowSchema schema = change.schema();
        RowBuffer key = new RowBuffer(schema.columnCount());
        BatchCursor row = change.cursor();
        while (row.valid()) {
            for (int column = 0; column < schema.keyCount(); column++) {
                key.copy(column, schema.storages()[column], row, column);
            }
            long hash = row.hash();
            held.seekKey(hash, key);
            checkKey(promise, schema, held, row, hash, key);
        }
    }

    /** Walks the rows held under a key and those that change together; both are in the order of their values. */
    private static void checkKey(
            Promise promise, RowSchema schema, MergedCursor held, BatchCursor row, long hash, RowBuffer key) {
        String table = promise.table();
        long total = 0;
        while (true) {
            boolean changes = row.valid() && row.hash() == hash && Rows.sameKey(schema, row, key);
            if (!changes && !held.valid()) {
                break;
            }
            int order = !changes ? -1 : !held.valid() ? 1 : Rows.compareValues(schema, held, row);
            long weight = 0;
            if (order <= 0) {
                weight = held.weight();
                held.next();
            }
            if (order >= 0) {
                weight = Math.addExact(weight, row.weight());
                row.next();
            }
            if (weight < 0) {
                throw rejected(
                        promise,
                        values(schema, key),
                        "Table " + table + " would lose a row with key " + values(schema, key)
                                + " that it does not have; a deletion names every column of the row as it is");
            }
            total = Math.addExact(total, weight);
        }
        if (total > 1) {
            throw rejected(
                    promise,
                    values(schema, key),
                    "Table " + table + " would have " + total + " rows with the primary key " + values(schema, key)
                            + "; delete the old row in the same step or before");
        }
    }

    private static StepRejectedException rejected(Promise promise, List<@Nullable Object> key, String message) {
        return new StepRejectedException(promise.table(), promise.key(), key, message);
    }

    private static List<@Nullable Object> values(RowSchema schema, RowView row) {
        List<@Nullable Object> values = new ArrayList<>();
        for (int column = 0; column < schema.keyCount(); column++) {
            ColumnType type = schema.column(column);
            values.add(ObjectValues.read(type, row, column));
        }
        return values;
    }
}
