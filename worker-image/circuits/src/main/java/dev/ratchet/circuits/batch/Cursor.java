/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

import dev.ratchet.circuits.type.RowView;

/**
 * Walks weighted rows in the order (unsigned hash, key, value); no row comes twice. What it walks does not change under
 * it.
 */
public interface Cursor extends RowWalk {

    /** Goes to the first row whose hash is at least this one as unsigned number, forward or backward. */
    void seek(long hash);

    /**
     * Goes to the first row of a key and narrows the cursor to the rows of that key until the next seek: it becomes
     * invalid behind the last of them. Cheapest where successive hashes ascend.
     *
     * @param hash of the key
     * @param key a row whose first columns are the key columns of this cursor's schema
     * @return whether there is such a row, which is {@link #valid}
     */
    boolean seekKey(long hash, RowView key);

    /**
     * Within the rows of a key, goes forward to the first row whose first value columns are at least those of another
     * row of the same schema; stays where that holds already. A binary search over what is left of the key.
     *
     * @param columns how many value columns are compared, from the first
     */
    void seekValue(RowView bound, int columns);
}
