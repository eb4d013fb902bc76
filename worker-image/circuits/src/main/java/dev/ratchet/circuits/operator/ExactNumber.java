/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowView;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A sum of doubles without rounding, so that it does not depend on any order and can be taken back: mantissa · 2
 * <sup>exponent</sup> and how many NaN and infinities are in it. Equal sums have equal bytes.
 */
final class ExactNumber {

    static final MathContext DIGITS = new MathContext(40);
    private static final int MANTISSA_BITS = 52;
    private static final int EXPONENT_BIAS = 1075;
    private static final int HEADER = 3 * Long.BYTES + Integer.BYTES;

    private BigInteger mantissa = BigInteger.ZERO;
    private int exponent;
    private long nans;
    private long positives;
    private long negatives;

    void clear() {
        mantissa = BigInteger.ZERO;
        exponent = 0;
        nans = 0;
        positives = 0;
        negatives = 0;
    }

    boolean isZero() {
        return mantissa.signum() == 0 && (nans | positives | negatives) == 0;
    }

    void add(double value, long weight) {
        if (isSpecial(value)) {
            addSpecial(value, weight);
        } else {
            add(BigInteger.valueOf(mantissaOf(value)).multiply(BigInteger.valueOf(weight)), exponentOf(value));
        }
    }

    /**
     * Adds the value of a column, or its product with that of another; of decimals without their points.
     *
     * @param times type of the other column, null for none
     */
    void addProduct(ColumnType type, RowView row, int column, @Nullable ColumnType times, int other, long weight) {
        double special = specialAt(type, row, column);
        special *= times == null ? 1 : specialAt(times, row, other);
        if (isSpecial(special)) {
            addSpecial(special, weight);
            return;
        }
        BigInteger product = mantissaAt(type, row, column).multiply(BigInteger.valueOf(weight));
        int power = exponentAt(type, row, column);
        if (times != null) {
            product = product.multiply(mantissaAt(times, row, other));
            power += exponentAt(times, row, other);
        }
        add(product, power);
    }

    /** NaN or an infinity where the column holds it, else 1. */
    private static double specialAt(ColumnType type, RowView row, int column) {
        return Numbers.isFloating(type) && isSpecial(row.doubleAt(column)) ? row.doubleAt(column) : 1;
    }

    private static BigInteger mantissaAt(ColumnType type, RowView row, int column) {
        return Numbers.isFloating(type)
                ? BigInteger.valueOf(mantissaOf(row.doubleAt(column)))
                : Numbers.unscaledAt(type, row, column);
    }

    private static int exponentAt(ColumnType type, RowView row, int column) {
        return Numbers.isFloating(type) ? exponentOf(row.doubleAt(column)) : 0;
    }

    /** Adds {@code value · 2^power}. */
    void add(BigInteger value, int power) {
        if (mantissa.signum() == 0) {
            mantissa = value;
            exponent = power;
        } else if (power >= exponent) {
            mantissa = mantissa.add(value.shiftLeft(power - exponent));
        } else {
            mantissa = mantissa.shiftLeft(exponent - power).add(value);
            exponent = power;
        }
    }

    private static boolean isSpecial(double value) {
        return Double.isNaN(value) || Double.isInfinite(value);
    }

    private void addSpecial(double value, long weight) {
        if (Double.isNaN(value)) {
            nans += weight;
        } else if (value > 0) {
            positives += weight;
        } else {
            negatives += weight;
        }
    }

    private static long mantissaOf(double value) {
        long bits = Double.doubleToLongBits(value);
        long fraction = bits & ((1L << MANTISSA_BITS) - 1);
        long magnitude = biasedExponent(bits) == 0 ? fraction << 1 : fraction | 1L << MANTISSA_BITS;
        return bits < 0 ? -magnitude : magnitude;
    }

    private static int exponentOf(double value) {
        return biasedExponent(Double.doubleToLongBits(value)) - EXPONENT_BIAS;
    }

    private static int biasedExponent(long bits) {
        return (int) (bits >>> MANTISSA_BITS) & 0x7FF;
    }

    /** Whether the value is a number; else {@link #special} says what it is. */
    boolean isFinite() {
        return nans <= 0 && positives <= 0 && negatives <= 0;
    }

    double special() {
        boolean both = positives > 0 && negatives > 0;
        return nans > 0 || both ? Double.NaN : positives > 0 ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
    }

    /** The number without any rounding; NaN and infinities left out. */
    BigDecimal exact() {
        return exponent >= 0
                ? new BigDecimal(mantissa.shiftLeft(exponent))
                : new BigDecimal(mantissa).divide(new BigDecimal(BigInteger.ONE.shiftLeft(-exponent)));
    }

    /** The nearest double. */
    double toDouble() {
        if (!isFinite()) {
            return special();
        }
        BigInteger magnitude = mantissa.abs();
        int dropped = Math.max(0, magnitude.bitLength() - Long.SIZE);
        BigInteger head = magnitude.shiftRight(dropped);
        if (dropped > magnitude.getLowestSetBit()) {
            // What is dropped is not nothing: the last bit kept says so, and the rounding below comes out right.
            head = head.setBit(0);
        }
        // This rounds once; scaling is exact, as no sum of doubles is finer than the finest double.
        return mantissa.signum() * Math.scalb(head.doubleValue(), exponent + dropped);
    }

    byte[] toBytes() {
        int zeros = mantissa.signum() == 0 ? 0 : mantissa.getLowestSetBit();
        byte[] digits = mantissa.shiftRight(zeros).toByteArray();
        return ByteBuffer.allocate(HEADER + digits.length)
                .putLong(nans)
                .putLong(positives)
                .putLong(negatives)
                .putInt(mantissa.signum() == 0 ? 0 : exponent + zeros)
                .put(digits)
                .array();
    }

    /** Adds a number in the form of {@link #toBytes}. */
    void add(byte[] bytes, int offset, int length) {
        ByteBuffer in = ByteBuffer.wrap(bytes, offset, length);
        nans += in.getLong();
        positives += in.getLong();
        negatives += in.getLong();
        int power = in.getInt();
        add(new BigInteger(bytes, offset + HEADER, length - HEADER), power);
    }
}
