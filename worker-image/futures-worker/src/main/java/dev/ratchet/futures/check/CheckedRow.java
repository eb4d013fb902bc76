/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.check;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.tuple.Tuple;
import dev.ratchet.store.keyspace.Table;

/** One row that is judged, and the page that is told what is wrong with it. */
record CheckedRow(CheckPage page, Table<?> table, KeyValue stored) {

    /** The elements of its key. */
    Tuple key() {
        return table.elements(stored.getKey());
    }

    byte[] value() {
        return stored.getValue();
    }

    /** Notes that the row must not be as it is. */
    void violation(String message) {
        page.violation(table, stored.getKey(), message);
    }

    /** As {@link #violation}, unless {@code holds}. */
    void require(boolean holds, String message) {
        if (!holds) {
            violation(message);
        }
    }
}
