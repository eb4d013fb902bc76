/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

import dev.ratchet.circuits.type.RowView;

/**
 * Walks weighted rows and is a view of the row it stands on. A new one stands on the first row. One thread at a time.
 */
public interface RowWalk extends RowView {

    /** Whether it stands on a row; the accessors of row, hash and weight may be called only then. */
    boolean valid();

    /** Goes to the next row; from the last one the walk becomes invalid. Called only while valid. */
    void next();

    /** The hash of the key of the row. */
    long hash();

    /** The weight of the row, not 0. */
    long weight();
}
