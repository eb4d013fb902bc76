/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.type;

/**
 * Doubles as longs in their SQL order: −∞ &lt; … &lt; 0.0 &lt; … &lt; ∞ &lt; NaN. All NaNs are one value and −0.0 is
 * 0.0, so that what SQL calls equal is one long.
 */
public final class OrderedDouble {

    private OrderedDouble() {}

    public static long encode(double value) {
        // Adding 0.0 turns −0.0 into 0.0; doubleToLongBits collapses the NaNs.
        return flip(Double.doubleToLongBits(value + 0.0));
    }

    public static double decode(long ordered) {
        return Double.longBitsToDouble(flip(ordered));
    }

    /** Negative numbers grow with their magnitude as bits; flipping all but the sign reverses that. Its own inverse. */
    private static long flip(long bits) {
        return bits ^ ((bits >> 63) & Long.MAX_VALUE);
    }
}
