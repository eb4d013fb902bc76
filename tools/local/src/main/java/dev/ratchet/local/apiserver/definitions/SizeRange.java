/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.definitions;

/**
 * How many elements a text, a list or a map may have. {@link Long#MAX_VALUE} stands for no bound; sums and products end
 * there.
 */
record SizeRange(long min, long max) {
    static final SizeRange UNKNOWN = new SizeRange(0, Long.MAX_VALUE);

    static SizeRange of(long size) {
        return new SizeRange(size, size);
    }

    SizeRange plus(SizeRange other) {
        return new SizeRange(sum(min, other.min), sum(max, other.max));
    }

    SizeRange times(SizeRange other) {
        return new SizeRange(product(min, other.min), product(max, other.max));
    }

    SizeRange union(SizeRange other) {
        return new SizeRange(Math.min(min, other.min), Math.max(max, other.max));
    }

    /** The highest cost of going through it, rounded up. */
    long cost(double costOfElement) {
        return scaled(max, costOfElement);
    }

    static long sum(long left, long right) {
        return left > Long.MAX_VALUE - right ? Long.MAX_VALUE : left + right;
    }

    static long product(long left, long right) {
        return left != 0 && right > Long.MAX_VALUE / left ? Long.MAX_VALUE : left * right;
    }

    static long scaled(long value, double factor) {
        return (long) Math.ceil(value * factor);
    }
}
