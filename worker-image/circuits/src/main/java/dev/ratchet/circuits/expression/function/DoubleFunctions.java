/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.expression.function;

import java.math.BigDecimal;
import java.math.MathContext;

/**
 * Binary floating point by IEEE 754: overflow is an infinity and 0/0 a NaN, without error. NaN equals itself and is
 * greater than every number, and the two zeros are one, as in the order of rows. {@link StrictMath} keeps results equal
 * on every machine.
 */
public final class DoubleFunctions {

    /** From here on 1 beside the square of a number makes no difference. */
    private static final double BEYOND_SQUARES = 1e9;

    private DoubleFunctions() {}

    public static double add(double left, double right) {
        return left + right;
    }

    public static double subtract(double left, double right) {
        return left - right;
    }

    public static double multiply(double left, double right) {
        return left * right;
    }

    public static double divide(double left, double right) {
        return left / right;
    }

    public static double remainder(double left, double right) {
        return left % right;
    }

    public static double negate(double value) {
        return -value;
    }

    public static double absolute(double value) {
        return Math.abs(value);
    }

    public static double sign(double value) {
        return Math.signum(value);
    }

    public static double ceiling(double value) {
        return Math.ceil(value);
    }

    public static double floor(double value) {
        return Math.floor(value);
    }

    public static double round(double value, long digits) {
        return Double.isFinite(value)
                ? DecimalFunctions.roundTo(new BigDecimal(Double.toString(value)), digits)
                        .doubleValue()
                : value;
    }

    /** As {@link #round}, but from the middle to the even digit. */
    public static double roundEven(double value, long digits) {
        return Double.isFinite(value)
                ? DecimalFunctions.roundEvenTo(new BigDecimal(Double.toString(value)), digits)
                        .doubleValue()
                : value;
    }

    public static double truncate(double value, long digits) {
        return Double.isFinite(value)
                ? DecimalFunctions.truncateTo(new BigDecimal(Double.toString(value)), digits)
                        .doubleValue()
                : value;
    }

    public static double cubeRoot(double value) {
        return StrictMath.cbrt(value);
    }

    public static double binaryLogarithm(double value) {
        return logarithm(2, value);
    }

    public static double logarithm(double base, double value) {
        return base == 2 && value > 0 && StrictMath.scalb(1, Math.getExponent(value)) == value
                ? Math.getExponent(value)
                : naturalLogarithm(value) / naturalLogarithm(base);
    }

    public static double hyperbolicSine(double value) {
        return StrictMath.sinh(value);
    }

    public static double hyperbolicCosine(double value) {
        return StrictMath.cosh(value);
    }

    public static double hyperbolicTangent(double value) {
        return StrictMath.tanh(value);
    }

    public static double squareRoot(double value) {
        if (value < 0) {
            throw new ArithmeticException("Square root of " + value + "; it has none");
        }
        return Math.sqrt(value);
    }

    public static double power(double base, double exponent) {
        return StrictMath.pow(base, exponent);
    }

    public static double exponential(double value) {
        return StrictMath.exp(value);
    }

    public static double naturalLogarithm(double value) {
        return StrictMath.log(positive(value));
    }

    public static double decimalLogarithm(double value) {
        return StrictMath.log10(positive(value));
    }

    private static double positive(double value) {
        if (value <= 0) {
            throw new ArithmeticException("Logarithm of " + value + "; only positive numbers have one");
        }
        return value;
    }

    public static double sine(double value) {
        return StrictMath.sin(value);
    }

    public static double cosine(double value) {
        return StrictMath.cos(value);
    }

    public static double tangent(double value) {
        return StrictMath.tan(value);
    }

    public static double cotangent(double value) {
        return 1 / StrictMath.tan(value);
    }

    public static double arcSine(double value) {
        return StrictMath.asin(value);
    }

    public static double arcCosine(double value) {
        return StrictMath.acos(value);
    }

    public static double arcTangent(double value) {
        return StrictMath.atan(value);
    }

    public static double arcTangent2(double y, double x) {
        return StrictMath.atan2(y, x);
    }

    public static double secant(double value) {
        return 1 / StrictMath.cos(value);
    }

    public static double cosecant(double value) {
        return 1 / StrictMath.sin(value);
    }

    public static double hyperbolicSecant(double value) {
        return 1 / StrictMath.cosh(value);
    }

    public static double hyperbolicCosecant(double value) {
        return 1 / StrictMath.sinh(value);
    }

    public static double hyperbolicCotangent(double value) {
        return 1 / StrictMath.tanh(value);
    }

    /** What has a number as its hyperbolic sine; precise near 0 and beyond where squares are infinite. */
    public static double areaSine(double value) {
        double size = Math.abs(value);
        double area = size > BEYOND_SQUARES
                ? StrictMath.log(size) + StrictMath.log(2)
                : StrictMath.log1p(size + size * size / (1 + Math.sqrt(size * size + 1)));
        return Math.copySign(area, value);
    }

    /** As {@link #areaSine} of the hyperbolic cosine. */
    public static double areaCosine(double value) {
        if (value < 1) {
            throw new ArithmeticException("ACOSH of " + value + "; only numbers from 1 on have one");
        }
        double more = value - 1;
        return value > BEYOND_SQUARES
                ? StrictMath.log(value) + StrictMath.log(2)
                : StrictMath.log1p(more + Math.sqrt(more * (value + 1)));
    }

    /** As {@link #areaSine} of the hyperbolic tangent. */
    public static double areaTangent(double value) {
        if (Math.abs(value) > 1) {
            throw new ArithmeticException("ATANH of " + value + "; only numbers from -1 to 1 have one");
        }
        return 0.5 * (StrictMath.log1p(value) - StrictMath.log1p(-value));
    }

    public static double degrees(double value) {
        return StrictMath.toDegrees(value);
    }

    public static double radians(double value) {
        return StrictMath.toRadians(value);
    }

    public static double pi() {
        return Math.PI;
    }

    public static double ofLong(long value) {
        return value;
    }

    public static double ofDecimal(BigDecimal value) {
        return value.doubleValue();
    }

    public static double toReal(double value) {
        return (float) value;
    }

    public static double toDouble(double value) {
        return value;
    }

    public static double ofText(String text) {
        try {
            return Double.parseDouble(text.strip());
        } catch (NumberFormatException e) {
            throw new ArithmeticException("'" + text + "' is not a number; use TRY_CAST for NULL instead");
        }
    }

    public static boolean equal(double left, double right) {
        return left == right || (Double.isNaN(left) && Double.isNaN(right));
    }

    public static boolean less(double left, double right) {
        return left < right || (Double.isNaN(right) && !Double.isNaN(left));
    }

    public static boolean isNotANumber(double value) {
        return Double.isNaN(value);
    }

    public static boolean isInfinite(double value) {
        return Double.isInfinite(value);
    }

    /** Exact sum over exact count, rounded once; for averages. */
    public static double quotient(BigDecimal sum, long count) {
        return sum.divide(BigDecimal.valueOf(count), MathContext.DECIMAL128).doubleValue();
    }
}
