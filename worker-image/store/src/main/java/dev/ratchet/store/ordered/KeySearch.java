/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.ordered;

import java.util.Arrays;

/** Binary search among the first of an array of keys, which ascend as unsigned bytes. */
public final class KeySearch {

    private KeySearch() {}

    /** Index of a key from {@code from} on, or {@code -(insertion point) - 1}. */
    static int indexOf(byte[][] keys, int from, int count, byte[] key) {
        int low = from;
        int high = count - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = Arrays.compareUnsigned(keys[middle], key);
            if (order == 0) {
                return middle;
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -low - 1;
    }

    /** The last index whose key is not after {@code key}; 0 where there is none, whatever the first key is. */
    public static int floorOf(byte[][] keys, int count, byte[] key) {
        int index = indexOf(keys, 1, count, key);
        return index < 0 ? -index - 2 : index;
    }
}
