/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.BatchCursor;
import dev.ratchet.circuits.type.RowBuffer;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.RowView;

/** Walks the distinct keys of a batch, each once, in the order of their hashes. */
final class KeyWalk {

    private final RowSchema schema;
    private final BatchCursor rows;
    private final RowBuffer key;
    private boolean started;
    private long hash;

    KeyWalk(Batch batch) {
        this.schema = batch.schema();
        this.rows = batch.cursor();
        this.key = new RowBuffer(schema.keyCount());
    }

    /** Goes to the next key; false behind the last. */
    boolean next() {
        while (started && rows.valid() && rows.hash() == hash && Rows.sameKey(schema, rows, key)) {
            rows.next();
        }
        started = true;
        if (!rows.valid()) {
            return false;
        }
        hash = rows.hash();
        for (int column = 0; column < schema.keyCount(); column++) {
            key.copy(column, schema.storages()[column], rows, column);
        }
        return true;
    }

    long hash() {
        return hash;
    }

    /** The key columns. */
    RowView key() {
        return key;
    }
}
