/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.expression.function;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/**
 * Exact decimals. A result has the digits of its type, rounded half away from zero; more digits before the point than
 * the type has are an {@link ArithmeticException}.
 */
public final class DecimalFunctions {

    private static final int SCALE_MAX = 38;

    private DecimalFunctions() {}

    public static BigDecimal fit(BigDecimal value, int precision, int scale) {
        BigDecimal rounded = value.scale() == scale ? value : value.setScale(scale, RoundingMode.HALF_UP);
        if (rounded.precision() > precision) {
            throw new ArithmeticException(value.toPlainString() + " does not fit DECIMAL(" + precision + ", " + scale
                    + "); cast to a type with more digits first");
        }
        return rounded;
    }

    public static BigDecimal add(BigDecimal left, BigDecimal right, int precision, int scale) {
        return fit(left.add(right), precision, scale);
    }

    public static BigDecimal subtract(BigDecimal left, BigDecimal right, int precision, int scale) {
        return fit(left.subtract(right), precision, scale);
    }

    public static BigDecimal multiply(BigDecimal left, BigDecimal right, int precision, int scale) {
        return fit(left.multiply(right), precision, scale);
    }

    public static BigDecimal divide(BigDecimal left, BigDecimal right, int precision, int scale) {
        if (right.signum() == 0) {
            throw IntegerFunctions.divisionByZero(left.toPlainString());
        }
        return fit(left.divide(right, scale, RoundingMode.HALF_UP), precision, scale);
    }

    /** Has the sign of the dividend. */
    public static BigDecimal remainder(BigDecimal left, BigDecimal right, int precision, int scale) {
        if (right.signum() == 0) {
            throw IntegerFunctions.divisionByZero(left.toPlainString());
        }
        return fit(left.remainder(right), precision, scale);
    }

    public static BigDecimal negate(BigDecimal value) {
        return value.negate();
    }

    public static BigDecimal absolute(BigDecimal value) {
        return value.abs();
    }

    public static BigDecimal sign(BigDecimal value, int precision, int scale) {
        return fit(BigDecimal.valueOf(value.signum()), precision, scale);
    }

    public static BigDecimal ceiling(BigDecimal value, int precision, int scale) {
        return fit(value.setScale(0, RoundingMode.CEILING), precision, scale);
    }

    public static BigDecimal floor(BigDecimal value, int precision, int scale) {
        return fit(value.setScale(0, RoundingMode.FLOOR), precision, scale);
    }

    public static BigDecimal round(BigDecimal value, long digits, int precision, int scale) {
        return fit(roundTo(value, digits), precision, scale);
    }

    /** As {@link #round}, but from the middle to the even digit. */
    public static BigDecimal roundEven(BigDecimal value, long digits, int precision, int scale) {
        return fit(roundEvenTo(value, digits), precision, scale);
    }

    public static BigDecimal truncate(BigDecimal value, long digits, int precision, int scale) {
        return fit(truncateTo(value, digits), precision, scale);
    }

    static BigDecimal roundTo(BigDecimal value, long digits) {
        return setDigits(value, digits, RoundingMode.HALF_UP);
    }

    static BigDecimal roundEvenTo(BigDecimal value, long digits) {
        return setDigits(value, digits, RoundingMode.HALF_EVEN);
    }

    static BigDecimal truncateTo(BigDecimal value, long digits) {
        return setDigits(value, digits, RoundingMode.DOWN);
    }

    private static BigDecimal setDigits(BigDecimal value, long digits, RoundingMode mode) {
        int places = (int) Math.max(-SCALE_MAX, Math.min(SCALE_MAX, digits));
        return places >= value.scale() ? value : value.setScale(places, mode);
    }

    public static BigDecimal ofLong(long value) {
        return BigDecimal.valueOf(value);
    }

    /** The decimal nearest to the number as it prints. */
    public static BigDecimal ofDouble(double value, int precision, int scale) {
        if (!Double.isFinite(value)) {
            throw new ArithmeticException(value + " is not a DECIMAL");
        }
        return fit(new BigDecimal(Double.toString(value)), precision, scale);
    }

    public static BigDecimal ofText(String text, int precision, int scale) {
        try {
            return fit(new BigDecimal(text.strip()), precision, scale);
        } catch (NumberFormatException e) {
            throw new ArithmeticException("'" + text + "' is not a number; use TRY_CAST for NULL instead");
        }
    }

    public static boolean equal(BigDecimal left, BigDecimal right) {
        return left.compareTo(right) == 0;
    }

    public static boolean less(BigDecimal left, BigDecimal right) {
        return left.compareTo(right) < 0;
    }

    /** The integer part as an exact number, for aggregates that have summed. */
    public static BigDecimal ofUnscaled(BigInteger unscaled, int scale) {
        return new BigDecimal(unscaled, scale);
    }
}
