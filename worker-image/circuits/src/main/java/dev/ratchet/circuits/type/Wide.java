/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.type;

import java.math.BigDecimal;
import java.math.BigInteger;

/** 128-bit signed numbers in two longs: {@code high · 2^64 + unsigned low}. */
public final class Wide {

    private static final BigInteger TWO_64 = BigInteger.ONE.shiftLeft(64);

    private Wide() {}

    public static BigInteger toBigInteger(long high, long low) {
        BigInteger unsignedLow = BigInteger.valueOf(low);
        if (low < 0) {
            unsignedLow = unsignedLow.add(TWO_64);
        }
        return BigInteger.valueOf(high).shiftLeft(64).add(unsignedLow);
    }

    public static long low(BigInteger value) {
        return value.longValue();
    }

    public static long high(BigInteger value) {
        return value.shiftRight(64).longValue();
    }

    public static int compare(long high, long low, long otherHigh, long otherLow) {
        return high != otherHigh ? Long.compare(high, otherHigh) : Long.compareUnsigned(low, otherLow);
    }

    /**
     * The unscaled value of a number in a DECIMAL of this type.
     *
     * @throws ArithmeticException where the number has more digits than the type, before or after the point
     */
    public static BigInteger unscaled(BigDecimal value, ColumnType type) {
        BigDecimal scaled = value.stripTrailingZeros();
        if (scaled.scale() > type.scale()) {
            throw new ArithmeticException(
                    value + " has more than " + type.scale() + " digits after the point; round it to fit " + type);
        }
        BigInteger unscaled = scaled.setScale(type.scale()).unscaledValue();
        if (new BigDecimal(unscaled).precision() > type.precision()) {
            throw new ArithmeticException(value + " does not fit " + type + "; declare more digits");
        }
        return unscaled;
    }
}
