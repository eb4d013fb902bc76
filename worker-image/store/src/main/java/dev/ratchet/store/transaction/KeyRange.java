/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.transaction;

import java.util.Arrays;

/** The keys from {@code begin} inclusive to {@code end} exclusive. */
public record KeyRange(byte[] begin, byte[] end) {

    /** The range that holds {@code key} alone. */
    public static KeyRange ofKey(byte[] key) {
        return new KeyRange(key, Arrays.copyOf(key, key.length + 1));
    }

    /** Whether {@link #end} is the key right after {@link #begin}. */
    public boolean isOneKey() {
        return end.length == begin.length + 1
                && end[begin.length] == 0
                && Arrays.equals(begin, 0, begin.length, end, 0, begin.length);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof KeyRange range && Arrays.equals(begin, range.begin) && Arrays.equals(end, range.end);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(begin) + Arrays.hashCode(end);
    }
}
