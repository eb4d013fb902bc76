/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.Cursor;
import dev.ratchet.circuits.batch.MergedCursor;

/** A group function of one input that finds what changes in its result in one walk over the group. */
interface ChangeFunction extends GroupFunction {

    /**
     * Computes what {@link #apply} gives of the group as it is less what it gives of it as it was.
     *
     * @param rows of the group as it was, on the first; invalid where there are none
     * @param change of the group, on the first row; there is one
     */
    void applyChange(MergedCursor rows, Cursor change, RowSink out);
}
