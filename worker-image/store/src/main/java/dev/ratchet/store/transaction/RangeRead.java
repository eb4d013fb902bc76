/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.transaction;

import com.apple.foundationdb.KeySelector;

/**
 * One read of rows between two selectors, from {@code begin} up, or from {@code end} down when reversed.
 *
 * @param rowLimit most rows to return, at least 1
 * @param byteLimit bytes of keys and values after which no further row is added, at least 1
 */
public record RangeRead(
        long version, KeySelector begin, KeySelector end, int rowLimit, int byteLimit, boolean reverse) {

    /** Rows of the keys {@code [begin, end)}. */
    public static RangeRead ofKeys(
            long version, byte[] begin, byte[] end, int rowLimit, int byteLimit, boolean reverse) {
        return new RangeRead(
                version,
                KeySelector.firstGreaterOrEqual(begin),
                KeySelector.firstGreaterOrEqual(end),
                rowLimit,
                byteLimit,
                reverse);
    }
}
