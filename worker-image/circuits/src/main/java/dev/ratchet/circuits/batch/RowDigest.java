/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

import dev.ratchet.circuits.type.RowHash;
import dev.ratchet.circuits.type.RowSchema;
import java.nio.ByteBuffer;

/**
 * A sum over rows of their keyed hashes times their weights: equal for equal changes in whatever order and pieces they
 * come, and additive. Two sums of 64 bits, by keys of their own, so that changes that differ have equal ones once in
 * 2^128 times for whoever does not know the key. Immutable.
 */
public record RowDigest(long first, long second) {

    public static final int BYTES = 2 * Long.BYTES;

    /** What hashes begin with; digests of different keys have nothing to do with each other. */
    public record Key(long first, long second) {}

    public static RowDigest of(Key key, Batch changes) {
        RowSchema schema = changes.schema();
        long first = 0;
        long second = 0;
        for (BatchCursor row = changes.cursor(); row.valid(); row.next()) {
            first += row.weight() * RowHash.keyed(key.first, schema, row);
            second += row.weight() * RowHash.keyed(key.second, schema, row);
        }
        return new RowDigest(first, second);
    }

    /** As {@value #BYTES} bytes, big-endian. */
    public byte[] bytes() {
        return ByteBuffer.allocate(BYTES).putLong(first).putLong(second).array();
    }
}
