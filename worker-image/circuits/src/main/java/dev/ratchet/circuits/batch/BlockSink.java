/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

import dev.ratchet.circuits.type.RowSchema;

/** Where a merge puts the blocks of its result, in order. */
interface BlockSink {

    void accept(Block block);

    /** The batch of all blocks; nothing is accepted afterwards. */
    Batch finish(RowSchema schema);

    /** Lets go of what was accepted. */
    void abandon();
}
