/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Some of {@link UnconsolidatedRows} for another thread to copy, with hashes and weights of its own: whoever gave the
 * rows may sum them meanwhile, which changes only those. Valid as long as the rows, and until it is set to others; its
 * arrays stay for those. Written by one thread, then read by one.
 */
public final class UnconsolidatedPart {

    /** Arrays of more rows do not stay. */
    private static final int ROWS_KEPT = 1 << 16;

    private @Nullable RowVectors rows;
    private int count;
    int[] numbers = new int[0];
    long[] hashes = new long[0];
    long[] weights = new long[0];

    public boolean isEmpty() {
        return count == 0;
    }

    int count() {
        return count;
    }

    /** The arrays that the rows lie in. */
    RowVectors rows() {
        return Objects.requireNonNull(rows, "a part that was never set");
    }

    /** Starts anew, with so many of some rows, to be set. */
    void begin(RowVectors of, int size) {
        rows = of;
        count = size;
        if (size > numbers.length || numbers.length > ROWS_KEPT) {
            numbers = new int[size];
            hashes = new long[size];
            weights = new long[size];
        }
    }

    void set(int place, int number, long hash, long weight) {
        numbers[place] = number;
        hashes[place] = hash;
        weights[place] = weight;
    }

    /** Forgets the rows. */
    public void clear() {
        rows = null;
        count = 0;
    }
}
