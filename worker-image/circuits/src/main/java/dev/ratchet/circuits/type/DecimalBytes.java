/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.type;

import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Decimals inside nested values as bytes whose unsigned order is numeric order and which do not depend on the scale:
 * 1.0 and 1.00 are the same bytes. Sign (1, 2 for zero, 3), then of the magnitude 0.d1d2d3…·10^e the exponent and the
 * digits, ended by 0; both complemented where the number is negative.
 */
final class DecimalBytes {

    private static final int NEGATIVE = 1;
    private static final int ZERO = 2;
    private static final int POSITIVE = 3;
    private static final int EXPONENT_BIAS = 128;

    private DecimalBytes() {}

    static void write(ByteArrayOutputStream out, BigDecimal value) {
        int sign = value.signum();
        if (sign == 0) {
            out.write(ZERO);
            return;
        }
        BigDecimal magnitude = value.abs().stripTrailingZeros();
        String digits = magnitude.unscaledValue().toString();
        int mask = sign < 0 ? 0xFF : 0;
        out.write(sign < 0 ? NEGATIVE : POSITIVE);
        out.write((digits.length() - magnitude.scale() + EXPONENT_BIAS) ^ mask);
        for (int i = 0; i < digits.length(); i++) {
            out.write(digits.charAt(i) ^ mask);
        }
        out.write(mask);
    }

    static BigDecimal read(ByteBuffer in) {
        int sign = in.get();
        if (sign == ZERO) {
            return BigDecimal.ZERO;
        }
        int mask = sign == NEGATIVE ? 0xFF : 0;
        int exponent = ((in.get() ^ mask) & 0xFF) - EXPONENT_BIAS;
        ByteArrayOutputStream digits = new ByteArrayOutputStream();
        for (int digit = (in.get() ^ mask) & 0xFF; digit != 0; digit = (in.get() ^ mask) & 0xFF) {
            digits.write(digit);
        }
        BigInteger unscaled = new BigInteger(digits.toString(StandardCharsets.US_ASCII));
        BigDecimal value = new BigDecimal(unscaled, digits.size() - exponent);
        return sign == NEGATIVE ? value.negate() : value;
    }
}
