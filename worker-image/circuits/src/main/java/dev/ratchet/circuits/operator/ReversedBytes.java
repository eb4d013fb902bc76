/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import java.io.ByteArrayOutputStream;

/**
 * Bytes whose unsigned lexicographic order is the reverse of that of the originals: each byte complemented, 0xFF
 * followed by 0 where it is not the end, two of them at the end, so that what goes on comes before what ends.
 */
final class ReversedBytes {

    private static final int HIGHEST = 0xFF;

    private ReversedBytes() {}

    static byte[] encode(byte[] source, int offset, int length) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(length + 2);
        for (int i = offset; i < offset + length; i++) {
            int complement = ~source[i] & HIGHEST;
            out.write(complement);
            if (complement == HIGHEST) {
                out.write(0);
            }
        }
        out.write(HIGHEST);
        out.write(HIGHEST);
        return out.toByteArray();
    }
}
