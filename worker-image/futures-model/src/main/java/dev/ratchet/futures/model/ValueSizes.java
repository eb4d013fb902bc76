/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.model;

/** Sizes of values and pieces of content on which clients and workers agree. */
public final class ValueSizes {

    /** Largest piece of anything that is kept in pieces: below the store's limit for values, with room for a format. */
    public static final int PIECE_BYTES = 90_000;

    /** Largest result that is kept in the record itself. */
    public static final int INLINE_BYTES_MAX = 10_000;

    private ValueSizes() {}

    /** How many pieces {@code bytes} make. */
    public static int pieces(long bytes) {
        return Math.toIntExact((bytes + PIECE_BYTES - 1) / PIECE_BYTES);
    }
}
