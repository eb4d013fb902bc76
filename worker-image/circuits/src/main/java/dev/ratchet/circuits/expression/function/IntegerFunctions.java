/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.expression.function;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * Integers of any width as longs. A result outside the width of its type, given by its bits, is an
 * {@link ArithmeticException}, never a wrapped number.
 */
public final class IntegerFunctions {

    private IntegerFunctions() {}

    public static long add(long left, long right, int bits) {
        long sum = left + right;
        if (((left ^ sum) & (right ^ sum)) < 0) {
            throw overflow(left + " + " + right, bits);
        }
        return fit(sum, bits);
    }

    public static long subtract(long left, long right, int bits) {
        long difference = left - right;
        if (((left ^ right) & (left ^ difference)) < 0) {
            throw overflow(left + " - " + right, bits);
        }
        return fit(difference, bits);
    }

    public static long multiply(long left, long right, int bits) {
        long high = Math.multiplyHigh(left, right);
        long low = left * right;
        if (high != low >> 63) {
            throw overflow(left + " * " + right, bits);
        }
        return fit(low, bits);
    }

    /** Truncates towards zero. */
    public static long divide(long left, long right, int bits) {
        if (right == 0) {
            throw divisionByZero(Long.toString(left));
        }
        if (left == Long.MIN_VALUE && right == -1) {
            throw overflow(left + " / -1", bits);
        }
        return fit(left / right, bits);
    }

    /** Has the sign of the dividend. */
    public static long remainder(long left, long right) {
        if (right == 0) {
            throw divisionByZero(Long.toString(left));
        }
        return left % right;
    }

    public static long negate(long value, int bits) {
        return subtract(0, value, bits);
    }

    public static long absolute(long value, int bits) {
        return value < 0 ? negate(value, bits) : value;
    }

    public static long sign(long value) {
        return Long.signum(value);
    }

    public static long fit(long value, int bits) {
        int unused = 64 - bits;
        if (value << unused >> unused != value) {
            throw overflow(Long.toString(value), bits);
        }
        return value;
    }

    public static long ofDecimal(BigDecimal value, int bits) {
        BigDecimal whole = value.setScale(0, RoundingMode.HALF_UP);
        if (whole.precision() > 19 || whole.unscaledValue().bitLength() > 63) {
            throw overflow(value.toPlainString(), bits);
        }
        return fit(whole.longValue(), bits);
    }

    /** Rounds to the nearest, a half to the even one. */
    public static long ofDouble(double value, int bits) {
        double whole = Math.rint(value);
        if (!(whole >= -0x1p63 && whole < 0x1p63)) {
            throw overflow(Double.toString(value), bits);
        }
        return fit((long) whole, bits);
    }

    public static long ofText(String text, int bits) {
        try {
            return ofDecimal(new BigDecimal(text.strip()), bits);
        } catch (NumberFormatException e) {
            throw new ArithmeticException("'" + text + "' is not an integer; use TRY_CAST for NULL instead");
        }
    }

    public static long ofBoolean(boolean value) {
        return value ? 1 : 0;
    }

    public static boolean toBoolean(long value) {
        return value != 0;
    }

    public static boolean equal(long left, long right) {
        return left == right;
    }

    public static boolean less(long left, long right) {
        return left < right;
    }

    public static boolean equalBooleans(boolean left, boolean right) {
        return left == right;
    }

    public static boolean lessBooleans(boolean left, boolean right) {
        return !left && right;
    }

    public static boolean not(boolean value) {
        return !value;
    }

    /** Rounds to a power of ten: {@code digits} &lt; 0 counts places before the point. */
    public static long round(long value, long digits, int bits) {
        return digits >= 0 ? value : ofDecimal(DecimalFunctions.roundTo(BigDecimal.valueOf(value), digits), bits);
    }

    /** As {@link #round}, but from the middle to the even digit. */
    public static long roundEven(long value, long digits, int bits) {
        return digits >= 0 ? value : ofDecimal(DecimalFunctions.roundEvenTo(BigDecimal.valueOf(value), digits), bits);
    }

    public static long truncate(long value, long digits) {
        return digits >= 0
                ? value
                : DecimalFunctions.truncateTo(BigDecimal.valueOf(value), digits).longValue();
    }

    public static long bitAnd(long left, long right) {
        return left & right;
    }

    public static long bitOr(long left, long right) {
        return left | right;
    }

    public static long bitXor(long left, long right) {
        return left ^ right;
    }

    public static long bitNot(long value) {
        return ~value;
    }

    public static long bitCount(long value) {
        return Long.bitCount(value);
    }

    /** What is shifted out is lost; a distance over 63 leaves nothing. */
    public static long shiftLeft(long value, long distance) {
        return distance < 0 || distance >= Long.SIZE ? 0 : value << distance;
    }

    /** Keeps the sign; a distance over 63 leaves nothing but it. */
    public static long shiftRight(long value, long distance) {
        if (distance < 0) {
            return 0;
        }
        return value >> Math.min(distance, Long.SIZE - 1);
    }

    public static long factorial(long number) {
        if (number < 0) {
            throw new ArithmeticException("FACTORIAL of " + number + "; it has none");
        }
        long product = 1;
        for (long factor = 2; factor <= number; factor++) {
            product = multiply(product, factor, Long.SIZE);
        }
        return product;
    }

    static ArithmeticException divisionByZero(String dividend) {
        return new ArithmeticException(
                "Division of " + dividend + " by zero; divide by NULLIF(divisor, 0) for NULL instead");
    }

    private static ArithmeticException overflow(String what, int bits) {
        String type =
                switch (bits) {
                    case 8 -> "TINYINT";
                    case 16 -> "SMALLINT";
                    case 32 -> "INTEGER";
                    default -> "BIGINT";
                };
        return new ArithmeticException(what + " does not fit " + type + "; cast to a wider type first");
    }
}
