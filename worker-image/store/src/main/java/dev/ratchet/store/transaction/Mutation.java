/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.transaction;

/**
 * One change that a commit makes. The type is a {@link com.apple.foundationdb.MutationType} code, {@link #SET} or
 * {@link #CLEAR_RANGE}, for which {@code key} is the begin and {@code param} the end.
 */
public record Mutation(int type, byte[] key, byte[] param) {
    /** Sets a key to a value. */
    public static final int SET = 0;
    /** Clears the keys from {@link #key} to {@link #param}, exclusive. */
    public static final int CLEAR_RANGE = 1;
    /** Adds little-endian integers. */
    public static final int ADD = 2;
    /** Bitwise and. */
    public static final int BIT_AND = 6;
    /** Bitwise or. */
    public static final int BIT_OR = 7;
    /** Bitwise exclusive or. */
    public static final int BIT_XOR = 8;
    /** Appends where the result is not too long. */
    public static final int APPEND_IF_FITS = 9;
    /** Greater of two little-endian integers. */
    public static final int MAX = 12;
    /** Smaller of two little-endian integers. */
    public static final int MIN = 13;
    /** Sets a key that contains the versionstamp of the commit. */
    public static final int SET_VERSIONSTAMPED_KEY = 14;
    /** Sets a value that contains the versionstamp of the commit. */
    public static final int SET_VERSIONSTAMPED_VALUE = 15;
    /** Lexicographically smaller of two strings. */
    public static final int BYTE_MIN = 16;
    /** Lexicographically greater of two strings. */
    public static final int BYTE_MAX = 17;
    /** Clears a key that has the given value. */
    public static final int COMPARE_AND_CLEAR = 20;
}
