/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

/**
 * Some of {@link LooseRows} for another thread to copy, with hashes and weights of its own: whoever gave the rows may
 * sum them meanwhile, which changes only those. Valid as long as the rows. Immutable.
 */
public final class LoosePart {

    final RowVectors rows;
    final int[] numbers;
    final long[] hashes;
    final long[] weights;

    LoosePart(RowVectors rows, int count) {
        this.rows = rows;
        this.numbers = new int[count];
        this.hashes = new long[count];
        this.weights = new long[count];
    }

    public boolean isEmpty() {
        return numbers.length == 0;
    }
}
