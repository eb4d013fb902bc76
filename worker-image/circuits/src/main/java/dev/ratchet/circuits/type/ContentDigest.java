/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.type;

/**
 * A 64-bit digest of bytes that come piece by piece, the same however they are cut: XXH64 of each {@value #PIECE_BYTES}
 * bytes, seeded by that of those before. Finds damage and mistaken files, not forged ones. One thread at a time.
 */
public final class ContentDigest {

    static final int PIECE_BYTES = 1 << 16;

    private final byte[] piece = new byte[PIECE_BYTES];
    private int filled;
    private long state;

    public void update(byte[] bytes, int offset, int length) {
        int at = offset;
        int end = offset + length;
        while (at < end) {
            if (filled == 0 && end - at >= PIECE_BYTES) {
                state = XxHash64.hash(bytes, at, PIECE_BYTES, state);
                at += PIECE_BYTES;
                continue;
            }
            int taken = Math.min(PIECE_BYTES - filled, end - at);
            System.arraycopy(bytes, at, piece, filled, taken);
            at += taken;
            filled += taken;
            if (filled == PIECE_BYTES) {
                state = XxHash64.hash(piece, 0, filled, state);
                filled = 0;
            }
        }
    }

    /** Of all bytes so far. */
    public long value() {
        return filled == 0 ? state : XxHash64.hash(piece, 0, filled, state);
    }
}
