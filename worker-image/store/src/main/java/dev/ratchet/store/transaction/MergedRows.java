/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.transaction;

import com.apple.foundationdb.KeyValue;
import java.util.List;

/**
 * Rows as a transaction sees them, in the direction of the read.
 *
 * @param more whether a limit stopped the read
 * @param readToBegin whether a bound ran off the start of the key space
 * @param readThroughEnd whether a bound ran off its end
 */
record MergedRows(List<KeyValue> rows, boolean more, boolean readToBegin, boolean readThroughEnd) {

    static MergedRows none(boolean readToBegin, boolean readThroughEnd) {
        return new MergedRows(List.of(), false, readToBegin, readThroughEnd);
    }
}
