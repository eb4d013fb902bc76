/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.batch.Cursor;

/**
 * What becomes of one group as a whole, without any memory of it: the operator around it takes back what came of the
 * group before. One thread at a time.
 */
interface GroupFunction {

    /**
     * Computes the result of one group.
     *
     * @param inputs for each input the rows of the group in the order of its arrangement, on the first
     */
    void apply(Cursor[] inputs, RowSink out);
}
